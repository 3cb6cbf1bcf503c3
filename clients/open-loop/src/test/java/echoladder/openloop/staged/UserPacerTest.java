package echoladder.openloop.staged;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import echoladder.client.StagedLoad.Loop;
import echoladder.client.StagedLoad.Request;
import echoladder.client.StagedLoad.Stage;
import echoladder.client.StagedLoad;
import echoladder.openloop.schedule.Timing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Who asks when, without a clock: the timing is made up. */
class UserPacerTest {
  private static final long MS = 1_000_000;
  private static final long WARM = 1_000_000 * MS;
  private static final long START = WARM + 5_000 * MS;
  private static final List<Request> PAIR =
      List.of(
          new Request("heavy", "/api/heavy?duration=500", "heavy", Duration.ofMillis(500)),
          new Request("light", "/api/light", "light", Duration.ZERO));

  private final Timing timing = new Timing();

  private static StagedLoad load(Loop loop, int warmUpUsers, Stage... stages) {
    return new StagedLoad(
        loop, List.of(stages), PAIR, Duration.ofMillis(100), Duration.ofSeconds(5), warmUpUsers);
  }

  private static Stage stage(int users, int seconds) {
    return new Stage(users, Duration.ofSeconds(seconds));
  }

  private static StagedLoad ramps(Loop loop) {
    return load(loop, 0, stage(100, 60), stage(300, 120), stage(500, 180), stage(300, 120), stage(0, 60));
  }

  private UserPacer begun(StagedLoad load) {
    timing.scheduleStartNs = WARM;
    timing.steadyEndNs = START + load.length().toNanos();
    timing.steadyStartNs = START;
    return new UserPacer(load, 1, timing);
  }

  /** All sends as {time, connection}; in a closed loop each is answered just when it can be. */
  private List<long[]> sends(UserPacer pacer, StagedLoad load) {
    List<long[]> sends = new ArrayList<>();
    TreeMap<Long, List<Integer>> answers = new TreeMap<>();
    while (pacer.nextNs() != Timing.UNKNOWN || !answers.isEmpty()) {
      long due = pacer.nextNs();
      if (!answers.isEmpty() && answers.firstKey() < due) {
        var first = answers.pollFirstEntry();
        first.getValue().forEach(c -> pacer.answered(c, first.getKey()));
        continue;
      }
      int c = pacer.take();
      sends.add(new long[] {due, c});
      long takes = load.requests().get(c % load.requests().size()).takes().toNanos();
      answers.computeIfAbsent(due + takes, k -> new ArrayList<>()).add(c);
    }
    return sends;
  }

  @Test
  void usersAreThereWhileThePlanHasThem() {
    StagedLoad load = load(Loop.OPEN, 0, stage(2, 4), stage(2, 2), stage(0, 4), stage(1, 2));
    assertThat(Visits.of(load, 0)).containsExactly(1_000 * MS, 9_000 * MS, 11_000 * MS, 12_000 * MS);
    assertThat(Visits.of(load, 1)).containsExactly(3_000 * MS, 7_000 * MS);
    assertThat(Arrays.stream(Visits.of(ramps(Loop.OPEN))).mapToInt(v -> v.length).distinct()).containsExactly(2);
  }

  @ParameterizedTest
  @EnumSource(Loop.class)
  void bothLoopsIntendTheCeilingWhereEveryAnswerTakesWhatItHasTo(Loop loop) {
    StagedLoad load = ramps(loop);
    List<long[]> sends = sends(begun(load), load);
    // 50 x 60 + 200 x 120 + 400 x 180 + 400 x 120 + 150 x 60 user seconds, two requests in 0.6 s.
    assertThat(load.meanCeilingPerS() * 540).isCloseTo(520_000, within(1e-3));
    assertThat((double) sends.size()).isCloseTo(520_000, within(0.002 * 520_000));
    long inPeak = sends.stream().filter(s -> s[0] >= START + 180_000 * MS && s[0] < START + 360_000 * MS).count();
    assertThat(inPeak / 180.0).isCloseTo(load.ceilingPerS(400), within(3.0));
    assertThat(sends.stream().mapToLong(s -> s[0]).toArray()).isSorted();
  }

