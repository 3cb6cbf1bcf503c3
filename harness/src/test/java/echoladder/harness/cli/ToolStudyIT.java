package echoladder.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.LoadTool;
import echoladder.client.ReasonCode;
import echoladder.client.figures.Percentiles;
import echoladder.harness.client.OnceTool;
import echoladder.harness.results.ClimbRecord.End;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord;
import echoladder.needs.BusyHost;
import echoladder.needs.Need;
import echoladder.needs.Needs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A study with three clients where neither tool is installed: a script on PATH takes tcpkali's place, wrk2 is missing. */
@Needs(Need.BASH)
class ToolStudyIT {
  private static final Path HOME = Path.of("..").toAbsolutePath().normalize();
  private static final Path FAKE = HOME.resolve("clients/tcpkali/src/test/resources/fake-tcpkali.sh");

  private static final String STUDY =
      """
      name: tools
      question: What becomes of a study whose clients are not all there?
      servers:
        - floor
        - {name: floor, label: floor-by-tcpkali, client: tcpkali}
        - {name: go-http, client: wrk2}
      rungs: [10]
      repeats: 1
      load: {rate: {total: 80/s}}
      phases: {connect_rate: 1000/s, warm_up_min: 0s, warm_up_max: 10s, steady: 1s}
      """
          + BusyHost.THRESHOLDS;

  @TempDir private Path dir;

  /** It opens and holds real connections, and says that it moved bytes over them, which it does not. */
  private Path boastfulTcpkali() throws Exception {
    Path bin = Files.createDirectory(dir.resolve("bin"));
    String script =
        Files.readString(FAKE)
            .replace("@BYTES@", "2560")
            .replace("@VERSION@", "tcpkali version 1.2.0")
            .replace("@OPENED@", "$connections")
            .replace("@FIRST@", "")
            .replace("@LAST@", "");
    Path program = Files.writeString(bin.resolve("tcpkali"), script);
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("r-x------"));
    return bin;
  }

  private static RungRecord rung(RunRecord run, String server) {
    return run.rungs().stream().filter(r -> r.server().equals(server)).findFirst().orElseThrow();
  }

  /** The project's own jars know nothing of it: it is a folder on the class path that names its class. */
  @Test
  void aLoadToolOfAnotherJarIsFoundByItsServiceFile() throws Exception {
    Path services = Files.createDirectories(dir.resolve("jar/META-INF/services"));
    Files.writeString(services.resolve(LoadTool.class.getName()), OnceTool.class.getName());
    Path program = Files.writeString(Files.createDirectory(dir.resolve("bin")).resolve("once"), OnceTool.PROGRAM);
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("r-x------"));
    Map<String, String> path = Map.of("PATH", program.getParent() + ":" + System.getenv("PATH"));
    Path jar = dir.resolve("jar");
    Path results = dir.resolve("results");
    String tools = "servers: [{name: floor, client: once}]\n";
    Path study = Files.writeString(dir.resolve("study.yaml"), STUDY.replaceFirst("(?s)servers:.*?(?=rungs:)", tools));
    try (LadderProcess ladder = LadderProcess.startBeside(jar, HOME, dir, path, "run", study.toString(), "--results", results.toString())) {
      assertThat(ladder.status()).as(ladder.err()).isLessThanOrEqualTo(1);
    }
    JsonNode rung = JsonMapper.shared().readTree(folder(results).resolve("run.json").toFile()).at("/rungs/0");
    assertThat(rung.at("/client").asString()).isEqualTo("once");
    assertThat(rung.at("/connections_established").asInt()).isEqualTo(10);
    assertThat(rung.at("/answered").asLong()).isPositive();
    try (LadderProcess help = LadderProcess.startBeside(jar, HOME, dir, path, "run", "--help")) {
      assertThat(help.status()).isZero();
      assertThat(help.out()).contains("--once=PATH", "Where once is. Default: on PATH.", "--wrk2=PATH", "on PATH, as wrk2 or wrk");
    }
    try (LadderProcess unknown = LadderProcess.start(HOME, dir, path, "plan", study.toString())) {
      assertThat(unknown.status()).isEqualTo(2);
      assertThat(unknown.err()).contains("servers[0].client: 'once' is not allowed; open-loop (the default)");
    }
  }

  private static Path folder(Path results) throws Exception {
    return RunBelow.folder(results, "tools");
  }

  @Test
  void whatIsThereIsMeasuredAndJudgedAndWhatIsNotIsSaid() throws Exception {
    Map<String, String> path = Map.of("PATH", boastfulTcpkali() + ":" + System.getenv("PATH"));
    Path study = Files.writeString(dir.resolve("study.yaml"), STUDY);
    Path results = dir.resolve("results");
    try (LadderProcess ladder =
        LadderProcess.start(
            HOME, dir, path, "run", study.toString(), "--wrk2", "/no/such/wrk2", "--results", results.toString())) {
      assertThat(ladder.status()).as(ladder.err()).isEqualTo(1);
      assertThat(ladder.err()).contains("wrk2: /no/such/wrk2 is not a program").doesNotContain("\tat ");
      assertThat(ladder.out())
          .contains("client missing", "service times", "INVALID: times-contradicted")
          .containsPattern("floor-by-tcpkali +tcpkali +10 .* all connections");
    }
    Path folder = folder(results);
    RunRecord run = RunBelow.record(folder);
    assertThat(Objects.requireNonNull(rung(run, "floor").load()).client()).isEqualTo("open-loop");
    RungRecord byTool = rung(run, "floor-by-tcpkali");
    var load = Objects.requireNonNull(byTool.load());
    assertThat(load.client()).isEqualTo("tcpkali");
    assertThat(load.connections().established()).isEqualTo(10);
    assertThat(load.times().response()).isEqualTo(Percentiles.NONE);
    assertThat(load.times().service().p50Ns()).isEqualTo(300_000);
    assertThat(byTool.has(ReasonCode.TIMES_CONTRADICTED)).isTrue();
    assertThat(byTool.histograms()).isNull();
    RungRecord missing = rung(run, "go-http");
    assertThat(missing.status()).isEqualTo(RungRecord.Status.CLIENT_MISSING);
    assertThat(missing.statusReason()).contains("https://github.com/giltene/wrk2", "--client open-loop");
    assertThat(run.climbs().getLast().end()).isEqualTo(End.CLIENT_MISSING);

    List<String> samples = Files.readAllLines(folder.resolve("samples.csv"));
    int said = List.of(samples.getFirst().split(",", -1)).indexOf("tool_said_connections_open");
    assertThat(samples.stream().filter(row -> row.startsWith("floor-by-tcpkali,")).map(row -> row.split(",", -1)[said]))
        .contains("10");
    assertThat(Files.readString(folder.resolve("REPORT.md")))
        .contains(
            "| floor-by-tcpkali | tcpkali | 10 | – | – |",
            "not compared: tcpkali is INVALID: times-contradicted",
            "**client missing**");
  }
}
