package echoladder.servers.platformthreads;

import echoladder.servers.kit.BlockingEchoServer;
import echoladder.servers.kit.EchoContext;
import echoladder.servers.kit.EchoProgram;
import echoladder.servers.kit.EchoServer;
import echoladder.servers.kit.ServerFrame;
import echoladder.servers.kit.options.BadOption;
import echoladder.servers.kit.options.BlockingOptions;
import echoladder.servers.kit.options.ServerOptions;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Blocking echo, one platform thread per connection. */
@Command(name = "platform-threads", description = "TCP echo, one platform thread per connection.")
public final class PlatformThreadsEcho implements EchoProgram {
  @Mixin private final BlockingOptions blocking = new BlockingOptions();

  @Option(
      names = "--stack-bytes",
      paramLabel = "N",
      defaultValue = "262144",
      description = "Address space of each thread's stack, 131072 to 1073741824 bytes; default ${DEFAULT-VALUE}")
  private long stackBytes = 256 << 10;

  public static void main(String[] args) {
    ServerFrame.main(new PlatformThreadsEcho(), args);
  }

  @Override
  public EchoServer start(ServerOptions options, EchoContext context) throws IOException {
    BadOption.unlessWithin("--stack-bytes", stackBytes, 128 << 10, 1 << 30);
    return BlockingEchoServer.start(
        options, blocking, context, Thread.ofPlatform().daemon().stackSize(stackBytes).factory());
  }
}
