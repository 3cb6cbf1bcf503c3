package echoladder.linux.process;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** What the kernel has logged (syslog(2), as dmesg shows it). */
public final class KernelLog {
  private static final int MOST_BYTES = 1 << 20;

  private KernelLog() {}

  /**
   * Its lines, oldest first, each like {@code <6>[   12.345678] text}, of the newest MiB; empty where this process may
   * not read them, as in most containers and wherever kernel.dmesg_restrict is 1.
   */
  public static Optional<List<String>> read() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment text = arena.allocate(MOST_BYTES);
      int n = new ProcessCalls().kernelLog(text, MOST_BYTES);
      return n < 0
          ? Optional.empty()
          : Optional.of(
              new String(text.asSlice(0, n).toArray(JAVA_BYTE), StandardCharsets.UTF_8)
                  .lines()
                  .toList());
    }
  }
}
