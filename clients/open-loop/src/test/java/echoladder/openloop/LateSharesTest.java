package echoladder.openloop;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.LateShares;
import echoladder.client.LoadListener;
import echoladder.client.LoadPlan;
import echoladder.client.LoadResult;
import echoladder.client.Phase;
import echoladder.client.Progress;
import echoladder.openloop.testserver.Answering;
import echoladder.openloop.testserver.TestServer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import org.HdrHistogram.Histogram;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What of a tail is there because the client sent late, and what is the server's. */
class LateSharesTest {
  private static final long US = 1_000;

  @TempDir private Path folder;

  private static Histogram histogram(long... countsAndUs) {
    Histogram of = Recorders.emptyHistogram();
    for (int i = 0; i < countsAndUs.length; i += 2) {
      of.recordValueWithCount(countsAndUs[i + 1] * US, countsAndUs[i]);
    }
    return of;
  }

  /** Of 1,000 messages beyond p90, 600 would have been below it on time; of 100 beyond p99 20, of 10 beyond p99.9 none. */
  @Test
  void isTheShareBeyondAPercentileThatLatenessPutThere() {
    Histogram response = histogram(9_000, 100, 900, 1_000, 70, 5_000, 30, 20_000);
    Histogram lessLateness = histogram(9_600, 100, 320, 1_000, 50, 5_000, 30, 20_000);
    LateShares shares = Quantiles.lateShares(response, lessLateness);
    assertThat(shares.p50LateShare()).isCloseTo(0.6, Offset.offset(1e-9));
    assertThat(shares.p90LateShare()).isEqualTo(shares.p50LateShare());
    assertThat(shares.p99LateShare()).isCloseTo(0.2, Offset.offset(1e-9));
    // Ten messages are too few for a p99.9, and so for its share.
    assertThat(shares.p999LateShare()).isNull();
    assertThat(Quantiles.lateShares(response, response).p99LateShare()).isZero();
    assertThat(Quantiles.lateShares(null, null)).isEqualTo(LateShares.UNKNOWN);
    // Nothing lies beyond.
    assertThat(Quantiles.lateShares(histogram(10_000, 100), histogram(10_000, 100)).p50LateShare()).isNull();
  }

  /** 950 of the 1,000 messages beyond the p99 would not be there, had they been sent on time. */
  @Test
  void saysWhichPercentileMessagesOnTimeHad() {
    Histogram response = histogram(9_000, 100, 1_000, 5_000);
    assertThat(Quantiles.lateShares(response, histogram(9_950, 100, 50, 5_000)).lessLatenessP99Ns()).isBetween(100 * US, 101 * US);
    assertThat(Quantiles.lateShares(response, response).lessLatenessP99Ns()).isEqualTo(Quantiles.quantile(response, 99));
    assertThat(Quantiles.lateShares(histogram(90, 100), histogram(90, 100)).lessLatenessP99Ns()).as("too few").isNull();
  }

  @Test
  void mergesAsTheHistogramsOfShardsDo() {
    Histogram one = histogram(5_000, 100, 500, 1_000);
    Histogram oneLess = histogram(5_400, 100, 100, 1_000);
    Histogram other = histogram(9_000, 100, 100, 5_000);
    Histogram both = one.copy();
    both.add(other);
    Histogram bothLess = oneLess.copy();
    bothLess.add(other);
    // 600 of 14,600 lie beyond p90, 200 of them without lateness too.
    assertThat(Quantiles.lateShares(both, bothLess).p90LateShare()).isCloseTo(2 / 3.0, Offset.offset(1e-9));
  }

  private static LateShares shares(LoadResult result) {
    return Objects.requireNonNull(result.times().lateShares());
  }

  /** Messages that wait behind a stalled answer wait for the server, though each is sent long after it was due. */
  @Test
  void aStallOfTheServerIsNoLateness() throws Exception {
    Duration stall = Duration.ofMillis(500);
    try (TestServer server = TestServer.start(Measured.MESSAGE_BYTES, Answering.stalling(stall, Duration.ofSeconds(2)))) {
      Measured load = Measured.run(Measured.plan(server.target(), 50, 1_000, Duration.ofSeconds(4)));
      Histogram lessLateness = load.times(Kind.RESPONSE_LESS_LATENESS);
      assertThat(lessLateness.getTotalCount()).isEqualTo(load.responses().getTotalCount());
      // On any host the client is late by something, and no more than that may be taken off.
      long lateNs = Objects.requireNonNull(load.result().times().sendLateness().maxNs());
      long slowNs = stall.toNanos() / 5;
      double slowThoughOnTime = Measured.shareFrom(lessLateness, slowNs);
      assertThat(slowThoughOnTime).isGreaterThanOrEqualTo(Measured.shareFrom(load.responses(), slowNs + lateNs + lateNs / 500));
      assertThat(slowThoughOnTime).as("by service time alone").isGreaterThan(1.5 * Measured.shareFrom(load.times(Kind.SERVICE), slowNs));
      assertThat(lessLateness.getMaxValue()).isLessThanOrEqualTo(load.responses().getMaxValue());
    }
  }

  /** The client is stopped for 0.4 s, with two messages of each connection due meanwhile: both are late through it. */
  @Test
  void aClientThatStoodStillMadeItsTailItself() throws Exception {
    try (TestServer server = TestServer.start(Measured.MESSAGE_BYTES, Answering.atOnce())) {
      OpenLoopClient client = new OpenLoopClient(ClientProcess.javaCommand(), folder.resolve("client.log"));
      LoadPlan plan = Measured.plan(server.target(), 200, 1_000, Duration.ofSeconds(3)).build();
      LoadResult result = client.run(plan, folder.resolve("load.hlog"), new StoppedOnce(client));
      long p90 = Objects.requireNonNull(result.times().response().p90Ns());
      assertThat(p90).isGreaterThan(10_000_000);
      assertThat(shares(result).p90LateShare()).isGreaterThan(0.5);
      assertThat(result.times().sendLateness().maxNs()).isGreaterThan(350_000_000);
    }
  }

  private static final class StoppedOnce implements LoadListener {
    private final OpenLoopClient client;
    private boolean done;

    StoppedOnce(OpenLoopClient client) {
      this.client = client;
    }

    @Override
    public void phase(Phase phase, long monotonicNs) {}

    @Override
    public void progress(Progress progress) {
      if (progress.phase() == Phase.STEADY && !done) {
        done = true;
        long pid = Objects.requireNonNull(client.process()).pid();
        try {
          new ProcessBuilder("sh", "-c", "kill -STOP %d; sleep 0.4; kill -CONT %d".formatted(pid, pid)).start().waitFor();
        } catch (IOException | InterruptedException e) {
          throw new AssertionError(e);
        }
      }
    }
  }
}
