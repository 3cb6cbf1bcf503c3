package echoladder.workloads;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.workloads.Ended.Kind;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LimitsTest {
  private static final long MIB = 1 << 20;
  private static final Limits LIMITS =
      new Limits(1_000 * MIB, "--memory-limit", 512 * MIB, 32_768, "kernel.pid_max", 10_000_000_000L);

  @Test
  void thereIsRoomBelowEachLimit() {
    assertThat(LIMITS.check(949 * MIB, 512 * MIB, 31_129, 9_999_999_999L)).isNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "950 | 9000 |     1 |  0 | MEMORY_GUARD | it holds 950 MiB of the 1,000 MiB it may hold (--memory-limit)",
        "  1 |  511 |     1 |  0 | MEMORY_GUARD | 511 MiB are available on the host, of which 512 MiB are to stay so",
        "  1 | 9000 | 31130 |  0 | TASK_GUARD   | there are 31,130 tasks on the host, of the 32,768 that kernel.pid_max allows",
        "  1 | 9000 |     1 | 10 | TIME_GUARD   | stopped itself after 10 s, its time limit",
      })
  void eachLimitEndsItWithItsOwnWords(
      long heldMib, long availableMib, long tasks, long seconds, Kind kind, String words) {
    Ended ended =
        Objects.requireNonNull(LIMITS.check(heldMib * MIB, availableMib * MIB, tasks, seconds * 1_000_000_000));
    assertThat(ended.kind()).isEqualTo(kind);
    assertThat(ended.detail()).contains(words);
  }

  @Test
  void aSmallLimitKeepsRoomForWhatIsTakenBetweenTwoReadings() {
    Limits small = new Limits(64 * MIB, "x", 0, Long.MAX_VALUE, "nothing", Long.MAX_VALUE);
    assertThat(small.memoryStopBytes()).isEqualTo(48 * MIB);
  }

  @Test
  void kernelStacksCountAgainstMemory() {
    assertThat(Limits.heldBytes(100, 20, 3)).isEqualTo(120 + 3 * 24 * 1024);
  }
}
