package echoladder.harness.report;

import com.code_intelligence.jazzer.junit.FuzzTest;
import echoladder.fuzz.Edits;
import echoladder.fuzz.Ends;
import echoladder.fuzz.Inputs;
import echoladder.harness.report.text.Screen;
import echoladder.harness.report.text.TerminalTable;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;

/** A run's folder, through {@code report}: a sound run.json with the input's edits, which its schema may have nothing against. */
class RunFolderFuzzTest {
  private static final List<String> SERVERS = List.of("floor", "virtual-threads");
  private static final int LOWEST = 1_000;
  private static final RunFolder FOLDER = new RunFolder(Inputs.scratch());
  private static final JsonNode SOUND = small(Inputs.read(Inputs.ROOT.resolve("harness/src/test/resources/golden/run.json")));

  /** Two servers of it, without the lowest rung: what is reported takes a third of the time, and edits meet more kinds of places. */
  private static JsonNode small(String text) {
    JsonNode run = JsonMapper.shared().readTree(text);
    Stream.of(run.get("study").get("servers"), run.get("rungs"), run.get("climbs")).map(ArrayNode.class::cast).forEach(RunFolderFuzzTest::fewer);
    RunFolder.parse(run.toString());
    return run;
  }

  private static void fewer(ArrayNode all) {
    all.removeIf(
        one ->
            !SERVERS.contains(one.path(one.has("label") ? "label" : "server").asString()) || one.path("connections").asInt() == LOWEST);
  }

  static Stream<Arguments> seeds() {
    return Stream.of(
        Inputs.of("nothing", new byte[0]), Inputs.of("one", new byte[] {1, 2, 3, 4}), Inputs.of("two", new byte[] {9, 9, 1, 1, 0, 40, 4, 0}));
  }

  @MethodSource("seeds")
  @FuzzTest
  void aFolderIsReportedOrRefused(byte[] input) throws IOException {
    RunRecord run;
    try {
      run = RunFolder.parse(Edits.of(SOUND, input).toString());
    } catch (IllegalArgumentException e) {
      Ends.said(e);
      return;
    }
    ReportFiles.write(FOLDER, run);
    TerminalTable.of(run, true, new Screen(80, true, true));
    run.asExpected();
  }
}
