package echoladder.client.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import echoladder.client.Schedule;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The intended sends are arithmetic: rate, period, phases, and nothing else than the seed. */
class ScheduleTest {
  /** An intended send: when (ns since the schedule's start), and on which connection of the load. */
  private record Send(long dueNs, int connection) {}

  private static final long STEADY_NS = 10_000_000_000L;

  private static SendSchedule schedule(Schedule kind, Slice slice, double ratePerS, long seed) {
    return kind.sends(slice, new Schedule.Asked(ratePerS, seed, STEADY_NS));
  }

  /** All sends before {@code endNs} of a load cut into so many slices, in order of time. */
  private static List<Send> sends(
      Schedule kind, int connections, int active, int slices, double ratePerS, long seed, long endNs) {
    List<Send> sends = new ArrayList<>();
    for (int i = 0; i < slices; i++) {
      Slice slice = new Slice(i, slices, connections, active);
      SendSchedule schedule = schedule(kind, slice, ratePerS, seed);
      long before = 0;
      for (; schedule.dueNs() < endNs; schedule.advance()) {
        assertThat(schedule.dueNs()).isGreaterThanOrEqualTo(before);
        before = schedule.dueNs();
        sends.add(new Send(before, slice.global(schedule.connection())));
      }
    }
    sends.sort(Comparator.comparingLong(Send::dueNs).thenComparingInt(Send::connection));
    return sends;
  }

  @ParameterizedTest(name = "{0}: {1} connections, {2} active, {3} slices, {4}/s for {5} s")
  @CsvSource({
    "CONSTANT,     1,     1, 1,     1, 100",
    "CONSTANT,     3,     3, 1,     1, 300",
    "CONSTANT,  1000,  1000, 1,  5000,   2",
    "CONSTANT,  1000,  1000, 3,  5000,   2",
    "CONSTANT,  1000,   100, 4,  5000,   2",
    "CONSTANT, 10007, 10007, 2,  5000,   4",
    "CONSTANT,     7,     7, 7, 0.125, 560",
    "JITTERED,     1,     1, 1,   100, 100",
    "JITTERED,  1000,  1000, 3,  5000,   4",
    "JITTERED,  1000,   100, 4,  5000,   4",
    "JITTERED, 10007, 10007, 2,  5000,   4",
    "JITTERED,     7,     7, 7, 0.125, 560",
    "BURST,        1,     1, 1,   100, 100",
    "BURST,     1000,  1000, 3,  5000,   4",
    "BURST,     1000,   100, 4,  5000,   4",
    "BURST,    10007, 10007, 2,  5000,   4",
    "POISSON,      1,     1, 1,   100, 100",
    "POISSON,   1000,  1000, 1,  5000,   4",
    "POISSON,   1000,  1000, 3,  5000,   4",
    "POISSON,   1000,   100, 4,  5000,   4",
    "POISSON,  10007, 10007, 2,  5000,   4",
  })
  void offersTheRateOverAllSlicesTogether(
      Schedule kind, int connections, int active, int slices, double ratePerS, long seconds) {
    List<Send> sends = sends(kind, connections, active, slices, ratePerS, 42, seconds * 1_000_000_000L);
    double expected = ratePerS * seconds;
    // To one message per connection. Poisson: to five standard deviations, and the seed is fixed.
    double tolerance = kind == Schedule.POISSON ? 5 * Math.sqrt(expected) : active;
    assertThat((double) sends.size()).isCloseTo(expected, within(tolerance));
    assertThat(sends.stream().mapToInt(Send::connection).distinct().count()).isLessThanOrEqualTo(active);
    assertThat(sends).allMatch(send -> send.connection >= 0 && send.connection < connections);
  }

  @Test
  void constantGivesEachConnectionItsPeriodAndARandomPhase() {
    int connections = 1_000;
    double ratePerS = 500;
    long periodNs = 2_000_000_000L;
    List<Send> sends = sends(Schedule.CONSTANT, connections, connections, 2, ratePerS, 1, 3 * periodNs);
    assertThat(sends).hasSize(3 * connections);
    double[] phases = new double[connections];
    for (int c = 0; c < connections; c++) {
      int connection = c;
      long[] due = sends.stream().filter(s -> s.connection == connection).mapToLong(Send::dueNs).toArray();
      assertThat(due).hasSize(3);
      assertThat(due[1] - due[0]).isCloseTo(periodNs, within(1L));
      assertThat(due[2] - due[0]).isCloseTo(2 * periodNs, within(1L));
      phases[c] = (double) due[0] / periodNs;
    }
    assertUniform(phases);
  }

