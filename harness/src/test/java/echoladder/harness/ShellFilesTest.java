package echoladder.harness;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.needs.Need;
import echoladder.needs.Needs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every file of a shell that is ours: short, and without what shellcheck warns of. */
final class ShellFilesTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final int MOST_LINES = 100;

  /** Those of the folders that have any, known by their first line or by their ending. */
  private static List<Path> files() throws IOException {
    List<Path> found = new ArrayList<>();
    for (String folder : List.of("", ".ci", "deploy", "go-echo", "harness/src/main", "fuzz", "harness/src/test", "servers", "sysctl", "test-support")) {
      try (Stream<Path> all = Files.walk(ROOT.resolve(folder), List.of("", "deploy", "fuzz", "servers").contains(folder) ? 1 : 12)) {
        all.filter(Files::isRegularFile).filter(ShellFilesTest::isShell).forEach(found::add);
      }
    }
    return found;
  }

  private static boolean isShell(Path file) {
    try (Stream<String> lines = Files.lines(file, StandardCharsets.ISO_8859_1)) {
      String first = lines.findFirst().orElse("");
      return file.toString().endsWith(".sh") || first.matches("#!/(usr/bin/env |bin/)(ba)?sh");
    } catch (IOException e) {
      throw new IllegalStateException(file.toString(), e);
    }
  }

  @Test
  void areShort() throws IOException {
    assertThat(files()).hasSizeGreaterThanOrEqualTo(6);
    for (Path file : files()) {
      assertThat(Files.readAllLines(file)).as("%s", file).hasSizeLessThan(MOST_LINES);
    }
  }

  @Needs(Need.SHELLCHECK)
  @Test
  void shellcheckFindsNothing() throws Exception {
    List<String> argv = new ArrayList<>(List.of("shellcheck"));
    files().forEach(file -> argv.add(file.toString()));
    Process shellcheck = new ProcessBuilder(argv).redirectErrorStream(true).start();
    String said = new String(shellcheck.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(shellcheck.waitFor()).as(said).isZero();
  }
}
