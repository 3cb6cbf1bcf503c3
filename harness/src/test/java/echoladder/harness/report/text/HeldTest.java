package echoladder.harness.report.text;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.compare.ProcessGroups;
import echoladder.harness.report.page.MarkdownReport;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A server that held more than its highest valid rung is not said to have carried only that one. */
class HeldTest {
  /** The golden run, whose virtual threads held 10,000 with a client that was late. */
  private static RunRecord late(int established) {
    ObjectNode run = (ObjectNode) RunFolder.tree(new RunFolder(Path.of("src/test/resources/golden")).read());
    for (JsonNode rung : run.get("rungs")) {
      if (rung.get("server").asString().equals("virtual-threads") && rung.get("connections").asInt() == 10_000) {
        ((ObjectNode) rung)
            .put("verdict", "invalid")
            .put("connections_established", established)
            .set("verdict_reasons", RunFolder.tree(List.of(Map.of("reason", "late-sends", "detail", "600 sends were late"))));
      }
    }
    for (JsonNode climb : run.get("climbs")) {
      if (climb.get("server").asString().equals("virtual-threads")) {
        ((ObjectNode) climb).put("highest_valid_connections", 1_000);
      }
    }
    return RunFolder.parse(run.toString());
  }

  @Test
  void bothAreSaidWithWhyTheHigherOneIsNotValid() {
    String held = "held 10,000; highest valid rung 1,000 (10,000: late-sends)";
    RunRecord run = late(10_000);
    assertThat(TerminalTable.of(run, false).lines())
        .anyMatch(line -> line.matches("virtual-threads +\\Q" + held + "\\E; a server process may open 20,000 descriptors.*"))
        .anyMatch(line -> line.matches("floor +carried 10,000; .*"))
        .as("its climb ended at 10,000")
        .anyMatch(line -> line.matches("platform-threads +carried 1,000; unanswered.*"));
    assertThat(MarkdownReport.of(run))
        .contains("| virtual-threads | " + held + " |")
        .containsPattern("\\*\\* held 10,000 connections; its highest valid rung is 1,000 \\(10,000: late-sends\\), at server time p99 ")
        .doesNotContain("Virtual threads** carried");
  }

  @Test
  void aRungThatLackedAConnectionWasNotHeld() {
    RunRecord run = late(9_999);
    assertThat(TerminalTable.of(run, false).lines()).anyMatch(line -> line.matches("virtual-threads +carried 1,000; .*"));
    assertThat(Summary.of(run, ProcessGroups.of(run))).contains("** carried 1,000 connections at ").doesNotContain("** held ");
  }
}
