package echoladder.linux.sockets;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import echoladder.linux.Downcall;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** The clock that the kernel stamps packets by, CLOCK_REALTIME. A look allocates nothing. An instance belongs to one thread. */
public final class RealtimeClock {
  private static final int CLOCK_REALTIME = 0;
  private static final MethodHandle CLOCK_GETTIME = Downcall.brief("clock_gettime", JAVA_INT, JAVA_INT, ADDRESS);

  private final MemorySegment time = Arena.ofAuto().allocate(16, 8);

  /** Now, ns since 1970. Somebody may set this clock meanwhile, so differences of two looks are no durations. */
  public long ns() {
    try {
      // With this clock and room for the answer it cannot fail.
      int ignored = (int) CLOCK_GETTIME.invokeExact(CLOCK_REALTIME, time);
    } catch (Throwable t) {
      throw Downcall.impossible(t);
    }
    return time.get(JAVA_LONG, 0) * 1_000_000_000L + time.get(JAVA_LONG, 8);
  }
}
