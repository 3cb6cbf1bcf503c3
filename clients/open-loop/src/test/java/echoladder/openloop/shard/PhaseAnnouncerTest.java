package echoladder.openloop.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import echoladder.client.LoadPlan;
import echoladder.linux.sockets.EphemeralPorts;
import echoladder.openloop.Measured;
import echoladder.openloop.connection.Addresses;
import echoladder.openloop.result.Counters;
import echoladder.openloop.result.ShardStatus;
import echoladder.openloop.result.TimeKind;
import echoladder.openloop.testserver.Answering;
import echoladder.openloop.testserver.TestServer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.Histogram;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** No shard begins a phase at a time that another has heard of too late. */
class PhaseAnnouncerTest {
  private static final long MS = 1_000_000;

  /** Takes that long to be told, by a clock that only this moves. */
  private record Slow(AtomicLong clock, long ns, List<Long> heard) implements Shard {
    @Override
    public void ramp(long startNs) {
      clock.addAndGet(ns);
      heard.add(clock.get() < startNs ? startNs : -1);
    }

    @Override
    public void schedule(long startNs) {}

    @Override
    public void steady(long startNs, long endNs) {}

    @Override
    public void finish() {}

    @Override
    public void storm(long startNs) {}

    @Override
    public void rollCall(long startNs) {}

    @Override
    public ShardStatus status() {
      throw new AssertionError("not asked for");
    }

    @Override
    public void addIntervalTo(Map<TimeKind, Histogram> into) {}

    @Override
    public void close() {}
  }

  private static List<Slow> shards(AtomicLong clock, long... ns) {
    List<Slow> shards = new ArrayList<>();
    for (long one : ns) {
      shards.add(new Slow(clock, one, new ArrayList<>()));
    }
    return shards;
  }

  @Test
  void aStartThatAllHeardOfInTimeIsTheFirst() throws Exception {
    AtomicLong clock = new AtomicLong(5);
    List<Slow> shards = shards(clock, 10 * MS, 100 * MS);
    assertThat(new PhaseAnnouncer(shards, clock::get).make(200 * MS, Shard::ramp)).isEqualTo(5 + 200 * MS);
  }

  @Test
  void aStartThatOneHeardOfTooLateIsAnnouncedAgainToAll() throws Exception {
    AtomicLong clock = new AtomicLong();
    List<Slow> shards = shards(clock, 150 * MS, 150 * MS, 150 * MS);
    long start = new PhaseAnnouncer(shards, clock::get).make(200 * MS, Shard::ramp);
    assertThat(start).isGreaterThan(clock.get());
    assertThat(shards).allSatisfy(shard -> assertThat(shard.heard.getLast()).isEqualTo(start));
    assertThat(shards.getLast().heard).as("too late, then again").startsWith(-1L).hasSizeGreaterThan(1);
  }

  @Test
  void shardsThatAreAlwaysTooSlowAreSaid() {
    AtomicLong clock = new AtomicLong();
    PhaseAnnouncer announcement = new PhaseAnnouncer(shards(clock, Duration.ofHours(1).toNanos()), clock::get);
    assertThatThrownBy(() -> announcement.make(200 * MS, Shard::ramp))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("longer than the notice, at last 6.4 s");
  }

  @Test
  void whatCountedForASteadyStateThatIsSetAnewIsForgotten() throws Exception {
    try (TestServer server = TestServer.start(Measured.MESSAGE_BYTES, Answering.atOnce())) {
      LoadPlan plan = Measured.plan(server.target(), 10, 1_000, Duration.ofMinutes(1)).build();
      try (LocalShard shard = new LocalShard(plan, Addresses.of(plan, EphemeralPorts.read()), 0, 1, 1)) {
        PhaseAnnouncer announcement = new PhaseAnnouncer(List.of(shard), System::nanoTime);
        announcement.make(200 * MS, Shard::ramp);
        Awaitility.await().until(() -> shard.status().rampDone());
        announcement.make(200 * MS, Shard::schedule);
        announcement.make(200 * MS, (to, at) -> to.steady(at, at + Duration.ofMinutes(1).toNanos()));
        Awaitility.await().until(() -> shard.status().get(Counters.Of.ANSWERED) > 100);
        long ever = shard.status().get(Counters.Of.ANSWERED_EVER);

        // As it is told again where another shard heard of the first start too late.
        announcement.make(
            Duration.ofSeconds(20).toNanos(), (to, at) -> to.steady(at, at + Duration.ofMinutes(1).toNanos()));
        Awaitility.await().until(() -> shard.status().get(Counters.Of.ANSWERED_EVER) > ever + 100);
        ShardStatus status = shard.status();
        assertThat(status.get(Counters.Of.SCHEDULED)).isZero();
        assertThat(status.get(Counters.Of.SENT)).isZero();
        assertThat(status.get(Counters.Of.ANSWERED)).isZero();
        EnumMap<TimeKind, Histogram> times = new EnumMap<>(TimeKind.class);
        shard.addIntervalTo(times);
        assertThat(times).containsKey(TimeKind.WARM_UP_RESPONSE).doesNotContainKeys(TimeKind.RESPONSE, TimeKind.SERVICE, TimeKind.LATENESS);

        shard.steady(System.nanoTime() - 1, System.nanoTime() + MS);
        long seen = shard.status().get(Counters.Of.ANSWERED_EVER);
        Awaitility.await().until(() -> shard.status().get(Counters.Of.ANSWERED_EVER) > seen + 20);
        assertThat(shard.status().get(Counters.Of.SCHEDULED)).as("a time that has come is not heeded").isZero();
      }
    }
  }
}
