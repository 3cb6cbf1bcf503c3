package echoladder.harness.report;

import com.code_intelligence.jazzer.junit.FuzzTest;
import echoladder.fuzz.Edits;
import echoladder.fuzz.Ends;
import echoladder.fuzz.Inputs;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A run's folder, through {@code report}: a sound run.json with the input's edits, which its schema may have nothing against. */
class RunFolderFuzzTest {
  private static final RunFolder FOLDER = new RunFolder(Inputs.scratch());
  private static final JsonNode SOUND = JsonMapper.shared().readTree(Inputs.read(Inputs.ROOT.resolve("harness/src/test/resources/golden/run.json")));

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
    TerminalTable.of(run, true, true);
    run.asExpected();
  }
}
