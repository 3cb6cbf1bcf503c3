package echoladder.openloop.loop;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.linux.sockets.SystemCalls;
import echoladder.openloop.result.Failures;
import echoladder.openloop.result.MessageTimes;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A kernel that gives no stamps of arrival does not keep an event loop from reading. */
class ArrivalsTest {
  /** A descriptor that is none is refused as any option is that a kernel does not know. */
  @Test
  void aRefusalIsSaidOnceAndReadsGoOnWithoutStamps() {
    Failures failures = new Failures();
    Arrivals arrivals = new Arrivals(true, false, new SystemCalls(), failures);
    arrivals.ask(Integer.MAX_VALUE);
    arrivals.ask(Integer.MAX_VALUE);
    assertThat(failures.snapshot()).isEqualTo(Map.of("no stamps, and so no server times: setsockopt SO_TIMESTAMPING EBADF", 1L));
    arrivals.turn();
    assertThat(arrivals.read(Integer.MAX_VALUE)).isNegative();
    assertThat(arrivals.stamped()).isFalse();
    assertThat(arrivals.arrivedNs(0, Long.MAX_VALUE)).isEqualTo(MessageTimes.UNKNOWN);
  }
}
