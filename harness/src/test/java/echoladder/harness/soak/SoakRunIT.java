package echoladder.harness.soak;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.LoadClient;
import echoladder.client.LoadListener;
import echoladder.client.LoadPlan;
import echoladder.client.LoadResult;
import echoladder.client.Phase;
import echoladder.client.Progress;
import echoladder.harness.Results;
import echoladder.harness.TestCheckout;
import echoladder.harness.common.Checkout;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord.Status;
import echoladder.harness.run.StopSignal;
import echoladder.harness.server.ServerManifest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is known of a server that does not do what it must, with a client that ends after the second sample. */
class SoakRunIT {
  @TempDir private Path dir;

  private final AtomicBoolean ended = new AtomicBoolean();
  private int held = 100;

  /** Says that it holds so many. */
  private record TwoSamples(Path kept, int held, AtomicBoolean ended, Runnable then) implements LoadClient {
    @Override
    public String name() {
      return "two-samples";
    }

    @Override
    public void check(LoadPlan plan) {}

    @Override
    public void stop() {
      ended.set(true);
    }

    @Override
    public LoadResult run(LoadPlan plan, Path histograms, LoadListener listener) {
      listener.phase(Phase.STEADY, System.nanoTime());
      listener.progress(new Progress(Phase.STEADY, System.nanoTime(), -1, held, 0, 0, 0, 0, 0, null, null));
      Awaitility.await().atMost(Duration.ofMinutes(1)).ignoreExceptions().until(() -> Files.readAllLines(kept).size() > 1);
      then.run();
      listener.phase(Phase.DRAIN, System.nanoTime());
      return Results.good(plan.connections());
    }
  }

  private ServerSoak soaked(String behaviour, StopSignal stop, Runnable then) throws Exception {
    Checkout checkout = new TestCheckout(dir).checkout();
    Path manifest = dir.resolve("servers/fake/server.yaml");
    Files.writeString(manifest, Files.readString(manifest).replace("default: good", "default: " + behaviour));
    Map<String, ServerManifest> servers = ServerManifest.all(checkout);
    RunFolder folder = RunFolder.create(dir.resolve("results"), "soak", Instant.now(), new Random(1));
    Soak soak =
        new Soak(folder.runId(), Status.RUNNING, "2026-01-01T00:00:00Z", "10s", 100, "./ladder soak", List.of("fake"), Map.of(), List.of());
    Path kept = folder.file("fake.samples.jsonl");
    Soak done = new SoakRun(servers, (_, _, _) -> new TwoSamples(kept, held, ended, then), _ -> new ShortRungs.Climbed(0, List.of()), folder, stop).run(soak);
    assertThat(kept).as("%s", done.done()).exists();
    assertThat(Files.readAllLines(kept)).hasSizeGreaterThan(1).allMatch(line -> line.startsWith("{\"seconds\":"));
    return done.done().isEmpty() ? new ServerSoak("none", "", null, ServerSoak.Visits.NONE, List.of(), List.of(), List.of()) : done.done().getFirst();
  }

  @Test
  void oneThatDoesNotStopDidNotHold() throws Exception {
    ServerSoak soak = soaked("ignores-sigterm", new StopSignal(), () -> {});
    assertThat(soak.wrong()).anyMatch(why -> why.contains("stopping the server: it did not end within") && why.contains("was killed"));
    assertThat(soak.held()).isFalse();
  }

  /** An hour with a part of the connections would tell nothing; some are always missing, as they are being replaced. */
  @ParameterizedTest
  @CsvSource({"89, true", "90, false"})
  void aLoadThatBeginsShortOfConnectionsIsEnded(int connections, boolean tooFew) throws Exception {
    held = connections;
    ServerSoak soak = soaked("good", new StopSignal(), () -> assertThat(ended.get()).isEqualTo(tooFew));
    String said = "the load was ended, as it held %d of 100 connections when it began".formatted(connections);
    assertThat(soak.wrong().stream().anyMatch(why -> why.contains(said))).as("%s", soak.wrong()).isEqualTo(tooFew);
  }

  /** The samples of one that a signal interrupts are on the disk, though it is soaked again the next time. */
  @Test
  void whatWasSampledBeforeASignalIsKept() throws Exception {
    StopSignal stop = new StopSignal();
    assertThat(soaked("good", stop, stop::request).server()).isEqualTo("none");
  }

  /** Where no rung can be climbed, the time is not waited for. */
  @Test
  void aLadderThatClimbsNothingDidNotHold() throws Exception {
    RunFolder folder = RunFolder.create(dir.resolve("results"), "soak", Instant.now(), new Random(1));
    Soak soak =
        new Soak(folder.runId(), Status.RUNNING, "2026-01-01T00:00:00Z", "12h", 100, "./ladder soak", List.of(SoakRun.LADDER), Map.of(), List.of());
    ShortRungs none = _ -> new ShortRungs.Climbed(0, List.of("2 of 2 rungs were not measured"));
    Soak done = new SoakRun(Map.of(), (_, _, _) -> new TwoSamples(dir, held, ended, () -> {}), none, folder, new StopSignal()).run(soak);
    assertThat(done.done()).singleElement().satisfies(
        ladder -> {
          assertThat(ladder.rungs()).isZero();
          assertThat(ladder.held()).isFalse();
          assertThat(ladder.wrong()).contains("2 of 2 rungs were not measured").anyMatch(why -> why.contains("too few to tell growth"));
        });
  }
}
