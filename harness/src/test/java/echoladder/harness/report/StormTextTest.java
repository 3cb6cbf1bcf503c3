package echoladder.harness.report;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** A study of storms asks how long until all are back, so its answer says that. */
class StormTextTest {
  private static RunRecord published(String run) {
    return new RunFolder(Path.of("../results/reference").resolve(run)).read();
  }

  @Test
  void theAnswerSaysHowLongTheConnectionsWereAway() {
    RunRecord run = published("reconnect-storm/20261126T063213Z-eadc");
    assertThat(Summary.of(run))
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
    assertThat(AlikeClimbs.sentence(run, run.climbs().subList(2, 4), "."))
        .contains(" After its crash each connection was back within: 4.12 s (platform-threads-backoff) to 4.28 s (platform-threads-rush).");
    RunRecord churn = published("churn/20261126T064610Z-74f9");
    assertThat(AlikeClimbs.sentence(churn, churn.climbs().subList(2, 4), ".")).contains("Server CPU").doesNotContain("crash");
  }

  @Test
  void nothingIsSaidWhereNoServerWasKilled() {
    RunRecord run = published("churn/20261126T064610Z-74f9");
    assertThat(Summary.of(run) + TerminalTable.of(run, false)).contains("carried 5,000").doesNotContain("back within", "crash");
  }
}
