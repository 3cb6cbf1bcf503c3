package echoladder.harness.report.text;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.compare.ProcessGroups;
import echoladder.harness.results.ClimbRecord;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A study of storms asks how long until all are back, and one of bursts how long until all are answered: its answer says that. */
class CrowdAnswerTest {
  private static RunRecord published(String run) {
    return new RunFolder(Path.of("../results/reference").resolve(run)).read();
  }

  @Test
  void theAnswerSaysHowLongTheConnectionsWereAway() {
    RunRecord run = published("reconnect-storm/20261126T063213Z-eadc");
    assertThat(Summary.of(run, ProcessGroups.of(run)))
        .as("the medians of 1.822, 1.840 and 1.482 s, and of 7.021, 7.105 and 7.386 s")
        .containsPattern("\\*\\*Floor \\(epoll loop\\) \\(floor-rush\\)\\*\\* carried 10,000 connections at [^*]+, the study's highest rung; after its crash each connection was back within 1\\.82 s of its loss\\.")
        .containsPattern("\\(netty-backoff\\)\\*\\* [^*]+ back within 7\\.11 s of its loss");
    assertThat(TerminalTable.of(run, false).lines())
        .anyMatch(line -> line.matches("go-echo-rush +carried 10,000; after its crash each connection was back within 701 ms of its loss; it was climbed .*"));
  }

  /** Three settings of one server are told in one sentence. */
  @Test
  void climbsThatAreToldTogetherSayItToo() {
    RunRecord run = published("reconnect-storm/20261126T063213Z-eadc");
    assertThat(AlikeClimbs.sentence(run, ProcessGroups.of(run), run.climbs().subList(2, 4), "."))
        .contains(" After its crash each connection was back within: 4.12 s (platform-threads-backoff) to 4.28 s (platform-threads-rush).");
    RunRecord churn = published("churn/20261126T064610Z-74f9");
    assertThat(AlikeClimbs.sentence(churn, ProcessGroups.of(churn), churn.climbs().subList(2, 4), ".")).contains("Server CPU").doesNotContain("crash");
  }

  @Test
  void theAnswerSaysHowLongABurstTook() {
    RunRecord run = published("bursts/20261126T161325Z-3b6f");
    assertThat(Summary.of(run, ProcessGroups.of(run)))
        .as("the medians of 141.95, 125.7 and 130.88 ms, and of 14.16, 13.24 and 14.48 ms")
        .containsPattern("\\(netty-active-share-1\\)\\*\\* carried [^*]+, the study's highest rung; half of the bursts were answered within 131 ms\\.")
        .containsPattern("\\(netty-active-share-0.1\\)\\*\\* [^*]+ answered within 14\\.2 ms\\.");
    assertThat(TerminalTable.of(run, false).lines())
        .anyMatch(line -> line.matches("netty-active-share-1 +carried 10,000; half of the bursts were answered within 131 ms; it was climbed .*"));
    List<ClimbRecord> netty = run.climbs().stream().filter(climb -> climb.server().startsWith("netty")).toList();
    assertThat(AlikeClimbs.sentence(run, ProcessGroups.of(run), netty, "."))
        .contains(" Half of the bursts were answered within: 14.2 ms (netty-active-share-0.1) to 131 ms (netty-active-share-1).");
  }

  @Test
  void nothingIsSaidWhereNoneActAtOnce() {
    RunRecord run = published("churn/20261126T064610Z-74f9");
    assertThat(Summary.of(run, ProcessGroups.of(run)) + TerminalTable.of(run, false)).contains("carried 5,000").doesNotContain("back within", "crash", "bursts");
  }
}
