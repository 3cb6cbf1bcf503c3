package echoladder.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.TestCheckout;
import echoladder.linux.process.CpuAffinity;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code ./ladder serve} passes on between its user and the server; each a process of its own. */
class ServeIT {
  @TempDir private static Path home;
  @TempDir private Path logs;

  @BeforeAll
  static void checkout() {
    var _ = new TestCheckout(home);
  }

  private LadderProcess ladder(String... arguments) {
    return LadderProcess.start(home, logs, arguments);
  }

  @Test
  void serveListsTheServers() throws InterruptedException {
    try (LadderProcess ladder = ladder("serve")) {
      assertThat(ladder.status()).isZero();
      assertThat(ladder.out()).contains("fake", "The fake server", "--behaviour, --level");
    }
  }

  @Test
  void serveKeepsAServerToItsProcessors() throws Exception {
    try (LadderProcess ladder = ladder("serve", "fake", "--cpus", "8000")) {
      assertThat(ladder.status()).isEqualTo(2);
      assertThat(ladder.err()).contains("--cpus 8000: not all of them are there; this process may run on ");
    }
    int last = Objects.requireNonNull(CpuAffinity.of(ProcessHandle.current().pid())).stream().max().orElseThrow();
    try (LadderProcess ladder = ladder("serve", "fake", "--cpus", Integer.toString(last))) {
      Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> ladder.out().contains("\"ready\":true"));
      assertThat(CpuAffinity.of(ladder.descendant("FakeServer").pid())).hasToString(Integer.toString(last));
    }
  }

  @Test
  void servePassesOptionsExitStatusAndSignalsThrough() throws Exception {
    try (LadderProcess ladder = ladder("serve", "fake", "--behaviour", "exits")) {
      assertThat(ladder.status()).isEqualTo(3);
      assertThat(ladder.err()).contains("fake: port 7 is in use");
    }
    try (LadderProcess ladder = ladder("serve", "fake")) {
      // The fake one ends when its stdin does; it inherits that of the test, which stays.
      Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> ladder.out().contains("\"ready\":true"));
      ProcessHandle server = ladder.descendant("FakeServer");
      ladder.signal("TERM");
      assertThat(ladder.status()).isEqualTo(143);
      assertThat(server.isAlive()).isFalse();
    }
  }

  /** What a server prints may be a stranger's words, and a terminal would obey them. */
  @Test
  void whatAServerPrintsReachesNoTerminalAsItIs() throws Exception {
    Path other = Files.createDirectory(logs.resolve("checkout"));
    new TestCheckout(other)
        .write(
            "servers/loud/server.yaml",
            """
            name: loud
            title: One that prints what a stranger says
            protocol: tcp
            role: contender
            runtime: native
            command: [sh, -c, 'printf "out \\033[2J\\007 end\\n"; printf "err \\033]0;mine\\007 end\\n" >&2; exit 4', "{dir}"]
            """);
    try (LadderProcess ladder = LadderProcess.start(other, logs, "serve", "loud")) {
      assertThat(ladder.status()).as(ladder.err()).isEqualTo(4);
      assertThat(ladder.out()).contains("out ", "[2J", " end").doesNotContain("\033", "\007");
      assertThat(ladder.err()).contains("err ", "]0;mine", " end").doesNotContain("\033", "\007");
    }
  }
}
