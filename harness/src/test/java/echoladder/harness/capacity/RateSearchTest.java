package echoladder.harness.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.capacity.RateSearch.Answer;
import echoladder.harness.capacity.RateSearch.Limits;
import echoladder.harness.capacity.RateSearch.Next;
import echoladder.harness.capacity.RateSearch.Try;
import echoladder.harness.results.CapacityRecord.Outcome;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The search against servers that are only arithmetic. */
class RateSearchTest {
  private static final Limits LIMITS = new Limits(1_000, 100_000, 0.05, 40);

  /** A server that shows that at the n-th try of the search. */
  private interface Server {
    Outcome at(Next next, int n);
  }

  private final List<Try> tries = new ArrayList<>();

  private Answer search(Limits limits, Server server) {
    Set<String> keys = new HashSet<>();
    while (new RateSearch(limits, tries).step() instanceof Next next) {
      assertThat(tries.size()).isLessThan(limits.tries());
      assertThat(next.ratePerS()).isBetween(limits.fromPerS(), limits.mostPerS());
      assertThat(keys.add(next.ratePerS() + " " + next.repeat())).as("each try has a name of its own").isTrue();
      tries.add(new Try(next.ratePerS(), next.length(), server.at(next, tries.size())));
    }
    return (Answer) new RateSearch(limits, tries).step();
  }

  private long made(double perS) {
    return tries.stream().filter(one -> one.ratePerS() == perS).count();
  }

