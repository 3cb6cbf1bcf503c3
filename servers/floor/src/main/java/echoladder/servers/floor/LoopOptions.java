package echoladder.servers.floor;

import echoladder.servers.kit.EchoContext;
import echoladder.servers.kit.options.BadOption;
import echoladder.servers.kit.options.ServerOptions;
import java.io.IOException;
import java.util.Map;
import java.util.function.Function;
import picocli.CommandLine.Option;

/** What every floor takes beside the common options: its loops. */
final class LoopOptions {
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
      description = "Most that one read takes, 1 to 16777216 bytes: a buffer of each loop's; default ${DEFAULT-VALUE}")
  private int bufferBytes = 65_536;

  /** A server of such loops that has nothing to say of itself beyond them. */
  FloorServer start(ServerOptions options, EchoContext context, Function<LoopSetup, Loop> loop) throws IOException {
    return start(options, context, loop, Map.of());
  }

  /**
   * A server of such loops, which ends the process where one of them has a defect.
   *
   * @param running what its ready line says beyond the loops
   */
  FloorServer start(ServerOptions options, EchoContext context, Function<LoopSetup, Loop> loop, Map<String, Object> running)
      throws IOException {
    BadOption.unlessWithin("--loops", loops, 0, MOST_LOOPS);
    BadOption.unlessWithin("--buffer-bytes", bufferBytes, 1, MOST_BUFFER_BYTES);
    int inForce = loops > 0 ? loops : Runtime.getRuntime().availableProcessors();
    FloorServer.Loops all = new FloorServer.Loops(inForce, bufferBytes, loop, running);
    return FloorServer.start(options.echoAddress(), options.backlog(), all, context, e -> die(context, e));
  }

  /** A server that went on without one of its loops would leave that loop's connections waiting for ever. */
  private static void die(EchoContext context, Throwable defect) {
    context.log().failure("an event loop ended by a defect; the server ends with it", defect);
    Runtime.getRuntime().halt(DIED);
  }
}