  @Test
  void jitteredHasOneSendOfEachConnectionInEveryPeriodAtTimesThatAreUniformAndNew() {
    int connections = 200;
    int periods = 50;
    long periodNs = 100_000_000L;
    List<Send> sends = sends(Schedule.JITTERED, connections, connections, 2, 2_000, 1, periods * periodNs);
    assertThat(sends).hasSize(periods * connections);
    double[][] phases = new double[connections][periods];
    boolean[][] seen = new boolean[connections][periods];
    for (Send send : sends) {
      int period = (int) (send.dueNs / periodNs);
      assertThat(seen[send.connection][period]).as("twice in a period").isFalse();
      seen[send.connection][period] = true;
      phases[send.connection][period] = (double) (send.dueNs % periodNs) / periodNs;
    }
    // All of them, of one connection, and of one period, are uniform.
    assertUniform(Arrays.stream(phases).flatMapToDouble(Arrays::stream).toArray());
    assertUniform(phases[7]);
    assertUniform(Arrays.stream(phases).mapToDouble(of -> of[3]).toArray());
    // A phase says nothing of the next one of its connection: the correlation of n pairs scatters by 1 / sqrt(n).
    double products = 0;
    int pairs = connections * (periods - 1);
    for (double[] of : phases) {
      for (int k = 1; k < periods; k++) {
        products += (of[k] - 0.5) * (of[k - 1] - 0.5) * 12;
      }
    }
    assertThat(products / pairs).isCloseTo(0, within(5 / Math.sqrt(pairs)));
  }

  /** Kolmogorov-Smirnov against the uniform distribution: 1.95 / sqrt(n) is exceeded once in 1,000 seeds. */
  private static void assertUniform(double[] phases) {
    double[] sorted = phases.clone();
    Arrays.sort(sorted);
    double worst = 0;
    for (int i = 0; i < sorted.length; i++) {
      worst = Math.max(worst, Math.abs(sorted[i] - (i + 0.5) / sorted.length));
    }
    assertThat(worst).isLessThan(1.95 / Math.sqrt(sorted.length));
  }

  @Test
  void constantDoesNotDependOnHowTheLoadIsCut() {
    List<Send> whole = sends(Schedule.CONSTANT, 1_000, 700, 1, 5_000, 9, 1_000_000_000);
    for (int slices : new int[] {2, 3, 7, 16}) {
      assertThat(sends(Schedule.CONSTANT, 1_000, 700, slices, 5_000, 9, 1_000_000_000)).isEqualTo(whole);
    }
  }

  @Test
  void poissonHasExponentialGapsAndUniformConnections() {
    int connections = 50;
    double ratePerS = 10_000;
    List<Send> sends = sends(Schedule.POISSON, connections, connections, 1, ratePerS, 3, 10_000_000_000L);
    int n = sends.size() - 1;
    double sum = 0;
    double squares = 0;
    int long3 = 0;
    int[] perConnection = new int[connections];
    for (int i = 1; i <= n; i++) {
      double gap = (sends.get(i).dueNs - sends.get(i - 1).dueNs) * ratePerS / 1e9;
      sum += gap;
      squares += gap * gap;
      long3 += gap > 3 ? 1 : 0;
      perConnection[sends.get(i).connection]++;
    }
    // In units of the mean gap: mean 1, second moment 2, P(gap > 3) = e^-3; each to five standard deviations.
    assertThat(sum / n).isCloseTo(1, within(5 / Math.sqrt(n)));
    assertThat(squares / n).isCloseTo(2, within(5 * Math.sqrt(20.0 / n)));
    assertThat((double) long3 / n).isCloseTo(Math.exp(-3), within(5 * Math.sqrt(Math.exp(-3) / n)));
    double each = (double) n / connections;
    for (int k : perConnection) {
      assertThat((double) k).isCloseTo(each, within(5 * Math.sqrt(each)));
    }
  }

  @Test
  void poissonSlicesAreIndependent() {
    // Were two slices drawn from one stream, their sends would coincide.
    List<Send> sends = sends(Schedule.POISSON, 100, 100, 2, 10_000, 5, 1_000_000_000);
    long coinciding = 0;
    for (int i = 1; i < sends.size(); i++) {
      coinciding += sends.get(i).dueNs == sends.get(i - 1).dueNs ? 1 : 0;
    }
    assertThat(coinciding).isLessThan(5);
  }

