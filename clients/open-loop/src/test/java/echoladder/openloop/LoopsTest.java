package echoladder.openloop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import echoladder.client.LoadClient;
import echoladder.client.LoadListener;
import echoladder.client.LoadPlan;
import echoladder.client.LoadResult;
import echoladder.client.Phase;
import echoladder.client.Progress;
import echoladder.client.ReasonCode;
import echoladder.client.StagedLoad.Loop;
import echoladder.client.StagedLoad.Request;
import echoladder.client.StagedLoad.Stage;
import echoladder.client.StagedLoad;
import echoladder.client.figures.StagedFigures.RequestFigures;
import echoladder.client.figures.StagedFigures;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Real client processes against a server that misbehaves in known ways. */
class LoopsTest {
  private static final int STALL_MS = 1_500;
  /** Slower than any answer outside a stall on a machine that works at all. */
  private static final long SLOW_NS = 300_000_000;

  @TempDir private Path dir;

  /** What one load showed. */
  private record Seen(
      LoadResult result, StagedFigures figures, List<Progress> progress, Map<String, Histogram> times) {
    RequestFigures all() {
      return Objects.requireNonNull(figures.whole()).all();
    }

    RequestFigures of(String request) {
      return Objects.requireNonNull(figures.whole()).requests().stream()
          .filter(r -> r.request().equals(request))
          .findFirst()
          .orElseThrow();
    }

    Histogram tagged(String tag) {
      return Objects.requireNonNull(times.get(tag), tag);
    }

    double slowShare(String tag) {
      Histogram histogram = tagged(tag);
      return (double) histogram.getCountBetweenValues(SLOW_NS, histogram.getHighestTrackableValue())
          / histogram.getTotalCount();
    }
  }

  private static StagedLoad load(Loop loop, int users, int ms, Duration within, String heavy) {
    return new StagedLoad(
        loop,
        List.of(new Stage(users, Duration.ofMillis(ms / 5)), new Stage(users, Duration.ofMillis(ms - ms / 5))),
        List.of(
            new Request("heavy", heavy, "heavy", Duration.ofMillis(Misbehaving.HEAVY_MS)),
            new Request("light", "/api/light", "light", Duration.ZERO)),
        Duration.ofMillis(100),
        within,
        Math.min(2, users));
  }

  private LoadClient client(Loop loop) {
    List<String> java = ClientProcess.javaCommand();
    Path log = dir.resolve("client.log");
    return loop == Loop.CLOSED ? new ClosedLoopClient(java, log) : new OpenLoopClient(java, log);
  }

  private Seen run(Misbehaving server, StagedLoad load, Runnable onSteady) throws IOException {
    List<Progress> progress = new ArrayList<>();
    List<StagedFigures> figures = new ArrayList<>();
    LoadListener listener =
        new LoadListener() {
          @Override
          public void phase(Phase phase, long monotonicNs) {
            if (phase == Phase.STEADY) {
              onSteady.run();
            }
          }

          @Override
          public void progress(Progress seen) {
            progress.add(seen);
          }

          @Override
          public void staged(StagedFigures seen) {
            figures.add(seen);
          }
        };
    LoadPlan plan =
        LoadPlan.builder(server.target(), load)
            .warmUp(Duration.ofMillis(500), Duration.ofMillis(500), 0)
            .drain(Duration.ofSeconds(2))
            .build();
    Path log = dir.resolve(load.loop() + ".hlog");
    LoadResult result = client(load.loop()).run(plan, log, listener);
    assertThat(figures).as(Files.readString(dir.resolve("client.log"))).hasSize(1);
    return new Seen(result, figures.getFirst(), progress, read(log));
  }

  private static Map<String, Histogram> read(Path log) throws IOException {
    Map<String, Histogram> times = new TreeMap<>();
    try (HistogramLogReader reader = new HistogramLogReader(log.toFile())) {
      while (reader.hasNext()) {
        if (reader.nextIntervalHistogram() instanceof Histogram interval) {
          times.computeIfAbsent(interval.getTag(), t -> new Histogram(3_600_000_000_000L, 3)).add(interval);
        }
      }
    }
    return times;
  }

