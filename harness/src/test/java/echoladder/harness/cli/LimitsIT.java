package echoladder.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.common.Checkout;
import echoladder.harness.common.Jdks;
import echoladder.needs.Need;
import echoladder.needs.Needs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The study {@code limits} at a few thousand connections: limits that only a kernel of one's own can have lowered. */
@Tag("long")
class LimitsIT {
  private static final Path HOME = Path.of("..").toAbsolutePath().normalize();

  @TempDir private Path dir;

  @Needs({Need.LINUX_UML, Need.INSMOD, Need.BASH, Need.IP, Need.MOUNT, Need.SETPRIV, Need.UNSHARE, Need.NOT_A_LAB})
  @Test
  void aLimitIsNamedByTheVerdictAndByTheDoctor() throws InterruptedException {
    namedRightly("file-max", "1 of 1 limits were named rightly");
  }

  @Needs({Need.LINUX_UML, Need.INSMOD, Need.BASH, Need.IP, Need.MOUNT, Need.SETPRIV, Need.UNSHARE, Need.NOT_A_LAB})
  @Test
  @Tag("long")
  void twoMoreLimitsAreNamedByTheVerdictAndByTheDoctor() throws InterruptedException {
    namedRightly("nr-open,epoll-watches", "2 of 2 limits were named rightly");
  }

  private void namedRightly(String servers, String said) throws InterruptedException {
    List<String> inside =
        List.of(
            Jdks.java().toString(), "-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED",
            "-D" + Checkout.PROPERTY + "=" + HOME, "-cp", System.getProperty("java.class.path"),
            "echoladder.harness.Ladder", "run", "limits", "--servers", servers, "--set",
            "rungs=[3000]", "--set", "phases.connect_timeout=15s", "--results", dir.toString());
    List<String> lab = List.of("lab", "--memory", "2G", "--timeout", "20m", "--");
    try (LadderProcess ladder =
        LadderProcess.start(HOME, dir, Stream.concat(lab.stream(), inside.stream()).toArray(String[]::new))) {
      assertThat(ladder.status()).as("%s%n%s", ladder.out(), ladder.err()).isZero();
      assertThat(ladder.out()).contains(said);
    }
  }

  /** What would be lowered for others too is refused before anything is started. */
  @Needs(Need.NOT_A_LAB)
  @Test
  void settingsOfTheWholeKernelAreRefusedWhereItIsOthersToo() throws Exception {
    Path study =
        Files.writeString(
            dir.resolve("study.yaml"),
            """
            name: lowers
            question: What does this study set for others?
            servers: [{name: floor, settings: {sysctl: {fs.file-max: 5000}}}]
            rungs: [10]
            repeats: 1
            load: {rate: {total: 10/s}}
            phases: {steady: 1s}
            """);
    try (LadderProcess ladder =
        LadderProcess.start(HOME, dir, "run", study.toString(), "--results", dir.resolve("results").toString())) {
      assertThat(ladder.status()).isEqualTo(3);
      assertThat(ladder.err()).contains("fs.file-max").contains("./ladder lab -- ./ladder run");
      assertThat(dir.resolve("results")).doesNotExist();
    }
  }
}
