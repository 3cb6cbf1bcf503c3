package echoladder.servers.virtualthreads;

import echoladder.servers.kit.BlockingEchoServer;
import echoladder.servers.kit.EchoContext;
import echoladder.servers.kit.EchoProgram;
import echoladder.servers.kit.EchoServer;
import echoladder.servers.kit.FirstWait;
import echoladder.servers.kit.ServerFrame;
import echoladder.servers.kit.options.BlockingOptions;
import echoladder.servers.kit.options.CannotRun;
import echoladder.servers.kit.options.ServerOptions;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Blocking echo, one virtual thread per connection. */
@Command(name = "virtual-threads", description = "TCP echo, one virtual thread per connection.")
public final class VirtualThreadsEcho implements EchoProgram {
  private static final int POLLER_PER_CARRIER_SINCE = 27;

  @Mixin private final BlockingOptions blocking = new BlockingOptions();

  public static void main(String[] args) {
    ServerFrame.main(new VirtualThreadsEcho(), args);
  }

  @Override
  public EchoServer start(ServerOptions options, EchoContext context) throws IOException {
    refuseAnUnknownPoller();
    FirstWait.ofVirtualThreads();
    return BlockingEchoServer.start(options, blocking, context, Thread.ofVirtual().factory());
  }

  /** An older JDK would only say so on the first connection that waits, and go on without it. */
  private static void refuseAnUnknownPoller() {
    if ("3".equals(System.getProperty("jdk.pollerMode")) && Runtime.version().feature() < POLLER_PER_CARRIER_SINCE) {
      throw new CannotRun(
          "-Djdk.pollerMode=3, a poller per carrier, was asked for; this is JDK " + Runtime.version() + ", and JDKs have it from "
              + POLLER_PER_CARRIER_SINCE + " on. Start the server by such a JDK (a study's key jdk), or take mode 1 or 2");
    }
  }
}
