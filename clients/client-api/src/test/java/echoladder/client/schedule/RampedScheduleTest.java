package echoladder.client.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The intended times of a ramp: in closed form, the same number as without a ramp, each connection's too. */
class RampedScheduleTest {
  private static final long S = 1_000_000_000L;
  private static final long FROM = 3_300_000_000L;

  /** The due times of each connection of the load, from that time on and before the other. */
  private static Map<Integer, List<Long>> due(SendSchedule schedule, Slice slice, long from, long to) {
    TreeMap<Integer, List<Long>> due = new TreeMap<>();
    long before = 0;
    for (; schedule.dueNs() < to; schedule.advance()) {
      assertThat(schedule.dueNs()).isGreaterThanOrEqualTo(before);
      before = schedule.dueNs();
      if (before >= from) {
        due.computeIfAbsent(slice.global(schedule.connection()), _ -> new ArrayList<>()).add(before);
      }
    }
    return due;
  }

  private static Map<Integer, List<Long>> ramped(int connections, double perS, long steadyNs, int slices, long from, long to) {
    TreeMap<Integer, List<Long>> due = new TreeMap<>();
    for (int i = 0; i < slices; i++) {
      Slice slice = new Slice(i, slices, connections, connections);
      RampedSchedule schedule = new RampedSchedule(slice, perS, 42, steadyNs);
      schedule.steadyUntil(FROM + steadyNs);
      due.putAll(due(schedule, slice, from, to));
    }
    return due;
  }

  private static long count(Map<Integer, List<Long>> due) {
    return due.values().stream().mapToLong(List::size).sum();
  }

  @ParameterizedTest
  @CsvSource({"1000, 2000, 10", "7, 0.7, 100", "10, 5000, 2", "1000, 333, 7", "3, 1, 3600"})
  void intendsWhatAConstantScheduleIntends(int connections, double perS, long seconds) {
    Slice all = new Slice(0, 1, connections, connections);
    Map<Integer, List<Long>> constant = due(new ConstantSchedule(all, perS, 42), all, FROM, FROM + seconds * S);
    Map<Integer, List<Long>> ramped = ramped(connections, perS, seconds * S, 1, FROM, FROM + seconds * S);
    assertThat(ramped.keySet()).isEqualTo(constant.keySet());
    ramped.forEach((connection, due) -> assertThat(due).hasSameSizeAs(constant.get(connection)));
    if (perS * seconds % connections == 0) {
      assertThat(count(ramped)).as("whole periods").isEqualTo((long) (perS * seconds));
    }
  }

  /** By t after the beginning the rate has come to {@code rate (t / 5 + 4 / 5 t^2 / T)}, to one message per connection. */
  @Test
  void theRateRisesInAStraightLineFromAFifthToNineFifths() {
    int connections = 10;
    double perS = 5_000;
    double length = 10;
    for (int tenth = 0; tenth <= 10; tenth++) {
      double t = tenth;
      Map<Integer, List<Long>> due = ramped(connections, perS, 10 * S, 1, FROM, FROM + (long) (t * S));
      assertThat((double) count(due)).isCloseTo(perS * (t / 5 + 0.8 * t * t / length), within((double) connections));
    }
    List<Long> one = Objects.requireNonNull(ramped(1, 1_000, 10 * S, 1, FROM, FROM + 10 * S).get(0));
    assertThat(one.get(1) - one.get(0)).as("the first gap: five periods of the mean").isCloseTo(5_000_000L, within(100_000L));
    assertThat(one.getLast() - one.get(one.size() - 2)).as("the last: five ninths").isCloseTo(555_556L, within(1_000L));
  }

  @Test
  void theWarmUpGoesByTheMeanAndTheCutOfTheLoadChangesNothing() {
    Slice all = new Slice(0, 1, 500, 500);
    assertThat(ramped(500, 2_000, 10 * S, 1, 0, FROM)).isEqualTo(due(new ConstantSchedule(all, 2_000, 42), all, 0, FROM));
    Map<Integer, List<Long>> whole = ramped(500, 2_000, 10 * S, 1, 0, FROM + 10 * S);
    assertThat(ramped(500, 2_000, 10 * S, 3, 0, FROM + 10 * S)).isEqualTo(whole);
  }

  @Test
  void aSteadyStateThatIsToldAnewTakesNothingBack() {
    SendSchedule schedule = new RampedSchedule(new Slice(0, 1, 10, 10), 1_000, 1, 10 * S);
    long before = 0;
    for (int i = 0; i < 5_000; i++, schedule.advance()) {
      switch (i) {
        case 1_000 -> schedule.steadyUntil(12 * S);
        case 2_200 -> schedule.steadyUntil(13 * S);
        default -> {}
      }
      assertThat(schedule.dueNs()).isGreaterThanOrEqualTo(before);
      before = schedule.dueNs();
    }
    assertThat(new RampedSchedule(new Slice(9, 10, 20, 1), 1, 1, S).dueNs()).isEqualTo(new ConstantSchedule(new Slice(9, 10, 20, 1), 1, 1).dueNs());
  }
}
