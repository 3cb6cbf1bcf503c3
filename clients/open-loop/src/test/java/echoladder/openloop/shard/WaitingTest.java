package echoladder.openloop.shard;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.LoadPlan;
import echoladder.linux.sockets.EphemeralPorts;
import echoladder.openloop.CodecThrough;
import echoladder.openloop.Measured;
import echoladder.openloop.codec.Codec;
import echoladder.openloop.connection.Addresses;
import echoladder.openloop.result.Counters;
import echoladder.openloop.result.Recorders;
import echoladder.openloop.result.TimeKind;
import echoladder.openloop.testserver.Answering;
import echoladder.openloop.testserver.TestServer;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** A loop waits until its next send is due, whatever it spent on the one before. */
class WaitingTest {
  private static final long WRITING_NS = 5_000_000;

  /** The plan's own codec, with requests that take their time. */
  private static final class SlowRequests extends CodecThrough {
    SlowRequests(Codec codec) {
      super(codec);
    }

    @Override
    public void request(MemorySegment out, int connection, long key, int from, int bytes) {
      pause(WRITING_NS);
      super.request(out, connection, key, from, bytes);
    }
  }

  @Test
  void theTimeThatASendTakesDoesNotMakeTheNextOneLate() throws Exception {
    // A message is due every 50 ms, so that the loop mostly waits also beside others; an answer comes after 4 s, so that until then
    // nothing but the clock ends a wait.
    try (TestServer server = TestServer.start(Measured.MESSAGE_BYTES, Answering.after(Duration.ofSeconds(4)))) {
      LoadPlan plan = Measured.plan(server.target(), 100, 20, Duration.ofMinutes(1)).build();
      Addresses addresses = Addresses.of(plan, EphemeralPorts.read());
      LocalShard.Codecs slow = (loop, failures) -> new SlowRequests(loop.codec(failures));
      try (LocalShard shard = new LocalShard(plan, addresses, 0, 1, 1, slow)) {
        PhaseAnnouncer announcement = new PhaseAnnouncer(List.of(shard), System::nanoTime);
        announcement.make(100_000_000, Shard::ramp);
        Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> shard.status().rampDone());
        announcement.make(100_000_000, (to, at) -> to.steady(at, at + Duration.ofMinutes(1).toNanos()));
        announcement.make(100_000_000, Shard::schedule);
        Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> shard.status().get(Counters.Of.SENT) > 60);
        EnumMap<TimeKind, Histogram> times = new EnumMap<>(TimeKind.class);
        shard.addIntervalTo(times);
        // Of so many, some find a quiet moment on any machine. Each is late by the time that its own request takes, and no more.
        assertThat(times).containsKey(TimeKind.LATENESS);
        assertThat(times.getOrDefault(TimeKind.LATENESS, Recorders.emptyHistogram()).getValueAtPercentile(10))
            .isLessThan(WRITING_NS * 3 / 2);
      }
    }
  }
}
