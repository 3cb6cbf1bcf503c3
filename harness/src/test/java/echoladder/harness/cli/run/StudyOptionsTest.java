package echoladder.harness.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.TestCheckout;
import echoladder.harness.common.Jdks;
import echoladder.harness.study.Study;
import echoladder.harness.study.StudyReader;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class StudyOptionsTest {
  private static final String STUDY =
      """
      name: s
      question: What does this study ask, exactly?
      servers: [fake, native]
      rungs: [2]
      load: {rate: {total: 100/s}}
      phases: {steady: 1s}
      """;

  @TempDir private Path dir;

  private static StudyOptions options(String... words) {
    return CommandLine.populateCommand(new StudyOptions(), words);
  }

  /** A home whose name would be two values of a list, were it not quoted. */
  @Test
  void jdksAreAnAxisOfServersOnAJvm() throws Exception {
    TestCheckout test = new TestCheckout(Files.createDirectories(dir.resolve("checkout"))).unmanaged("native").study("s", STUDY);
    Path other = dir.resolve("jdk, later");
    Path java = Files.createFile(Files.createDirectories(other.resolve("bin")).resolve("java"));
    assertThat(java.toFile().setExecutable(true)).isTrue();
    StudyOptions options = options("s", "--jdk", Jdks.own().toString(), "--jdk", other.toString(), "--set", "repeats=1");
    Study study = new StudyReader(test.checkout(), test.servers()).read("s", options.selection());
    assertThat(study.repeats()).isEqualTo(1);
    assertThat(study.servers()).extracting(Study.Entry::base).containsExactly("fake", "fake", "native");
    assertThat(study.servers()).extracting(Study.Entry::jdk).containsExactly(Jdks.own().toString(), other.toString(), null);
    assertThat(study.servers().get(1).label()).isEqualTo("fake-jdk-later");
    assertThat(options.selection().asOptions()).contains(" --set repeats=1", " --set 'axes.jdk=[\"" + Jdks.own() + "\", \"" + other + "\"]'");
    assertThat(options.ofClaims().asOptions()).isEqualTo(" --set repeats=1");
    assertThat(options.jdks()).containsExactly(Jdks.own(), other);
  }
}
