package echoladder.linux.output;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import echoladder.linux.Downcall;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** The size of a terminal's window, as ioctl_tty(2) tells it. Any thread. */
public final class WindowSize {
  private static final long TIOCGWINSZ = 0x5413;

  /** struct winsize: rows, columns, and two numbers that are not used, 16 bits each. */
  private static final long SIZE_BYTES = 8;

  private static final long COLUMNS_AT = 2;

  private static final MethodHandle IOCTL = Downcall.call(2, "ioctl", JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS);

  private WindowSize() {}

  /** Characters in a line of the terminal that a descriptor leads to; 0 where it leads to none, or to one that does not know. */
  public static int columns(int descriptor) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment size = arena.allocate(SIZE_BYTES, 2);
      int failed = (int) IOCTL.invokeExact(arena.allocate(Downcall.CAPTURE), descriptor, TIOCGWINSZ, size);
      return failed < 0 ? 0 : Short.toUnsignedInt(size.get(JAVA_SHORT, COLUMNS_AT));
    } catch (Throwable t) {
      throw Downcall.impossible(t);
    }
  }
}
