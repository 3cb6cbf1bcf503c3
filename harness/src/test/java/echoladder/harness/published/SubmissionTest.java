package echoladder.harness.published;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.common.Checkout;
import echoladder.harness.results.Instrument;
import echoladder.harness.results.RunFolder;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A published run can be published; each change of it that nobody could trust speaks against that. */
class SubmissionTest {
  private static final Path RUN = Checkout.find().results().resolve("reference/memory/20261123T062015Z-df3b");

  @TempDir private Path dir;
  private Path copy = Path.of("");

  @BeforeEach
  void copy() throws IOException {
    copy = PublishedCopy.of(RUN, dir);
  }

  private List<String> against() {
    RunFolder folder = RunFolder.open(copy);
    return Submission.against(folder, folder.read());
  }

  private List<String> against(Consumer<ObjectNode> change) throws IOException {
    set(change);
    return against();
  }

  private void set(Consumer<ObjectNode> change) throws IOException {
    Path file = copy.resolve("run.json");
    ObjectNode run = (ObjectNode) JsonMapper.shared().readTree(Files.readString(file));
    change.accept(run);
    Files.writeString(file, run.toString());
  }

  private static ObjectNode environment(JsonNode run) {
    return (ObjectNode) run.get("environment");
  }

  private static ObjectNode rung(JsonNode run) {
    return (ObjectNode) run.get("rungs").get(0);
  }

  private static void isRefused(List<String> against, String why) {
    assertThat(against).singleElement().asString().contains(why);
  }

  @Test
  void aRunThatWasPublishedCanBe() {
    assertThat(against()).isEmpty();
  }

  @Test
  void oneOfAnotherInstrumentIsRefused() throws IOException {
    int before = Instrument.VERSION - 1;
    isRefused(
        against(run -> run.put("instrument_version", before)),
        "program: it was measured by instrument " + before + ", and this ladder's is");
  }

  @Test
  void oneOfAProgramThatNobodyHasIsRefused() throws IOException {
    isRefused(against(run -> ((ObjectNode) environment(run).get("ladder")).put("git_dirty", true)), "program: there were changes beside its commit");
    isRefused(against(run -> ((ObjectNode) environment(run).get("ladder")).putNull("git_commit")), "program: no commit is recorded");
  }

  @Test
  void oneWithoutHashesOfWhatRanIsRefused() throws IOException {
    isRefused(against(run -> environment(run).remove("code")), "program: environment.code, the hashes of what ran, is missing");
  }

  @Test
  void oneThatDidNotEndIsRefused() throws IOException {
    isRefused(against(run -> run.put("status", "interrupted")), "verdicts: the run did not come to its end; go on with ./ladder run --resume");
  }

  @Test
  void oneWithInvalidRungsIsRefused() throws IOException {
    List<String> against =
        against(
            run -> {
              rung(run).put("verdict", "invalid");
              ObjectNode reason = rung(run).putArray("verdict_reasons").addObject();
              reason.put("reason", "host-too-noisy").put("detail", "others had 40 % of the host");
            });
    isRefused(against, "verdicts: 1 of 16 rungs are invalid (floor 5,000: host-too-noisy); measure again on a quiet host");
  }

  /** Most tries of a search are beyond what its server holds, so invalid ones are not counted. */
  @Test
  void aSearchWithoutARateThatStandsIsNamed() throws IOException {
    Path searches = PublishedCopy.of(Checkout.find().results().resolve("reference/capacity/20261201T001808Z-7766"), dir);
    RunFolder folder = RunFolder.open(searches);
    isRefused(Submission.against(folder, folder.read()), "verdicts: 1 of 5 searches ended without a rate that stands (virtual-threads 10,000), see REPORT.md");
  }

  @Test
  void aVerdictThatItsReasonsDoNotGiveIsSeen() throws IOException {
    List<String> against =
        against(
            run ->
                rung(run).putArray("verdict_reasons").addObject().put("reason", "setting-changed").put("detail", "a sysctl"));
    isRefused(against, "verdicts: floor 5,000 is called valid, which its reasons do not give");
  }

