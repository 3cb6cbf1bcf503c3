package echoladder.servers.virtualthreads;

import echoladder.servers.kit.BlockingEchoServer;
import echoladder.servers.kit.BlockingOptions;
import echoladder.servers.kit.EchoContext;
import echoladder.servers.kit.EchoProgram;
import echoladder.servers.kit.EchoServer;
import echoladder.servers.kit.FirstWait;
import echoladder.servers.kit.ServerFrame;
import echoladder.servers.kit.ServerOptions;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Blocking echo, one virtual thread per connection. */
@Command(name = "virtual-threads", description = "TCP echo, one virtual thread per connection.")
public final class VirtualThreadsEcho implements EchoProgram {
  @Mixin private final BlockingOptions blocking = new BlockingOptions();

  public static void main(String[] args) {
    ServerFrame.main(new VirtualThreadsEcho(), args);
  }

  @Override
  public EchoServer start(ServerOptions options, EchoContext context) throws IOException {
    FirstWait.ofVirtualThreads();
    return BlockingEchoServer.start(options, blocking, context, Thread.ofVirtual().factory());
  }
}
