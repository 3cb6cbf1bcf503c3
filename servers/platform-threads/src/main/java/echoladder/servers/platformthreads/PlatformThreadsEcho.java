package echoladder.servers.platformthreads;

import echoladder.linux.process.FutexTable;
import echoladder.servers.kit.BlockingEchoServer;
import echoladder.servers.kit.EchoContext;
import echoladder.servers.kit.EchoProgram;
import echoladder.servers.kit.EchoServer;
import echoladder.servers.kit.ServerFrame;
import echoladder.servers.kit.options.BadOption;
import echoladder.servers.kit.options.BlockingOptions;
import echoladder.servers.kit.options.CannotRun;
import echoladder.servers.kit.options.ServerOptions;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Blocking echo, one platform thread per connection. */
@Command(name = "platform-threads", description = "TCP echo, one platform thread per connection.")
public final class PlatformThreadsEcho implements EchoProgram {
  private static final int LEAST_SLOTS = 16;
  private static final int MOST_SLOTS = 1 << 20;

  @Mixin private final BlockingOptions blocking = new BlockingOptions();

  @Option(
      names = "--stack-bytes",
      paramLabel = "N",
      defaultValue = "262144",
      description = "Address space of each thread's stack, 131072 to 1073741824 bytes; default ${DEFAULT-VALUE}")
  private long stackBytes = 256 << 10;

  @Option(
      names = "--futex-slots",
      paramLabel = "N",
      defaultValue = "0",
      description = "Slots of the kernel's table of this process's waiting threads, a power of two from " + LEAST_SLOTS + " to "
          + MOST_SLOTS + "; 0 = the kernel's choice; default ${DEFAULT-VALUE}")
  private int futexSlots;

  public static void main(String[] args) {
    ServerFrame.main(new PlatformThreadsEcho(), args);
  }

  @Override
  public EchoServer start(ServerOptions options, EchoContext context) throws IOException {
    BadOption.unlessWithin("--stack-bytes", stackBytes, 128 << 10, 1 << 30);
    if (futexSlots != 0) {
      resizeFutexTable();
    }
    return BlockingEchoServer.start(
        options, blocking, context, Thread.ofPlatform().daemon().stackSize(stackBytes).factory());
  }

  private void resizeFutexTable() {
    if (Integer.bitCount(futexSlots) != 1 || futexSlots < LEAST_SLOTS || futexSlots > MOST_SLOTS) {
      throw new BadOption(
          "--futex-slots %d is not allowed; 0, or a power of two from %d to %d".formatted(futexSlots, LEAST_SLOTS, MOST_SLOTS));
    }
    try {
      FutexTable.resize(futexSlots);
    } catch (IOException e) {
      throw new CannotRun("--futex-slots: " + e.getMessage(), e);
    }
  }
}
