package echoladder.openloop.loop;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.openloop.schedule.Timing;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How much slow readers read, and when. */
class SlowPaceTest {
  @ParameterizedTest
  @CsvSource({
    // bytes per s, connections, piece, ns of the reads 0, 1 and 4
    "1024, 1, 256, 250000000, 500000000, 1250000000",
    "1024, 4, 256, 250000000, 312500000, 500000000",
    "1, 2, 1, 1000000000, 1500000000, 3000000000",
    "3, 1, 1, 333333333, 666666666, 1666666666",
    "1048576, 1, 65536, 62500000, 125000000, 312500000"
  })
  void readsAPieceInTurn(long bytesPerS, int connections, int piece, long first, long second, long fifth) {
    SlowPace pace = new SlowPace(bytesPerS, connections);
    assertThat(pace.pieceBytes()).isEqualTo(piece);
    assertThat(new long[] {pace.dueNs(0), pace.dueNs(1), pace.dueNs(4)}).containsExactly(first, second, fifth);
  }

  @Test
  void readsNothingWithoutARateOrWithoutSlowReaders() {
    assertThat(new SlowPace(0, 3).dueNs(0)).isEqualTo(Timing.UNKNOWN);
    assertThat(new SlowPace(1_000, 0).dueNs(0)).isEqualTo(Timing.UNKNOWN);
  }

  /** Also after a day, where a count of nanoseconds has lost digits as a double. */
  @ParameterizedTest
  @CsvSource({"1, 1", "7, 3", "1000, 10", "65537, 7", "10000000, 500", "1073741824, 2"})
  void noneHasReadMoreAtAnyTimeThanItsRateAllows(long bytesPerS, int connections) {
    SlowPace pace = new SlowPace(bytesPerS, connections);
    double aDay = 86_400.0 * bytesPerS / pace.pieceBytes();
    for (long of : new long[] {0, 1, 2, 10, (long) Math.min(aDay, 1e12)}) {
      for (int c = 0; c < connections; c++) {
        double bytes = (of + 1.0) * pace.pieceBytes();
        // A nanosecond and a millionth of a millionth for the rounding.
        assertThat(bytes).isLessThanOrEqualTo(bytesPerS * ((pace.dueNs(of * connections + c) + 1) / 1e9) * (1 + 1e-12));
      }
    }
  }
}