  @Test
  void burstHasEachConnectionOnceInTheSameInstantOfEveryPeriodHoweverTheLoadIsCut() {
    long periodNs = 200_000_000L;
    List<Send> whole = sends(Schedule.BURST, 1_000, 700, 1, 3_500, 9, 5 * periodNs);
    assertThat(whole).hasSize(5 * 700);
    for (int k = 0; k < 5; k++) {
      List<Send> burst = whole.subList(k * 700, (k + 1) * 700);
      assertThat(burst).extracting(Send::dueNs).containsOnly(k * periodNs + periodNs / 2);
      assertThat(burst).extracting(Send::connection).doesNotHaveDuplicates();
    }
    for (int slices : new int[] {2, 3, 16}) {
      assertThat(sends(Schedule.BURST, 1_000, 700, slices, 3_500, 9, 5 * periodNs)).isEqualTo(whole);
    }
  }

  /** Who goes first in a burst waits least for the client: that is another connection each time, and with each seed. */
  @Test
  void burstDrawsTheOrderOfEachBurstAnew() {
    int connections = 500;
    List<List<Integer>> orders = new ArrayList<>();
    for (long seed : new long[] {11, 11, 12}) {
      SendSchedule schedule = new BurstSchedule(new Slice(0, 1, connections, connections), 500, seed);
      for (int burst = 0; burst < 2; burst++) {
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < connections; i++, schedule.advance()) {
          order.add(schedule.connection());
        }
        assertThat(order).doesNotHaveDuplicates();
        orders.add(order);
      }
    }
    assertThat(orders.subList(2, 4)).isEqualTo(orders.subList(0, 2));
    assertThat(orders.get(1)).isNotEqualTo(orders.get(0));
    assertThat(orders.get(4)).isNotEqualTo(orders.get(0));
  }

  @ParameterizedTest
  @CsvSource({"1000, 1000", "1001, 2000", "0, 0", "2000, 2000", "2999, 3000"})
  void theSteadyStateOfBurstsBeginsMidwayBetweenTwo(long ns, long borderNs) {
    assertThat(BurstSchedule.between(500 + ns, 500, 1_000)).isEqualTo(500 + borderNs);
  }

  @ParameterizedTest
  // The instants of bursts do not depend on the seed, the order within them does: see above.
  @EnumSource(value = Schedule.class, mode = EnumSource.Mode.EXCLUDE, names = "BURST")
  void theSameSeedGivesTheSameSendsAndAnotherSeedOthers(Schedule kind) {
    List<Send> first = sends(kind, 500, 500, 2, 2_000, 11, 1_000_000_000);
    assertThat(sends(kind, 500, 500, 2, 2_000, 11, 1_000_000_000)).isEqualTo(first);
    assertThat(sends(kind, 500, 500, 2, 2_000, 12, 1_000_000_000)).isNotEqualTo(first);
  }

  @ParameterizedTest
  @CsvSource({"1, 1, 1", "10, 10, 3", "10, 1, 3", "1000003, 1000003, 7", "1000, 333, 7", "5, 5, 5"})
  void slicesPartTheConnectionsAndTheActiveOnes(int connections, int active, int slices) {
    boolean[] seen = new boolean[connections];
    int sending = 0;
    for (int i = 0; i < slices; i++) {
      Slice slice = new Slice(i, slices, connections, active);
      for (int c = 0; c < slice.connections(); c++) {
        assertThat(seen[slice.global(c)]).isFalse();
        seen[slice.global(c)] = true;
        sending += slice.active(c) ? 1 : 0;
      }
    }
    assertThat(seen).doesNotContain(false);
    assertThat(sending).isEqualTo(active);
  }

  /** A server that deals connections in turn to so many event loops has about as many that send on each. */
  @ParameterizedTest
  @CsvSource({"19000, 1900, 2", "19000, 1900, 4", "1000, 500, 2", "10000, 100, 2", "9000, 3000, 3"})
  void noLoopOfAServerHasMoreOfTheActiveOnes(int connections, int active, int loops) {
    int[] perLoop = new int[loops];
    List<Integer> numbers = new ArrayList<>();
    Slice whole = new Slice(0, 1, connections, active);
    for (int c : whole.senders()) {
      perLoop[c % loops]++;
      numbers.add(whole.sender(c));
      // One of each block: spread over the whole load.
      assertThat(c * (long) active / connections).isEqualTo(numbers.size() - 1);
    }
    assertThat(numbers).hasSize(active).isSorted().doesNotHaveDuplicates();
    // Four standard deviations of a fair choice.
    double fair = (double) active / loops;
    for (int onOne : perLoop) {
      assertThat((double) onOne).isCloseTo(fair, within(4 * Math.sqrt(fair)));
    }
  }
}
