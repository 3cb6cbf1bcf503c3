package echoladder.linux.output;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static org.assertj.core.api.Assertions.assertThat;

import echoladder.linux.Downcall;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import org.junit.jupiter.api.Test;

/** The width of a pseudo-terminal that this test makes, and of what is none. */
class WindowSizeTest {
  private static final int O_RDWR = 2;
  private static final int O_NOCTTY = 0x100;
  private static final long TIOCSWINSZ = 0x5414;

  private static final MethodHandle OPEN = Downcall.call(2, "open", JAVA_INT, ADDRESS, JAVA_INT);
  private static final MethodHandle CLOSE = Downcall.call("close", JAVA_INT, JAVA_INT);
  private static final MethodHandle IOCTL = Downcall.call(2, "ioctl", JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS);

  private static int open(Arena arena, String file) throws Throwable {
    int descriptor = (int) OPEN.invokeExact(arena.allocate(Downcall.CAPTURE), arena.allocateFrom(file), O_RDWR | O_NOCTTY);
    assertThat(descriptor).as(file).isNotNegative();
    return descriptor;
  }

  @Test
  void isWhatTheTerminalWasSetTo() throws Throwable {
    try (Arena arena = Arena.ofConfined()) {
      int terminal = open(arena, "/dev/ptmx");
      try {
        assertThat(WindowSize.columns(terminal)).as("of a terminal that does not know").isZero();
        for (int columns : new int[] {80, 100, 160, 40_000}) {
          MemorySegment size = arena.allocate(8, 2);
          size.set(JAVA_SHORT, 0, (short) 24);
          size.set(JAVA_SHORT, 2, (short) columns);
          assertThat((int) IOCTL.invokeExact(arena.allocate(Downcall.CAPTURE), terminal, TIOCSWINSZ, size)).isZero();
          assertThat(WindowSize.columns(terminal)).isEqualTo(columns);
        }
      } finally {
        assertThat((int) CLOSE.invokeExact(arena.allocate(Downcall.CAPTURE), terminal)).isZero();
      }
    }
  }

  @Test
  void isNothingOfWhatIsNoTerminal() throws Throwable {
    try (Arena arena = Arena.ofConfined()) {
      int device = open(arena, "/dev/null");
      try {
        assertThat(WindowSize.columns(device)).isZero();
      } finally {
        assertThat((int) CLOSE.invokeExact(arena.allocate(Downcall.CAPTURE), device)).isZero();
      }
    }
    assertThat(WindowSize.columns(-1)).isZero();
  }
}
