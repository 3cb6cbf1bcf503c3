package echoladder.harness.report.words;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.lab.LabMark;
import echoladder.harness.report.page.MarkdownReport;
import echoladder.harness.report.text.TerminalTable;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** A run from a lab says so before any figure, also when it is read again. */
class LabTextTest {
  private static final String WORDS =
      "made inside a lab (user-mode-linux, kernel 6.1.0, 16.0 GiB of memory): it may be quoted for limits, memory and"
          + " failure modes, not for times and CPU";

  private final RunRecord golden = new RunFolder(Path.of("src/test/resources/golden")).read();

  private RunRecord inLab() {
    ObjectNode run = (ObjectNode) RunFolder.tree(golden);
    ((ObjectNode) run.get("environment"))
        .set(
            "lab",
            RunFolder.tree(
                new LabMark(
                        "user-mode-linux", "6.1.0", 16L << 30, List.of("limits", "memory", "failure_modes"),
                        List.of("times", "cpu"))
                    .record()));
    return RunFolder.parse(run.toString());
  }

  @Test
  void itStandsAboveEveryFigure() {
    RunRecord run = inLab();
    assertThat(MarkdownReport.of(run).lines().skip(2).findFirst().orElse("")).contains("**This run was " + WORDS + ".**");
    assertThat(MarkdownReport.of(run).lines().skip(4).findFirst().orElse(""))
        .contains("of RSS and")
        .doesNotContain("response time", "CPU per echo");
    assertThat(TerminalTable.of(run, false).lines().skip(1).findFirst().orElse("")).isEqualTo(WORDS);
  }

  @Test
  void hostsThatAreOneMachineAreMarkedLikeALab() {
    ObjectNode json = (ObjectNode) RunFolder.tree(golden);
    ((ObjectNode) json.get("environment")).put("one_kernel", true).putObject("kernel").put("release", "6.18.0");
    String words = "made on hosts that are one machine (one kernel, 6.18.0): it may be quoted for limits, memory and failure modes, not for times and CPU";
    String report = MarkdownReport.of(RunFolder.parse(json.toString()));
    assertThat(report.lines().skip(2).findFirst().orElse(""))
        .isEqualTo("**This run was " + words + ".** Server and clients share its processors, and nothing crossed a network. See `docs/METHOD.md`, \"Many hosts\".");
    assertThat(report.lines().skip(4).findFirst().orElse("")).doesNotContain("response time", "CPU per echo");
    assertThat(TerminalTable.of(RunFolder.parse(json.toString()), false).lines().skip(1).findFirst().orElse("")).isEqualTo(words);
    ((ObjectNode) json.get("environment")).put("one_kernel", false);
    assertThat(MarkdownReport.of(RunFolder.parse(json.toString()))).doesNotContain("This run was made");
  }

  @Test
  void anotherRunSaysNothingOfIt() {
    assertThat(MarkdownReport.of(golden)).doesNotContain("inside a lab");
    assertThat(TerminalTable.of(golden, false)).doesNotContain("inside a lab");
  }
}
