package echoladder.servers.contract;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.Ladder;
import echoladder.harness.common.Checkout;
import echoladder.harness.common.Jdks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/**
 * What {@code ./ladder serve --new} writes, before the suite as {@code -Dcontract.server=NAME} asks for it: in a JVM of its own, by
 * the tests of echo and command line. The others say no more of this, as the program behind the file has them in every build.
 */
@Tag("long")
class NewServerIT {
  private static final Duration LONGEST = Duration.ofMinutes(5);

  @TempDir private Path home;

  /** Else JUnit, which leaves what they lead to, warns of them. */
  @AfterEach
  void removeLinks() throws IOException {
    Files.deleteIfExists(home.resolve("servers/contract-test"));
    Files.deleteIfExists(home.resolve("go-echo"));
  }

  /** What the suite said, and how it ended. */
  private record Said(int status, String text) {}

  private Path written() throws Exception {
    Path root = Checkout.find().root();
    Files.createDirectories(home.resolve("studies"));
    Files.createDirectories(home.resolve("servers"));
    Files.createSymbolicLink(home.resolve("servers/contract-test"), root.resolve("servers/contract-test"));
    Files.createSymbolicLink(home.resolve("go-echo"), root.resolve("go-echo"));
    Said said = java(Ladder.class, "serve", "--new", "mine");
    assertThat(said.status()).as(said.text()).isZero();
    return home.resolve("servers/mine/server.yaml");
  }

  private Said java(Class<?> main, String... arguments) throws IOException, InterruptedException {
    List<String> argv =
        new ArrayList<>(
            List.of(
                Jdks.java().toString(), "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "--enable-native-access=ALL-UNNAMED",
                "-D" + Checkout.PROPERTY + "=" + home, "-D" + Tested.ONLY + "=mine", "-Dbasedir=" + home,
                "-cp", System.getProperty("java.class.path"), main.getName()));
    argv.addAll(List.of(arguments));
    Path out = home.resolve("said");
    Process process = new ProcessBuilder(argv).redirectErrorStream(true).redirectOutput(out.toFile()).start();
    try {
      boolean ended = process.waitFor(LONGEST.toMillis(), TimeUnit.MILLISECONDS);
      assertThat(ended).as("%s did not end: %s", main, Files.readString(out)).isTrue();
      return new Said(process.exitValue(), Files.readString(out));
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }

  @Test
  void whatIsWrittenPassesAsItStands() throws Exception {
    written();
    Said said = java(Suite.class);
    assertThat(said.status()).as(said.text()).isZero();
    assertThat(said.text()).containsPattern("[1-9][0-9]* passed, 0 failed");
  }

  @Test
  void aProgramThatKeepsNothingOfTheContractIsToldSoInASentence() throws Exception {
    Path file = written();
    String yaml = Files.readString(file);
    Files.writeString(file, yaml.replaceFirst("(?m)^command: .*", "command: [sh, -c, 'echo it is not written yet >&2; exit 7']"));
    Said said = java(Suite.class);
    assertThat(said.status()).isEqualTo(1);
    assertThat(said.text()).contains("mine did not start: the server ended with exit status 7 before its ready line; its log ends: it is not written yet");
  }

  @Test
  void aProgramOfAnotherNameIsToldSo() throws Exception {
    Path file = written();
    Files.writeString(file, Files.readString(file).replace(", \"--server\", \"mine\"]", "]"));
    Said said = java(Suite.class);
    assertThat(said.status()).isEqualTo(1);
    assertThat(said.text()).contains("mine: its ready line and its page call it by the name of its folder", "\"go-echo\"", "\"mine\"");
  }

  /** The JVM's main: runs these tests against the server that it is told, and says what failed. */
  static final class Suite {
    private Suite() {}

    public static void main(String[] args) {
      SummaryGeneratingListener seen = new SummaryGeneratingListener();
      LauncherFactory.create()
          .execute(
              LauncherDiscoveryRequestBuilder.request()
                  .selectors(DiscoverySelectors.selectClass(EchoIT.class), DiscoverySelectors.selectClass(CommandLineIT.class))
                  .build(),
              seen);
      TestExecutionSummary summary = seen.getSummary();
      summary.getFailures().forEach(failure -> System.out.println(failure.getTestIdentifier().getDisplayName() + ": " + failure.getException().getMessage()));
      System.out.printf("%d passed, %d failed%n", summary.getTestsSucceededCount(), summary.getTotalFailureCount());
      System.exit(summary.getTotalFailureCount() == 0 ? 0 : 1);
    }
  }
}