  /** The interval is narrow, has the edge in it, and its lower end was held three times as long. */
  private static void narrow(Answer answer, double edge) {
    assertThat(answer.heldPerS()).isLessThanOrEqualTo(edge);
    assertThat(answer.notHeldPerS()).isGreaterThan(edge).isLessThanOrEqualTo(1.05 * Objects.requireNonNull(answer.heldPerS()));
    assertThat(answer.undecidedPerS()).isNull();
    assertThat(answer.confirmed()).isTrue();
    assertThat(answer.complete()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({"1000", "1010", "1999", "2000", "13370", "54321", "99000"})
  void findsASharpEdge(double edge) {
    Answer answer = search(LIMITS, (next, _) -> next.ratePerS() <= edge ? Outcome.HELD : Outcome.TOO_SLOW);
    narrow(answer, edge);
    assertThat(tries.getLast()).isEqualTo(new Try(Objects.requireNonNull(answer.heldPerS()), 3, Outcome.HELD));
    assertThat(tries.size()).isLessThanOrEqualTo(22);
    // Above the bound takes two tries, held takes one.
    assertThat(made(Objects.requireNonNull(answer.notHeldPerS()))).isEqualTo(2);
  }

  /** One try is enough where messages are lost or the rate is missed. */
  @Test
  void whatIsLostIsNotTriedAgain() {
    Answer answer = search(LIMITS, (next, _) -> next.ratePerS() <= 20_000 ? Outcome.HELD : Outcome.LOST);
    narrow(answer, 20_000);
    assertThat(made(Objects.requireNonNull(answer.notHeldPerS()))).isEqualTo(1);
  }

  @Test
  void doublesBeforeItBisects() {
    search(LIMITS, (next, _) -> next.ratePerS() <= 5_000 ? Outcome.HELD : Outcome.LOST);
    assertThat(tries.stream().map(Try::ratePerS).limit(6)).containsExactly(1_000.0, 2_000.0, 4_000.0, 8_000.0, 6_000.0, 5_000.0);
  }

  /** Whatever the luck near the edge, the search ends, and its interval is between rates that it really tried. */
  @Test
  void endsAtANoisyEdge() {
    for (int seed = 0; seed < 2_000; seed++) {
      tries.clear();
      Random random = new Random(seed);
      Answer answer =
          search(
              LIMITS,
              (next, _) -> {
                double above = next.ratePerS() / 20_000 - 1 + random.nextGaussian() / 10;
                return random.nextInt(10) == 0 ? Outcome.UNDECIDED : above < 0 ? Outcome.HELD : above < 0.2 ? Outcome.TOO_SLOW : Outcome.LOST;
              });
      if (answer.complete() && answer.heldPerS() != null && answer.undecidedPerS() == null) {
        assertThat(answer.confirmed()).isTrue();
        assertThat(answer.notHeldPerS()).isNotNull();
        assertThat(answer.heldPerS()).isBetween(10_000.0, 30_000.0).isLessThan(answer.notHeldPerS());
        assertThat(answer.notHeldPerS()).isLessThanOrEqualTo(1.05 * answer.heldPerS());
      }
    }
  }

  @Test
  void aServerThatHoldsNothingHasNoRate() {
    Answer answer = search(LIMITS, (_, _) -> Outcome.LOST);
    assertThat(answer).isEqualTo(new Answer(null, 1_000.0, null, false, true));
    assertThat(tries).hasSize(1);
  }

  @Test
  void endsAtTheMostRateOfTheStudy() {
    Answer answer = search(LIMITS, (_, _) -> Outcome.HELD);
    assertThat(answer).isEqualTo(new Answer(100_000.0, null, null, true, true));
    assertThat(tries.getLast()).isEqualTo(new Try(100_000, 3, Outcome.HELD));
  }

  /** Beyond what the client can ask nothing is said of the server. */
  @Test
  void isUndecidedWhereTheClientIsInTheWay() {
    Answer answer = search(LIMITS, (next, _) -> next.ratePerS() <= 30_000 ? Outcome.HELD : Outcome.UNDECIDED);
    assertThat(answer.heldPerS()).isBetween(28_000.0, 30_000.0);
    assertThat(answer.notHeldPerS()).isNull();
    assertThat(answer.undecidedPerS()).isBetween(30_000.0, 31_500.0);
    assertThat(answer.confirmed()).isTrue();
    assertThat(made(Objects.requireNonNull(answer.undecidedPerS()))).as("tried again twice").isEqualTo(3);
  }

  /** What is undecided below a rate that is not held leaves the interval wide. */
  @Test
  void anUndecidedEdgeIsInTheInterval() {
    Answer answer =
        search(
            LIMITS, (next, _) -> next.ratePerS() < 12_000 ? Outcome.HELD : next.ratePerS() < 15_000 ? Outcome.UNDECIDED : Outcome.LOST);
    assertThat(answer.heldPerS()).isLessThan(12_000.0);
    assertThat(answer.undecidedPerS()).isBetween(12_000.0, 15_000.0);
    assertThat(answer.notHeldPerS()).isEqualTo(16_000.0);
  }

  @Test
  void aDisturbedTryIsMadeAgain() {
    Answer answer =
        search(LIMITS, (next, n) -> n == 0 || n == 3 ? Outcome.UNDECIDED : next.ratePerS() <= 9_000 ? Outcome.HELD : Outcome.LOST);
    narrow(answer, 9_000);
    assertThat(made(1_000)).isEqualTo(2);
  }

  /** One try above the bound is no finding: the next ones decide. */
  @Test
  void twoOfThreeDecideAboveTheBound() {
    narrow(search(LIMITS, (next, _) -> next.ratePerS() <= 9_000 ? held(next, 1) : Outcome.LOST), 9_000);
    tries.clear();
    Answer answer =
        search(LIMITS, (next, _) -> next.ratePerS() < 9_000 ? Outcome.HELD : next.repeat() == 2 ? Outcome.HELD : Outcome.TOO_SLOW);
    assertThat(answer.notHeldPerS()).isGreaterThanOrEqualTo(9_000.0);
    assertThat(made(Objects.requireNonNull(answer.notHeldPerS()))).isEqualTo(3);
    tries.clear();
    answer =
        search(
            LIMITS,
            (next, _) -> next.ratePerS() < 9_000 ? Outcome.HELD : List.of(Outcome.TOO_SLOW, Outcome.HELD, Outcome.UNDECIDED).get(next.repeat() - 1));
    assertThat(answer.undecidedPerS()).as("one of each").isGreaterThanOrEqualTo(9_000.0);
  }

  /** The first try at 8,000/s is above the bound, the two after it are not. */
  private static Outcome held(Next next, int slow) {
    return next.ratePerS() == 8_000 && next.repeat() <= slow ? Outcome.TOO_SLOW : Outcome.HELD;
  }

  /** A queue that grows slowly is within the bound for a while. */
  @Test
  void goesDownWhereTheLongerTryIsNotHeld() {
    Answer answer =
        search(LIMITS, (next, _) -> next.ratePerS() <= (next.length() == 1 ? 20_000 : 18_500) ? Outcome.HELD : Outcome.TOO_SLOW);
    assertThat(answer.heldPerS()).isLessThanOrEqualTo(18_500);
    assertThat(answer.notHeldPerS()).isGreaterThan(18_500).isLessThanOrEqualTo(1.05 * Objects.requireNonNull(answer.heldPerS()));
    assertThat(answer.confirmed()).isTrue();
  }

  @Test
  void endsWithItsMostTries() {
    Answer answer =
        search(new Limits(1_000, 100_000, 0.05, 7), (next, _) -> next.ratePerS() <= 20_000 ? Outcome.HELD : Outcome.TOO_SLOW);
    assertThat(tries).hasSize(7);
    assertThat(answer).isEqualTo(new Answer(16_000.0, 32_000.0, null, false, false));
    tries.clear();
    answer = search(new Limits(1_000, 100_000, 0.05, 3), (_, n) -> n == 0 ? Outcome.HELD : Outcome.UNDECIDED);
    assertThat(answer).as("the third try at 2,000/s is not made").isEqualTo(new Answer(1_000.0, null, null, false, false));
  }

  /** The tries are the state: whoever goes on from any of them comes to the same end. */
  @Test
  void goesOnFromTheTriesThatWereMade() {
    Server server = (next, _) -> next.ratePerS() <= 54_321 ? Outcome.HELD : Outcome.TOO_SLOW;
    Answer whole = search(LIMITS, server);
    List<Try> all = List.copyOf(tries);
    for (int kept = 0; kept <= all.size(); kept++) {
      tries.clear();
      tries.addAll(all.subList(0, kept));
      while (new RateSearch(LIMITS, tries).step() instanceof Next next) {
        tries.add(new Try(next.ratePerS(), next.length(), server.at(next, tries.size())));
      }
      assertThat(tries).isEqualTo(all);
      assertThat(new RateSearch(LIMITS, tries).step()).isEqualTo(whole);
    }
  }
}
