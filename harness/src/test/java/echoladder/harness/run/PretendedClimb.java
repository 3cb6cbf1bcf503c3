package echoladder.harness.run;

import echoladder.client.LoadResult;
import echoladder.client.LoadTool;
import echoladder.client.Reason;
import echoladder.harness.TestCheckout;
import echoladder.harness.client.Clients;
import echoladder.harness.engine.Climb;
import echoladder.harness.results.ClimbRecord.End;
import echoladder.harness.results.ClimbRecord;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord;
import echoladder.harness.results.SamplesFile;
import echoladder.harness.study.Study;
import echoladder.harness.study.StudyReader;
import echoladder.loadmetrics.LoadExporter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** Climbs studies that tests write: real server processes, a client that only pretends. */
final class PretendedClimb {
  final StopSignal stop = new StopSignal();
  final List<FakeClient> clients = new CopyOnWriteArrayList<>();
  final Map<LoadTool, IOException> refusals = new HashMap<>();
  long lateNs;
  RunFolder folder = new RunFolder(Path.of("never-used"));
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  /** What was said on stderr so far. */
  String said() {
    return err.toString(StandardCharsets.UTF_8);
  }

  RunRecord of(
      Path dir, String servers, String rungs, int repeats, boolean untilStopped, UnaryOperator<LoadResult> change) throws IOException {
    TestCheckout test =
        new TestCheckout(dir)
            .server("floor", "reference")
            .unmanaged("plain")
            .study(
                "s",
                """
                name: s
                question: Does the climb go on where it should?
                servers: %s
                rungs: %s
                repeats: %d
                load: {rate: {total: 5000/s}}
                phases: {steady: 1s}
                bounds: {server_start: 15s}
                thresholds: {hiccup_most: %s, host_idle_share_least: 0, steal_share_most: 0.99, foreign_cpu_share_most: 0.999}
                """
                    .formatted(servers, rungs, repeats, lateNs == 0 ? "1h" : "100ms"));
    Study study = new StudyReader(test.checkout(), test.servers()).read("s");
    folder = RunFolder.create(dir.resolve("results"), "s", Instant.now(), new Random());
    try (SamplesFile samples = SamplesFile.create(folder.file("samples.csv"), System.nanoTime())) {
      Clients fakes =
          (tool, log, _) -> {
            FakeClient client = new FakeClient(change, untilStopped, refusals.get(tool), lateNs);
            if (!log.startsWith("/dev")) {
              clients.add(client);
            }
            return client;
          };
      RunSetup setup = new RunSetup(test.checkout(), study, test.servers(), fakes, null, List.of());
      Preparation prepared = Preparation.of(setup);
      Display display = new Display(new PrintStream(err, true, StandardCharsets.UTF_8), false);
      RunContext context = new RunContext(setup, folder, samples, display, stop, new LoadExporter(), null);
      return new Climb(prepared.plan(), RunHead.begin("./ladder run s", prepared, Map.of(), null), context, _ -> {})
          .run();
    }
  }

  static RungRecord rung(RunRecord run, String server, int connections) {
    return run.rungs().stream()
        .filter(r -> r.server().equals(server) && r.connections() == connections)
        .findFirst()
        .orElseThrow();
  }

  static Reason first(RungRecord rung) {
    return Objects.requireNonNull(rung.load()).verdictReasons().getFirst();
  }

  static Map<String, End> ends(RunRecord run) {
    return run.climbs().stream()
        .collect(Collectors.toMap(ClimbRecord::server, ClimbRecord::end));
  }
}
