package echoladder.harness.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import echoladder.client.Protocol;
import echoladder.harness.TestCheckout;
import echoladder.harness.client.LoadTools;
import echoladder.harness.common.Refusal;
import echoladder.harness.common.YamlSetting;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which servers of a study are climbed, and with which clients. */
class SelectionTest {
  private static final String STUDY =
      """
      name: a
      question: What does this study ask, exactly?
      client: tcpkali
      servers:
        - fake
        - {name: web, client: wrk2}
        - {name: fake, label: ours, client: open-loop}
      rungs: [10]
      load: {rate: {total: 100/s}}
      phases: {steady: 2s}
      """;

  @TempDir private Path dir;

  private Study read(Selection selection) {
    TestCheckout test = new TestCheckout(dir).server("web", "contender", "http").study("a", STUDY);
    return new StudyReader(test.checkout(), test.servers()).read("a", selection);
  }

  @Test
  void anEntryMayHaveAClientOfItsOwn() {
    assertThat(read(Selection.ALL).servers().stream().map(e -> e.label() + " " + e.client()))
        .containsExactly("fake tcpkali", "web wrk2", "ours open-loop");
    assertThat(read(new Selection("open-loop", List.of(), List.of())).servers()).allMatch(e -> e.client().equals("open-loop"));
  }

  @Test
  void onlyTheServersAskedForAreClimbedInTheStudysOrder() {
    assertThat(read(new Selection(null, List.of("ours", "fake"), List.of())).servers().stream().map(Study.Entry::label))
        .containsExactly("fake", "ours");
    assertThatThrownBy(() -> read(new Selection(null, List.of("fake", "theirs"), List.of())))
        .isInstanceOf(Refusal.class)
        .hasMessage("--servers theirs: study 'a' has no such server; it has fake, web, ours; nor is there a folder servers/theirs with a server.yaml");
  }

  /** As if the study had it in its list: it is behind the study's, with the study's client and load, and its axes. */
  @Test
  void aServerThatTheStudyDoesNotHaveMayBeClimbedToo() {
    TestCheckout test = new TestCheckout(dir).server("web", "contender", "http").server("mine", "contender").study("a", STUDY);
    StudyReader reader = new StudyReader(test.checkout(), test.servers());
    Study study = reader.read("a", new Selection("open-loop", List.of("mine", "ours"), List.of()));
    assertThat(study.servers()).extracting(Study.Entry::label).containsExactly("ours", "mine");
    assertThat(study.servers()).extracting(Study.Entry::client).containsOnly("open-loop");
    assertThat(StudyFile.named(test.checkout(), "a").without(study)).containsExactly("mine");
    Selection axis = new Selection("open-loop", List.of("mine"), List.of(YamlSetting.parse("axes.load.active_share=[1, 0.5]")));
    assertThat(reader.read("a", axis).servers()).extracting(Study.Entry::label)
        .containsExactly("mine-active-share-1", "mine-active-share-0.5");
    assertThatThrownBy(() -> reader.read("a", new Selection("wrk2", List.of("mine"), List.of())))
        .hasMessageContaining("--servers mine: servers[3]: 'mine' speaks tcp, which wrk2 does not");
  }

  @Test
  void aClientThatDoesNotFitTheProtocolIsRefusedWithThoseThatDo() {
    assertThatThrownBy(() -> read(new Selection("tcpkali", List.of(), List.of())))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("servers[1]: 'web' speaks http, which tcpkali does not; clients that fit: " + LoadTools.fitting(Protocol.HTTP));
    assertThatThrownBy(() -> read(new Selection("wrk2", List.of(), List.of())))
        .hasMessageContaining("servers[0]: 'fake' speaks tcp, which wrk2 does not; clients that fit: " + LoadTools.fitting(Protocol.TCP));
    assertThatThrownBy(() -> read(new Selection("fortio", List.of(), List.of())))
        .hasMessage("--client fortio: there is no such client; known: " + LoadTools.names());
  }

  @Test
  void theServersLeftOutMayBeOnesThatTheClientDoesNotFit() {
    Study study = read(new Selection("tcpkali", List.of("fake"), List.of()));
    assertThat(study.servers()).containsExactly(Study.Entry.plain("fake", "fake", "tcpkali", Map.of()));
  }
}
