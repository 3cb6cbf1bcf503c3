package echoladder.openloop.command;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.LoadPlan;
import echoladder.openloop.ClientProcess;
import echoladder.openloop.LoadMain;
import echoladder.openloop.Measured;
import echoladder.openloop.testserver.Answering;
import echoladder.openloop.testserver.ClosedPort;
import echoladder.openloop.testserver.Fate;
import echoladder.openloop.testserver.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import tools.jackson.databind.json.JsonMapper;

/** {@code load} by a target alone, and where there is nobody to load. */
@Timeout(120)
class NobodyThereTest {
  @TempDir private Path folder = Path.of("");

  private record Ended(int status, String out, String err) {}

  private Ended load(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(ClientProcess.javaCommand());
    command.add(LoadMain.class.getName());
    command.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(folder.resolve("out").toFile())
            .redirectError(folder.resolve("err").toFile())
            .start();
    assertThat(process.waitFor(100, TimeUnit.SECONDS)).isTrue();
    return new Ended(process.exitValue(), Files.readString(folder.resolve("out")), Files.readString(folder.resolve("err")));
  }

  /** No load is "not carried" where there is nobody to carry it. */
  @Test
  void whereNothingAcceptsItEndsWithThreeAndNamesTheError() throws Exception {
    try (ClosedPort port = new ClosedPort()) {
      Ended nobody = load("--target", port.target().toString(), "--json");
      assertThat(nobody.status).as(nobody.err).isEqualTo(3);
      assertThat(nobody.out).isEmpty();
      assertThat(nobody.err)
          .contains("load: no connection could be made to " + port.target() + ": ")
          .contains(" x connect ECONNREFUSED", "(nothing listens there)", "runbooks/symptoms/connections-missing.md")
          .doesNotContain("saturated", "not carried");
    }
    try (TestServer server = TestServer.start(Measured.MESSAGE_BYTES, Answering.atOnce())) {
      Ended elsewhere = load("--target", server.target().toString(), "--connections", "50", "--source-address", "192.0.2.77");
      assertThat(elsewhere.status).as(elsewhere.err).isEqualTo(3);
      assertThat(elsewhere.err)
          .contains("50 x bind EADDRNOTAVAIL (the source address is no address of this host)", "symptoms/client-call-failed.md")
          .doesNotContain("saturated", "not carried");
    }
  }

  /** A server that takes connections is loaded, and what it does is its result. */
  @Test
  void aServerThatAcceptsAndSaysNothingIsAResult() throws Exception {
    try (TestServer server = TestServer.start(Measured.MESSAGE_BYTES, new Fate.NeverRead())) {
      Ended silent = load("--target", server.target().toString(), "--json", "--connect-timeout", "1s");
      assertThat(silent.status).as(silent.err).isEqualTo(1);
      assertThat(JsonMapper.shared().readTree(silent.out).get("connections_established").intValue()).isZero();
    }
  }

  @Test
  void aTargetAloneIsEnough() {
    LoadOptions options = new LoadOptions();
    new CommandLine(options).parseArgs("--target", "127.0.0.1:9");
    LoadPlan plan = options.plan();
    assertThat(plan.connections()).isEqualTo(100);
    assertThat(plan.ratePerSecond()).isEqualTo(1_000);
    assertThat(plan.steady()).isEqualTo(Duration.ofSeconds(10));
  }
}
