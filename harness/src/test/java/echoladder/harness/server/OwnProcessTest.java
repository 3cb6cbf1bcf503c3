package echoladder.harness.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import echoladder.client.HttpAsk;
import echoladder.client.Protocol;
import echoladder.harness.common.Refusal;
import echoladder.linux.process.ListeningSockets;
import echoladder.linux.process.ProcessTree;
import echoladder.needs.Need;
import echoladder.needs.Needs;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Commands that are no servers, and what is said of each. The port is this test's own, so that nobody else accepts there. */
class OwnProcessTest {
  private static final Duration LONG = Duration.ofSeconds(30);

  @TempDir private Path dir;
  private ServerSocket port;

  @BeforeEach
  void take() throws IOException {
    port = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
  }

  @AfterEach
  void giveBack() throws IOException {
    port.close();
  }

  private OwnServer own(String command) {
    return new OwnServer("own", command, null, port.getLocalPort(), Protocol.TCP, HttpAsk.ECHO);
  }

  private OwnProcess start(String command) throws IOException {
    return OwnProcess.start(own(command).argv(), dir.resolve("log"));
  }

  @Test
  void isReadyOnceItsPortAcceptsAndIsStoppedWithAllThatItStarted() throws Exception {
    try (OwnProcess server = start("sleep 60 & sleep 61 & echo out; echo err >&2; wait")) {
      server.awaitAccepting(own(""), LONG);
      Awaitility.await().atMost(LONG).until(() -> new ProcessTree(server.pid()).pids().size() == 3);
      List<ProcessHandle> all = new ProcessTree(server.pid()).handles().toList();
      assertThat(server.endedByItself(false)).isNull();
      assertThat(server.stop(LONG)).isNull();
      assertThat(all).noneMatch(ProcessTree::runs);
    }
    assertThat(dir.resolve("log")).content().contains("out", "err");
  }

  @Test
  void isKilledWhereItDoesNotHeedTheSignal() throws Exception {
    try (OwnProcess server = start("trap '' TERM; sleep 60; sleep 61")) {
      // Its shell heeds nothing from the moment on that it has started the first one.
      Awaitility.await().atMost(LONG).until(() -> new ProcessTree(server.pid()).pids().size() == 2);
      List<ProcessHandle> all = new ProcessTree(server.pid()).handles().toList();
      assertThat(server.stop(Duration.ofMillis(200))).contains("did not end within").contains("was killed");
      assertThat(all).noneMatch(ProcessTree::runs);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "echo no port; exit 3|the command ended with exit status 3 before anything accepted at 127.0.0.1:|its log ends: no port",
        "sleep 60|nothing accepted at 127.0.0.1:|within 1 s (bound server_start); its log log is empty; its processes listen at no TCP port: have it",
        "setsid sleep 60 &|the command ended with exit status 0 before anything accepted at|running, which was ended too: a server has to stay in the foreground",
      })
  void saysWhyItIsNotReady(String command, String first, String second) throws Exception {
    OwnServer closed = own(command);
    port.close();
    try (OwnProcess server = start(command)) {
      assertThatThrownBy(() -> server.awaitAccepting(closed, Duration.ofSeconds(1)))
          .isInstanceOf(ServerNotReadyException.class)
          .hasMessageContaining(first)
          .hasMessageContaining(second);
    }
  }

  @Test
  @Needs(Need.PYTHON)
  void oneThatListensElsewhereIsToldWhere() throws Exception {
    OwnServer closed = own("");
    port.close();
    try (OwnProcess server =
        start("exec /usr/bin/python3 -c \"import socket, time; s = socket.create_server(('::1', 0), family=socket.AF_INET6); time.sleep(60)\"")) {
      Awaitility.await().atMost(LONG).until(() -> !ListeningSockets.of(List.of(server.pid())).isEmpty());
      assertThatThrownBy(() -> server.awaitAccepting(closed, Duration.ofMillis(100)))
          .hasMessageContaining("its processes listen at [::1]:")
          .hasMessageContaining(": have it listen at " + closed.target() + ", or give another --port; see runbooks/procedures/your-own-server.md");
    }
  }

  @Test
  void aProgramThatGoesIntoTheBackgroundIsSaidAndEnded() throws Exception {
    Path pid = dir.resolve("pid");
    try (OwnProcess server = start("setsid sh -c 'echo $$ >" + pid + "; exec sleep 60' & sleep 0.1")) {
      assertThatThrownBy(() -> server.awaitAccepting(own(""), LONG))
          .hasMessageContaining("as soon as something accepted at")
          .hasMessageContaining("--own-pid PID");
    }
    long left = Long.parseLong(Files.readString(pid).trim());
    assertThat(ProcessHandle.of(left).filter(ProcessTree::runs)).isEmpty();
  }

  @Test
  void aCommandThatIsNotThereIsRefusedBeforeAnythingIsStarted() throws IOException {
    port.close();
    assertThatThrownBy(() -> own("A=1 no-such-program --x").look())
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("there is no command 'no-such-program': it is not on PATH");
    assertThatThrownBy(() -> own("./no-such-program").look()).hasMessageContaining("there is no command './no-such-program'");
    own("cd / && sleep 60").look();
    own("( sleep 60 )").look();
  }

  @Test
  void aPortThatIsTakenIsRefused() {
    assertThatThrownBy(() -> own("sleep 60").look())
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("port " + port.getLocalPort() + " is in use")
        .extracting(seen -> ((Refusal) seen).status())
        .isEqualTo(Refusal.CANNOT_RUN);
  }

  @Test
  void theFilesOfACommandAreFound() throws IOException {
    Path script = Files.writeString(dir.resolve("echo.py"), "");
    assertThat(own("cat -e '" + script + "' --port 9").files()).hasSize(2).first().asString().endsWith("/cat");
    assertThat(own("sh " + script).files()).last().isEqualTo(script.toString());
    assertThat(Objects.requireNonNull(own("sh").command())).isEqualTo("sh");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "cat x|exec cat x",
        "A=1 cat x|A=1 exec cat x",
        "cat x; cat y|cat x; cat y",
        "cd /|cd /",
        "exec cat x|exec cat x",
      })
  void oneProgramTakesThePlaceOfItsShell(String command, String run) {
    assertThat(own(command).argv()).containsExactly("setsid", "sh", "-c", run);
  }
}
