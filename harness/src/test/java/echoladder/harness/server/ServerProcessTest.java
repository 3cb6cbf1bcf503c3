package echoladder.harness.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import echoladder.harness.TestCheckout;
import echoladder.harness.common.Jdks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServerProcessTest {
  private static final Duration LONG = Duration.ofSeconds(30);

  @TempDir private Path dir;

  private ServerProcess start(String behaviour) throws IOException {
    ServerManifest fake = Objects.requireNonNull(new TestCheckout(dir).servers().get("fake"));
    List<String> argv = fake.argv(Jdks.java(), ServerSettings.DEFAULT.with(Map.of("behaviour", behaviour)));
    return ServerProcess.start(argv, dir.resolve("log"));
  }

  @Test
  void isReadyAndStops() throws Exception {
    try (ServerProcess server = start("good")) {
      ReadyLine ready = server.awaitReady(LONG);
      assertThat(ready.server()).isEqualTo("fake");
      assertThat(ready.pid()).isEqualTo(server.pid());
      assertThat(ready.port()).isPositive();
      assertThat(ready.config()).containsEntry("behaviour", "good").containsEntry("threads", null);
      assertThat(server.alive()).isTrue();
      assertThat(server.stop(LONG)).isNull();
      assertThat(server.ended().get(30, TimeUnit.SECONDS)).isEqualTo(143);
      assertThat(server.ending()).isEqualTo("was killed by signal 15");
    }
  }

  /** As of a server behind a launcher that prints its own pid, or one whose workers accept. */
  @Test
  void theProcessOfItsReadyLineHasToBeTheOneThatAccepts() throws Exception {
    try (ServerProcess server = start("good")) {
      ReadyLine ready = server.awaitServing(LONG);
      String line =
          "{\"ready\":true,\"server\":\"x\",\"pid\":'$$',\"host\":\"127.0.0.1\",\"port\":%d,\"metrics_port\":1,\"config\":{}}".formatted(ready.port());
      try (ServerProcess launcher = ServerProcess.start(List.of("sh", "-c", "echo '" + line + "'; sleep 60; :"), dir.resolve("other"))) {
        assertThatThrownBy(() -> launcher.awaitServing(LONG))
            .isInstanceOf(ServerNotReadyException.class)
            .hasMessageMatching("its ready line is wrong: process %d \\(sh\\) does not listen at 127.0.0.1:%d; process %d \\(java\\) does; .*"
                .formatted(launcher.pid(), ready.port(), server.pid()));
      }
    }
  }

  @Test
  void isKilledWhenItDoesNotStop() throws Exception {
    try (ServerProcess server = start("ignores-sigterm")) {
      server.awaitReady(LONG);
      assertThat(server.stop(Duration.ofMillis(500))).contains("did not end within").contains("was killed");
      assertThat(server.ended().get(30, TimeUnit.SECONDS)).isEqualTo(137);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "exits|30|the server ended with exit status 3 before its ready line; its log ends: fake: port 7 is in use",
        "babbles|30|its first line on stdout is no ready line: hello, I am a server",
        "endless-line|30|its first line on stdout has no end within 65,536 bytes, the bound of a ready line: xxxx",
        "foreign-pid|30|its ready line names pid 1, which is neither the process that was started",
        "blank-host|30|its ready line's host '' is no name and no address",
        "silent|1|no ready line within 1 s (bound server_start); its log log is empty",
      })
  void saysWhyItIsNotReady(String behaviour, int boundSeconds, String message) throws Exception {
    try (ServerProcess server = start(behaviour)) {
      assertThatThrownBy(() -> server.awaitReady(Duration.ofSeconds(boundSeconds)))
          .isInstanceOf(ServerNotReadyException.class)
          .hasMessageContaining(message);
    }
  }

  @Test
  void leavesTheFileOfACrashBesideItsLog() throws Exception {
    try (ServerProcess server = start("good")) {
      server.awaitReady(LONG);
      assertThat(new ProcessBuilder("sh", "-c", "kill -SEGV " + server.pid()).start().waitFor()).isZero();
      server.ended().get(30, TimeUnit.SECONDS);
      assertThat(dir.resolve("hs_err_pid" + server.pid() + ".log")).exists();
    }
  }

  @Test
  void aReadyLineOfADescendantIsTaken() throws Exception {
    ServerManifest fake = Objects.requireNonNull(new TestCheckout(dir).servers().get("fake"));
    String argv = String.join(" ", fake.argv(Jdks.java(), ServerSettings.DEFAULT).stream().map(a -> "'" + a + "'").toList());
    // A wrapper that does not exec.
    try (ServerProcess server = ServerProcess.start(List.of("sh", "-c", argv + "; exit 0"), dir.resolve("log"))) {
      assertThat(server.awaitReady(LONG).pid()).isNotEqualTo(server.pid());
    }
  }

  @Test
  void ofALogWithoutEndTheBeginningAndTheEndAreKept() throws Exception {
    Path log = dir.resolve("log");
    try (ServerProcess server = start("endless-log")) {
      server.awaitReady(LONG);
      // More than both parts together, so that something is left out.
      Awaitility.await().atMost(Duration.ofMinutes(2)).until(() -> server.tail().contains("line 100000"));
      assertThat(server.stop(LONG)).isNull();
    }
    assertThat(Files.size(log)).isBetween(2L << 20, (2L << 20) + 200);
    assertThat(Files.readString(log)).startsWith("line 0 ").contains(" bytes are left out here: ").contains("line 100000");
  }

  @Test
  void saysThatItCannotBeStartedAtAll() {
    assertThatThrownBy(() -> ServerProcess.start(List.of("/no/such/program"), dir.resolve("log")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("/no/such/program");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"ready\":true}",
        "{\"ready\":false,\"server\":\"x\",\"pid\":1,\"host\":\"h\",\"port\":1,\"metrics_port\":1,\"config\":{}}",
        "{\"ready\":true,\"server\":\"x\",\"pid\":1,\"host\":\"h\",\"port\":0,\"metrics_port\":1,\"config\":{}}",
        "{\"ready\":true,\"server\":\"x\",\"pid\":1,\"host\":\"h\",\"port\":1,\"metrics_port\":1,\"config\":{},\"a\":1}",
        "{\"ready\":true,\"server\":\"x\",\"pid\":1,\"host\":\"\",\"port\":1,\"metrics_port\":1,\"config\":{}}",
        "{\"ready\":true,\"server\":\"x\",\"pid\":1,\"host\":\" \",\"port\":1,\"metrics_port\":1,\"config\":{}}",
        "{\"ready\":true,\"server\":\"x\",\"pid\":1,\"host\":null,\"port\":1,\"metrics_port\":1,\"config\":{}}",
        "{\"ready\":true,\"server\":null,\"pid\":1,\"host\":\"h\",\"port\":1,\"metrics_port\":1,\"config\":{}}",
        "{\"ready\":true,\"server\":\"x\",\"pid\":1,\"host\":\"h\",\"port\":1,\"metrics_port\":1,\"config\":null}",
        "{\"ready\":true,\"server\":\"x\",\"pid\":1,\"host\":\"a b\",\"port\":1,\"metrics_port\":1,\"config\":{}}",
        "{\"ready\":true,\"server\":\"x\",\"pid\":1,\"host\":\"h/@evil\",\"port\":1,\"metrics_port\":1,\"config\":{}}",
        "null",
        "[]",
      })
  void refusesAnIncompleteReadyLine(String line) {
    assertThatThrownBy(() -> ReadyLine.parse(line)).isInstanceOf(IllegalArgumentException.class);
  }
}
