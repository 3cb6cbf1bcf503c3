package echoladder.harness.study;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.Schedule;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class StudyLoadTest {
  /** Seeds from 1 to this one are checked: studies that are written by hand have small seeds. */
  private static final int SEEDS = 1_000;

  @SuppressWarnings("NullAway") // which does not read @Nullable of nested types from class files
  private static StudyLoad load(long seed) {
    return new StudyLoad(
        1_000.0, null, List.of(), 64, Schedule.JITTERED, 1, 1, seed, Cpus.SHARED, 0, Idle.HALT, null, null, null, null, null, null, null);
  }

  /** A repeat that sends at the same moments again meets the same coincidences again. */
  @Test
  void eachRepeatHasASeedOfItsOwnThatNoOtherStudyHas() {
    assertThat(load(7).seedOf(1)).isEqualTo(7);
    Set<Long> seeds = new HashSet<>();
    for (int seed = 1; seed <= SEEDS; seed++) {
      for (int repeat = 1; repeat <= 24; repeat++) {
        assertThat(seeds.add(load(seed).seedOf(repeat))).as("seed %s, repeat %s", seed, repeat).isTrue();
        assertThat(load(seed).seedOf(repeat)).isEqualTo(load(seed).seedOf(repeat));
      }
    }
  }

  /** Servers that compare send at the same moments, wherever they run and whatever their processors do. */
  @Test
  void theSeedOfARepeatIsThatOfAllEntriesOfAStudy() {
    StudyLoad load = load(3);
    assertThat(load.on("apart").seedOf(2)).isEqualTo(load.seedOf(2)).isNotEqualTo(load.seedOf(1));
    assertThat(load.idle(true).seedOf(2)).isEqualTo(load.seedOf(2));
  }
}