  private static Runnable later(int ms, Runnable what) {
    return () ->
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    Thread.sleep(ms);
                    what.run();
                  } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                  }
                });
  }

  @Test
  void aStallIsPlainInTheOpenLoopAndHiddenInTheClosedOne() throws Exception {
    try (Misbehaving server = new Misbehaving()) {
      String heavy = "/api/heavy?duration=100";
      Runnable stall = later(2_000, () -> server.stall(STALL_MS));
      Seen closed = run(server, load(Loop.CLOSED, 20, 5_000, Duration.ofSeconds(5), heavy), stall);
      Seen open = run(server, load(Loop.OPEN, 20, 5_000, Duration.ofSeconds(5), heavy), stall);

      // Both met it ...
      assertThat(closed.all().serviceTime().maxNs()).isGreaterThan(STALL_MS * 800_000L);
      assertThat(open.all().responseTime().maxNs()).isGreaterThan(STALL_MS * 800_000L);
      // ... the closed loop with one pair per user, the open one with all that came meanwhile.
      assertThat(open.slowShare("response-light")).isGreaterThan(2 * closed.slowShare("service-light"));
      assertThat(open.slowShare("response-heavy")).isGreaterThan(2 * closed.slowShare("service-heavy"));
      assertThat(open.tagged("response-light").getMean())
          .isGreaterThan(2 * closed.tagged("service-light").getMean());
      // It asked for less, by about what the stall was worth; the open loop for all that it intended.
      assertThat(closed.all().intended()).isLessThan(open.all().intended());

      // What a closed loop cannot know it does not say.
      assertThat(closed.result().client()).isEqualTo("closed-loop");
      assertThat(closed.result().times().response().maxNs()).isNull();
      assertThat(closed.all().responseTime().count()).isZero();
      assertThat(closed.times().keySet()).noneMatch(tag -> tag.startsWith("response"));
      assertThat(closed.figures().loop()).isEqualTo("closed");
      for (Seen seen : List.of(closed, open)) {
        RequestFigures slow = seen.of("heavy");
        StagedFigures.Times ofServer = Objects.requireNonNull(slow.serverTime());
        assertThat(ofServer.count()).isEqualTo(slow.intended());
        assertThat(ofServer.p50Ns()).isBetween(Misbehaving.HEAVY_MS * 990_000L, slow.serviceTime().maxNs());
        assertThat(seen.tagged("server-time-heavy").getTotalCount()).isEqualTo(ofServer.count());
        assertThat(seen.times()).containsKey("server-time");
      }
      assertThat(open.result().client()).isEqualTo("open-loop");
    }
  }

  @ParameterizedTest
  @EnumSource(Loop.class)
  void everyKindOfErrorIsCountedAsItself(Loop loop) throws Exception {
    try (Misbehaving server = new Misbehaving()) {
      // Every heavy answer is later than 50 ms; one light in ten says no, another something else.
      Seen seen =
          run(
              server,
              load(loop, 10, 2_000, Duration.ofMillis(50), "/api/heavy?duration=100"),
              () -> server.spoil(10));
      RequestFigures light = seen.of("light");
      RequestFigures heavy = seen.of("heavy");
      assertThat(light.wrongStatus()).isPositive();
      assertThat(light.wrongBody()).isPositive();
      assertThat(light.answered() + light.wrongStatus() + light.wrongBody()).isEqualTo(light.intended());
      assertThat(heavy.answered()).isEqualTo(heavy.intended()).isEqualTo(heavy.late());
      assertThat(seen.all().errors())
          .isEqualTo(light.late() + light.wrongStatus() + light.wrongBody() + heavy.late());
      assertThat(seen.result().verdictReasons().stream().map(d -> d.reason()))
          .contains(ReasonCode.ERROR_RESPONSES, ReasonCode.ECHO_MISMATCH);
      assertThat(seen.progress().stream().map(Progress::users).filter(Objects::nonNull)).contains(10);
    }
  }

  @Test
  void anAnswerBeforeItsTimeIsNone() throws Exception {
    try (Misbehaving server = new Misbehaving()) {
      Seen seen = run(server, load(Loop.OPEN, 2, 1_000, Duration.ofSeconds(5), "/api/hasty"), () -> {});
      assertThat(seen.of("heavy").wrongBody()).isEqualTo(seen.of("heavy").intended()).isPositive();
      assertThat(seen.of("light").errors()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource(Loop.class)
  void whatIsNeverAnsweredCountsAtItsAge(Loop loop) throws Exception {
    try (Misbehaving server = new Misbehaving()) {
      StagedLoad load = load(loop, 4, 2_000, Duration.ofSeconds(5), "/api/heavy?duration=100");
      Seen seen = run(server, load, later(800, () -> server.stall(30_000)));
      assertThat(seen.all().unanswered()).isPositive();
      assertThat(seen.all().errors()).isEqualTo(seen.all().unanswered());
      assertThat(seen.all().lowerBoundBeyond()).isNotNull();
      assertThat(seen.result().verdictReasons().stream().map(d -> d.reason())).doesNotContain(ReasonCode.UNANSWERED);
      // Two stages and the whole; their requests add up.
      assertThat(seen.figures().spans()).hasSize(3);
      assertThat(seen.figures().spans().subList(0, 2).stream().mapToLong(s -> s.all().intended()).sum())
          .isEqualTo(seen.all().intended());
    }
  }

  @Test
  void aPlanWithoutStagesIsRefused() throws Exception {
    try (Misbehaving server = new Misbehaving()) {
      LoadPlan plan = LoadPlan.builder(server.target(), 1, 1, Duration.ofSeconds(1)).build();
      LoadClient client = client(Loop.CLOSED);
      assertThatThrownBy(() -> client.run(plan, dir.resolve("x.hlog"), new Silent()))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("closed-loop client drives users in stages");
    }
  }

  private static final class Silent implements LoadListener {
    @Override
    public void phase(Phase phase, long monotonicNs) {}

    @Override
    public void progress(Progress progress) {}
  }
}
