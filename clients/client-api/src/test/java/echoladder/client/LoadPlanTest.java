package echoladder.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import echoladder.client.schedule.Bursts;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The parts of a load that several hosts carry. */
class LoadPlanTest {
  private static LoadPlan whole(int connections, double activeShare, Schedule schedule) {
    return LoadPlan.builder(new Target("127.0.0.1", 9), connections, 600, Duration.ofSeconds(2))
        .activeShare(activeShare)
        .schedule(schedule)
        .build();
  }

  private static List<LoadPlan> parts(LoadPlan whole, int hosts) {
    return IntStream.range(0, hosts)
        .mapToObj(host -> whole.part((whole.connections() + host) / hosts, host, List.of(), null))
        .toList();
  }

  /** A part has a whole number of senders: with few of them, theirs add up to something else than the whole's. */
  @ParameterizedTest
  @CsvSource({"600, 1, 3", "10, 0.1, 3", "1000, 0.05, 3", "7, 0.001, 4", "100000, 0.37, 7"})
  void theRatesOfPartsAddUpToThatOfTheWhole(int connections, double activeShare, int hosts) {
    for (Schedule schedule : List.of(Schedule.CONSTANT, Schedule.POISSON, Schedule.JITTERED)) {
      List<LoadPlan> parts = parts(whole(connections, activeShare, schedule), hosts);
      assertThat(parts.stream().mapToInt(LoadPlan::connections).sum()).isEqualTo(connections);
      assertThat(parts.stream().mapToDouble(LoadPlan::ratePerSecond).sum()).as(schedule.toString()).isCloseTo(600, within(1e-6));
    }
  }

  /** A host's part may come to less, as the whole comes to more. */
  @Test
  void lessThanOneMessageIsRefusedButOfAPart() {
    LoadPlan.Builder few = LoadPlan.builder(new Target("127.0.0.1", 9), 10, 0.01, Duration.ofSeconds(3));
    assertThatThrownBy(few::build)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "rate: 0.01/s is not allowed; 10 connections at 0.01/s together for 3 s of steady state come to 0.03 messages; 1 or more"
                + " are needed");
    LoadPlan one = LoadPlan.builder(new Target("127.0.0.1", 9), 10, 0.5, Duration.ofSeconds(2)).build();
    assertThat(parts(one, 2)).extracting(LoadPlan::ratePerSecond).containsExactly(0.25, 0.25);
  }

  @Test
  void burstsOfPartsHaveThePeriodOfTheWhole() {
    LoadPlan whole = whole(100, 0.25, Schedule.BURST);
    long periodNs = Bursts.periodNs(whole.activeConnections(), whole.ratePerSecond());
    assertThat(parts(whole, 3)).allSatisfy(part -> assertThat(Bursts.periodNs(part.activeConnections(), part.ratePerSecond())).isEqualTo(periodNs));
  }
}