  @ParameterizedTest
  @EnumSource(Loop.class)
  void usersWhoComeAtEvenGapsDoNotAskInStep(Loop loop) {
    // One user each 0.6 s, which is their cycle.
    StagedLoad load = load(loop, 0, stage(100, 60), stage(100, 60));
    long[] inCycle =
        sends(begun(load), load).stream()
            .filter(s -> s[0] >= START + 60_000 * MS)
            .mapToLong(s -> (s[0] - START) % (600 * MS) / (60 * MS))
            .toArray();
    for (int tenth = 0; tenth < 10; tenth++) {
      int of = tenth;
      assertThat(Arrays.stream(inCycle).filter(t -> t == of).count()).isBetween(inCycle.length / 50L, inCycle.length / 4L);
    }
  }

  @Test
  void aClosedUserWaitsForAllItsAnswersAndAnOpenOneForNone() {
    StagedLoad closed = load(Loop.CLOSED, 0, stage(1, 2), stage(1, 60));
    UserPacer pacer = begun(closed);
    long first = pacer.nextNs();
    assertThat(List.of(pacer.take(), pacer.take())).containsExactly(0, 1);
    pacer.answered(1, first + 1 * MS);
    assertThat(pacer.nextNs()).isEqualTo(Timing.UNKNOWN);
    pacer.answered(0, first + 7_000 * MS);
    assertThat(pacer.nextNs()).isEqualTo(first + 7_100 * MS);

    StagedLoad open = load(Loop.OPEN, 0, stage(1, 2), stage(1, 60));
    UserPacer other = begun(open);
    assertThat(other.nextNs()).isEqualTo(first);
    assertThat(List.of(other.take(), other.take())).containsExactly(0, 1);
    assertThat(other.nextNs()).isEqualTo(first + 600 * MS);
  }

  @Test
  void aUserThatLostAConnectionIsGoneFromAClosedLoop() {
    UserPacer pacer = begun(load(Loop.CLOSED, 0, stage(1, 1), stage(1, 60)));
    long first = pacer.nextNs();
    pacer.take();
    pacer.take();
    pacer.lost(0);
    pacer.answered(1, first + MS);
    assertThat(pacer.nextNs()).isEqualTo(Timing.UNKNOWN);
  }

  @ParameterizedTest
  @EnumSource(Loop.class)
  void theWarmUpIsDoneByThoseWhoComeLastAndEndsWithTheFirstStage(Loop loop) {
    StagedLoad load = load(loop, 3, stage(10, 20), stage(0, 10));
    timing.scheduleStartNs = WARM;
    UserPacer pacer = new UserPacer(load, 1, timing);
    assertThat(pacer.nextNs()).isBetween(WARM, WARM + 600 * MS);
    int taken = pacer.take();
    assertThat(taken / 2).isBetween(7, 9);
    pacer.answered(taken, pacer.nextNs() + 500 * MS);
    timing.steadyEndNs = START + load.length().toNanos();
    timing.steadyStartNs = START;
    for (long[] send : sends(pacer, load)) {
      int user = (int) send[1] / 2;
      long[] visit = Visits.of(load, user);
      if (send[0] < START) {
        assertThat(user).isBetween(7, 9);
      } else {
        assertThat(send[0]).isBetween(START + visit[0], START + visit[1]);
      }
    }
  }

  @Test
  void theSameSeedGivesTheSameSends() {
    StagedLoad load = load(Loop.OPEN, 0, stage(20, 5), stage(0, 5));
    List<long[]> once = sends(begun(load), load);
    assertThat(sends(begun(load), load)).usingRecursiveComparison().isEqualTo(once);
    assertThat(sends(new UserPacer(load, 2, timing), load)).usingRecursiveComparison().isNotEqualTo(once);
  }
}
