package echoladder.servers.floor;

import echoladder.servers.kit.BadOption;
import echoladder.servers.kit.EchoContext;
import echoladder.servers.kit.EchoProgram;
import echoladder.servers.kit.EchoServer;
import echoladder.servers.kit.ServerFrame;
import echoladder.servers.kit.ServerOptions;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The floor under every server here: an epoll echo loop per core, and nothing else. */
@Command(name = "floor", description = "TCP echo, a minimal epoll loop per core: the reference, not a contender.")
public final class FloorEcho implements EchoProgram {
  private static final int MOST_LOOPS = 1024;
  private static final int MOST_BUFFER_BYTES = 16 << 20;
  private static final int DIED = 3;

  @Option(
      names = "--loops",
      paramLabel = "N",
      defaultValue = "0",
      description = "Event loops, 0 to 1024; 0 = one per processor; default ${DEFAULT-VALUE}")
  private int loops;

  @Option(
      names = "--buffer-bytes",
      paramLabel = "N",
      defaultValue = "65536",
      description = "Buffer of each loop, 1 to 16777216 bytes, and the most kept for a connection whose client does not "
          + "read; default ${DEFAULT-VALUE}")
  private int bufferBytes = 65_536;

  public static void main(String[] args) {
    ServerFrame.main(new FloorEcho(), args);
  }

  @Override
  public EchoServer start(ServerOptions options, EchoContext context) throws IOException {
    BadOption.unlessWithin("--loops", loops, 0, MOST_LOOPS);
    BadOption.unlessWithin("--buffer-bytes", bufferBytes, 1, MOST_BUFFER_BYTES);
    int inForce = loops > 0 ? loops : Runtime.getRuntime().availableProcessors();
    return FloorServer.start(
        options.echoAddress(), options.backlog(), inForce, bufferBytes, context, e -> die(context, e));
  }

  /** A server that went on without one of its loops would leave that loop's connections waiting for ever. */
  private static void die(EchoContext context, Throwable defect) {
    context.log().failure("an event loop ended by a defect; the server ends with it", defect);
    Runtime.getRuntime().halt(DIED);
  }
}
