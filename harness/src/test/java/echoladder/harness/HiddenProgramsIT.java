package echoladder.harness;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.needs.HiddenPrograms;
import echoladder.needs.Need;
import echoladder.needs.Needs;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** On a machine without one of the optional programs, or without any, what needs it is skipped and nothing fails. */
@Needs({Need.UNSHARE, Need.MOUNT, Need.NAMESPACES})
final class HiddenProgramsIT {
  /** Those that nobody has without asking for them. */
  static final Set<Need> OPTIONAL =
      EnumSet.of(
          Need.LINUX_UML, Need.CHROMIUM, Need.NFT, Need.TC, Need.STRACE, Need.SHELLCHECK, Need.TCPKALI, Need.WRK, Need.WRK2);

  /** With the tests of the modules that drive the two load tools, of which the build has compiled both. */
  private static final List<Path> TESTS =
      List.of(
          Path.of("target/test-classes").toAbsolutePath(),
          Path.of("../clients/tcpkali/target/test-classes").toAbsolutePath().normalize(),
          Path.of("../clients/wrk2/target/test-classes").toAbsolutePath().normalize());

  @TempDir private Path dir = Path.of("");

  @ParameterizedTest
  @FieldSource("OPTIONAL")
  void whatNeedsItIsSkipped(Need hidden) throws Exception {
    isSkipped(EnumSet.of(hidden));
  }

  @Test
  void allTogether() throws Exception {
    isSkipped(EnumSet.copyOf(OPTIONAL));
  }

  private void isSkipped(Set<Need> hidden) throws Exception {
    assertThat(TESTS).allMatch(folder -> folder.toFile().isDirectory());
    HiddenPrograms.Outcome outcome = HiddenPrograms.without(hidden, dir, TESTS);
    assertThat(outcome.status()).as(outcome.said()).isZero();
  }
}