  @Test
  void oneThatTheDoctorWasNotAskedForIsRefused() throws IOException {
    isRefused(against(run -> ((ArrayNode) environment(run).get("doctor")).remove(0)), "doctor: environment.doctor has no answer for 'floor'");
  }

  @Test
  void aValidRungThatTheDoctorHoldsForImpossibleIsRefused() throws IOException {
    isRefused(
        against(run -> ((ObjectNode) environment(run).get("doctor").get(0)).put("reach", "out-of-reach")),
        "doctor: it says that 10,000 connections are out of reach, and floor 10,000 is valid");
  }

  @Test
  void aHostOfWhichTooLittleIsKnownIsRefused() throws IOException {
    isRefused(
        against(run -> ((ObjectNode) environment(run).get("cpu")).putNull("processors")), "environment: of the host it does not say cpu.processors");
    List<String> clients =
        against(
            run -> {
              ((ObjectNode) environment(run).get("cpu")).put("processors", 2);
              environment(run).putObject("hosts").putObject("load-1").put("group", "clients");
            });
    assertThat(clients)
        .anyMatch(why -> why.contains("environment: of the client host 'load-1' it does not say kernel.release"))
        .anyMatch(why -> why.contains("doctor: environment.doctor has no answer for the client host 'load-1'"));
  }

  @Test
  void aServerOfSomebodyElseIsRefused() throws IOException {
    List<String> own = against(run -> ((ObjectNode) run.get("servers").get(0)).putObject("own").put("command", "./mine").put("port", 9000));
    isRefused(own, "server: nobody else has 'floor' (--own)");
  }

  @Test
  void aServerThatWasThereAlreadyIsRefused() throws IOException {
    List<String> attached =
        against(
            run ->
                run.putObject("attached").put("target", "10.0.0.2:9000").put("server_metrics", "http://10.0.0.2:9100/metrics").put("same_host", false));
    assertThat(attached).anyMatch(why -> why.startsWith("server: it was started by somebody else (--attach)"));
  }

  @Test
  void aLabOfWhoseHostNothingIsKnownIsRefused() throws IOException {
    isRefused(
        against(
            run -> {
              ObjectNode lab = environment(run).putObject("lab");
              lab.put("kind", "user-mode-linux").put("kernel", "6.1").put("memory_bytes", 1).putArray("may_claim").add("memory");
              lab.putArray("may_not_claim").add("times");
            }),
        "environment: it ran in a lab, and nothing is said of the host below it (environment.host_of_lab)");
  }

  @Test
  void aPercentileThatTheLogDoesNotGiveIsSeen() throws IOException {
    JsonNode before = JsonMapper.shared().readTree(Files.readString(copy.resolve("run.json")));
    long recorded = rung(before).get("response_time_p50_ns").asLong();
    isRefused(
        against(run -> rung(run).put("response_time_p50_ns", recorded / 2)), "as the percentile 50 of response time, and run.json has");
  }

  /** A log of a load tool of others may have a range in each interval. */
  @Test
  void aLogWithARangeInEachIntervalIsCompared() throws IOException {
    String log = "0005000-floor.hlog";
    try (PrintStream out = new PrintStream(copy.resolve(log).toFile(), StandardCharsets.UTF_8)) {
      HistogramLogWriter lines = new HistogramLogWriter(out);
      lines.outputLogFormatVersion();
      lines.outputLegend();
      for (long ns : new long[] {1_000, 1_000_000_000}) {
        Histogram interval = new Histogram(1, 2 * ns, 3);
        interval.recordValue(ns);
        interval.setTag("response");
        lines.outputIntervalHistogram(1, 2, interval, 1e6);
      }
    }
    isRefused(against(), "it gives 1,000 ns as the percentile 50 of response time, and run.json has");
  }

  @Test
  void aRungWithoutItsLogIsRefused() throws IOException {
    isRefused(against(run -> rung(run).putNull("histograms")), "times: floor 5,000: it has no interval log, so nobody can check its percentiles");
  }

  @Test
  void aLogThatIsCutIsSeen() throws IOException {
    String log = "0005000-floor.hlog";
    String text = Files.readString(copy.resolve(log));
    Files.writeString(copy.resolve(log), text.substring(0, text.length() - 40));
    isRefused(against(), "times: floor 5,000: " + log + ": ");
  }
}
