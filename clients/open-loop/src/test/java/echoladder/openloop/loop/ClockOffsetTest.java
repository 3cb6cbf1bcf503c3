package echoladder.openloop.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What looks at two clocks say of their offset. */
class ClockOffsetTest {
  private static final long S = 1_000_000_000L;
  private static final long AHEAD = 1_795_000_000L * S + 123;
  private final ClockOffset offset = new ClockOffset(ClockOffset.BRACKET_MOST_NS);

  /** A look that began then, where the clocks were so far apart and the calls took so long. */
  private boolean look(long beforeNs, long aheadNs, long firstNs, long secondNs) {
    return offset.look(beforeNs, beforeNs + firstNs + aheadNs, beforeNs + firstNs + secondNs);
  }

  @Test
  void looksNarrowWhatIsKnown() {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 1_000; i++) {
      look(i * 1_000_000L, AHEAD, 25 + random.nextLong(4_000), 25 + random.nextLong(400));
    }
    assertThat(offset.stepped()).isFalse();
    assertThat(offset.usable(S)).isTrue();
    // By the middle of any one bracket it would be off by up to 2 us.
    assertThat(offset.monotonicNs(AHEAD + 5 * S)).isBetween(5 * S - 40, 5 * S + 40);
  }

  @Test
  void aWideBracketAloneIsRefused() {
    assertThat(offset.usable(0)).isFalse();
    assertThat(look(0, AHEAD, 30, 30_000)).isFalse();
    assertThat(offset.usable(30_030)).isFalse();
    assertThat(look(S, AHEAD, 30, 30)).isTrue();
    assertThat(offset.usable(S + 60)).isTrue();
  }

  @Test
  void anOffsetServesForAWhileThoughBracketsAreWide() {
    long age = ClockOffset.AGE_MOST_NS;
    look(0, AHEAD, 30, 30);
    look(age / 2, AHEAD, 40_000, 40_000);
    assertThat(offset.usable(age / 2 + 80_000)).isTrue();
    look(age + 1_000, AHEAD, 40_000, 40_000);
    assertThat(offset.usable(age + 81_000)).isFalse();
    look(2 * age, AHEAD, 30, 30);
    assertThat(offset.usable(2 * age + 60)).isTrue();
  }

  @Test
  void aStepIsNoticedAndOverWithTheNextLook() {
    for (long step : new long[] {S, -S, 2_000, -2_000}) {
      ClockOffset set = new ClockOffset(ClockOffset.BRACKET_MOST_NS);
      set.look(0, AHEAD + 30, 60);
      set.look(1_000, AHEAD + step + 1_030, 1_060);
      assertThat(set.stepped()).as("%d ns", step).isTrue();
      assertThat(set.usable(1_060)).isFalse();
      set.look(2_000, AHEAD + step + 2_030, 2_060);
      assertThat(set.stepped()).isFalse();
      assertThat(set.usable(2_060)).isTrue();
      assertThat(set.monotonicNs(AHEAD + step + 5_000)).isBetween(4_970L, 5_030L);
    }
  }

  /** A wide bracket bounds the offset too: a step beyond it cannot hide there. */
  @Test
  void aStepIsNoticedBehindAWideBracket() {
    look(0, AHEAD, 30, 30);
    look(1_000_000, AHEAD + S, 30_000, 30_000);
    assertThat(offset.stepped()).isTrue();
    look(2_000_000, AHEAD + S, 30_000, 30_000);
    assertThat(offset.usable(2_060_000)).as("the offset since the step is known to 60 us alone").isFalse();
  }

  @Test
  void whatIsOffByTheGrainOfAClockIsNoStep() {
    look(0, AHEAD, 30, 30);
    look(1_000, AHEAD + 100, 30, 30);
    assertThat(offset.stepped()).isFalse();
    assertThat(offset.usable(1_060)).isTrue();
    assertThat(offset.monotonicNs(AHEAD + 100 + 5_000)).isBetween(4_970L, 5_030L);
  }
}
