package echoladder.harness.minimal;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.common.YamlTree;
import echoladder.harness.minimal.MinimalSet.Answer;
import echoladder.harness.minimal.MinimalSet.Found;
import echoladder.harness.minimal.MinimalSet.Outcome;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is printed in the end, and the study of a try. */
final class MinimalProfileTest {
  private static final Lift NOFILE = Lift.other(Lift.Kind.SERVER_NOFILE, 300, 700, List.of("lifts:   d", "value:   N + 100"));
  private static final Lift PORTS =
      Lift.sysctl("net.ipv4.ip_local_port_range", "20000 20399", "10240 65535", List.of("lifts:   p", "value:   wide"));
  private static final Lift QUEUE = Lift.sysctl("net.core.somaxconn", "128", "4096", List.of("lifts:   q", "value:   2 s"));
  private static final Lift CLIENT = Lift.other(Lift.Kind.CLIENT_NOFILE, 400, 500, List.of("lifts:   d", "value:   e"));
  private static final Lift BACKLOG = Lift.other(Lift.Kind.BACKLOG, 16, 600, List.of("lifts:   d", "value:   e"));

  private static final TryQuestion QUESTION =
      new TryQuestion("floor", 600, "5000/s", "10s", List.of("127.0.0.1"), List.of(NOFILE, PORTS, QUEUE));

  private static Tried failed(String limit, long reached, String because, Lift... with) {
    return new Tried(List.of(with).stream().map(Lift::name).toList(), Answer.FAILS, reached, limit, because, "runs/1", 1);
  }

  @Test
  void eachLineSaysWhatHappenedWithoutIt() {
    List<Tried> tries =
        List.of(
            failed("nofile hard, server", 262, "EMFILE", PORTS), failed("port tuples", 400, "EADDRNOTAVAIL", NOFILE),
            failed("port tuples", 1, "of another set"));
    Found<Lift> found = new Found<>(Outcome.MINIMAL, List.of(NOFILE, PORTS), List.of(), 7);
    assertThat(new MinimalProfile(QUESTION, found, tries, "./ladder tune minimal ...", "Linux 6.1").text())
        .isEqualTo(
            """
            # What 600 connections to floor need beyond what was there: each setting was taken away, and the climb ended without it.
            # Found by: ./ladder tune minimal ...
            # On: Linux 6.1; 7 sets were tried.

            # lifts:   p
            # before:  20000 20399
            # value:   wide
            # without: 400 of 600 connections; port tuples was met: EADDRNOTAVAIL
            net.ipv4.ip_local_port_range = 10240 65535

            # lifts:   d
            # before:  300
            # value:   N + 100
            # without: 262 of 600 connections; nofile hard, server was met: EMFILE
            # no kernel setting: ulimit -Hn 700 for the server; sysctl/limits/ has drop-ins for logins and units

            # Not needed: net.core.somaxconn 128 -> 4096.
            """);
  }

  @Test
  void whatStayedUndecidedIsSaid() {
    Tried open = failed("port tuples", 400, "EADDRNOTAVAIL", NOFILE).undecided("client-died: it");
    Found<Lift> found = new Found<>(Outcome.MINIMAL, List.of(NOFILE, PORTS), List.of(PORTS), 7);
    assertThat(new MinimalProfile(QUESTION, found, List.of(open), "", "").text())
        .contains("and the climb ended without it, but for those that may not be needed.\n")
        .contains("# without: it may not be needed, not decided: client-died: it\n")
        .contains("# without: not tried\n");
  }

  @Test
  void whereNothingIsNeededNothingIsSaidToHaveEndedAClimb() {
    Found<Lift> found = new Found<>(Outcome.NOTHING_NEEDED, List.of(), List.of(), 1);
    assertThat(new MinimalProfile(QUESTION, found, List.of(), "it", "here").text())
        .isEqualTo(
            """
            # 600 connections to floor need nothing beyond what was there: they were held with none of these settings.
            # Found by: it
            # On: here; 1 sets were tried.

            # Not needed: nofile 300 -> 700, net.ipv4.ip_local_port_range 20000 20399 -> 10240 65535, net.core.somaxconn 128 -> 4096.
            """);
  }

  /** Each value is named, also of what is not lifted, so that a try says by itself what it was made under. */
  @Test
  void theStudyOfATryNamesEveryValue() {
    TryQuestion question = new TryQuestion("floor", 600, "5000/s", "10s", List.of("127.0.0.1"), List.of(NOFILE, PORTS, QUEUE, BACKLOG, CLIENT));
    YamlTree study = YamlTree.parse(question.study(List.of(NOFILE, QUEUE)), "a test");
    assertThat(study.root().at("/servers/0/settings/sysctl/net.ipv4.ip_local_port_range").asString()).isEqualTo("20000 20399");
    assertThat(study.root().at("/servers/0/settings/sysctl/net.core.somaxconn").asString()).isEqualTo("4096");
    assertThat(study.root().at("/servers/0/settings/server/nofile").asInt()).isEqualTo(700);
    assertThat(study.root().at("/servers/0/settings/server/backlog").asInt()).isEqualTo(16);
    assertThat(study.root().at("/rungs/0").asInt()).isEqualTo(600);
    assertThat(question.clientWrapper(List.of(NOFILE))).containsExactly("prlimit", "--nofile=400:400");
    assertThat(question.clientWrapper(List.of(CLIENT))).containsExactly("prlimit", "--nofile=500:500");
    assertThat(QUESTION.clientWrapper(List.of(CLIENT))).isEmpty();
  }

  @Test
  void anotherQuestionHasAnotherFolder() {
    TryQuestion more = new TryQuestion("floor", 600, "5000/s", "10s", List.of("127.0.0.1"), List.of(NOFILE, PORTS));
    assertThat(QUESTION.folder("Linux 6.1")).startsWith("floor-600-").isEqualTo(QUESTION.folder("Linux 6.1"));
    assertThat(List.of(QUESTION.folder("Linux 6.2"), more.folder("Linux 6.1"))).doesNotContain(QUESTION.folder("Linux 6.1"));
  }
}
