package echoladder.openloop.loop;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LoopClockTest {
  private static void aMoment() {
    for (long from = System.nanoTime(); System.nanoTime() == from; ) {
      Thread.onSpinWait();
    }
  }

  @Test
  void eachLookIsTheTime() {
    LoopClock clock = new LoopClock(false);
    long before = clock.turn();
    aMoment();
    long first = clock.now();
    aMoment();
    assertThat(clock.now()).isGreaterThan(first);
    assertThat(first).isGreaterThan(before);
  }

  @Test
  void inALabATurnHasOneStampUntilTheLoopHasWaited() {
    LoopClock clock = new LoopClock(true);
    long turn = clock.turn();
    aMoment();
    assertThat(clock.now()).isEqualTo(turn);
    clock.waited();
    long waited = clock.now();
    aMoment();
    assertThat(clock.now()).isEqualTo(waited).isGreaterThan(turn);
    assertThat(clock.turn()).isGreaterThan(waited);
  }
}
