package echoladder.workloads;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.workloads.TurnSample.Seen;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TurnSampleTest {
  /** A turn is written as carrier and thread: 0a is thread a on carrier 0. */
  @ParameterizedTest
  @CsvSource({
    "'', 0, 0",
    "0a, 0, 0",
    "0a 0b 0a 0b, 3, 3",
    "0a 0a 0a, 0, 2",
    // Two threads on a carrier each switch never, however their turns fall.
    "0a 1b 0a 1b 1b 0a, 0, 4",
    "0a 1b 0c 1b 0a 1d, 3, 4",
    // What has gone over to another carrier is a switch where it arrives after somebody.
    "0a 1b 1a 0b, 2, 2",
  })
  void turnsOfSomebodyElseOnTheSameCarrierAreSwitches(String text, long switches, long turns) {
    TurnSample sample = new TurnSample(10);
    for (String turn : text.isEmpty() ? new String[0] : text.split(" ", -1)) {
      sample.add(turn.charAt(0), turn.charAt(1));
    }
    assertThat(sample.seen()).isEqualTo(new Seen(switches, turns));
  }

  @Test
  void whatComesWhenItIsFullIsNotTaken() {
    TurnSample sample = new TurnSample(2);
    for (int thread = 0; thread < 5; thread++) {
      assertThat(sample.full()).isEqualTo(thread >= 2);
      sample.add(0, thread);
    }
    assertThat(sample.seen()).isEqualTo(new Seen(1, 1));
  }
}
