package echoladder.harness;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.needs.HiddenPrograms;
import echoladder.needs.Need;
import echoladder.needs.Needs;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
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
          Need.LINUX_UML, Need.CHROMIUM, Need.NFT, Need.TC, Need.STRACE, Need.SHELLCHECK, Need.TCPKALI, Need.WRK, Need.WRK2, Need.H2LOAD,
          Need.NODE, Need.GROFF, Need.CARGO, Need.PYTHON, Need.CC);

  /** With the tests of the modules that drive load tools of others, all of which the build has compiled. */
  private static final List<Path> TESTS =
      List.of(
          Path.of("target/test-classes").toAbsolutePath(),
          Path.of("../clients/h2load/target/test-classes").toAbsolutePath().normalize(),
          Path.of("../clients/tcpkali/target/test-classes").toAbsolutePath().normalize(),
          Path.of("../clients/wrk2/target/test-classes").toAbsolutePath().normalize());

  @TempDir static Path dir = Path.of("");

  @Test
  void allTogether() throws Exception {
    isSkipped(HiddenPrograms.without(List.of(OPTIONAL), dir, TESTS), OPTIONAL);
  }

  /** By one process: to find the tests takes most of its time. */
  @Nested
  @Tag("long")
  final class EachAlone {
    private static Map<Set<Need>, HiddenPrograms.Outcome> outcomes = Map.of();

    @BeforeAll
    static void hide() throws Exception {
      outcomes = HiddenPrograms.without(OPTIONAL.stream().map(Set::of).toList(), dir, TESTS);
    }

    @ParameterizedTest
    @FieldSource("echoladder.harness.HiddenProgramsIT#OPTIONAL")
    void whatNeedsItIsSkipped(Need hidden) {
      isSkipped(outcomes, Set.of(hidden));
    }
  }

  private static void isSkipped(Map<Set<Need>, HiddenPrograms.Outcome> outcomes, Set<Need> hidden) {
    assertThat(TESTS).allMatch(folder -> folder.toFile().isDirectory());
    HiddenPrograms.Outcome outcome = Objects.requireNonNull(outcomes.get(hidden));
    assertThat(outcome.status()).as(outcome.said()).isZero();
  }
}
