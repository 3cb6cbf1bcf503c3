package echoladder.harness.tune;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The drop-ins of sysctl/limits/: copying one may lower no limit that a host has. */
final class LimitFilesTest {
  private static final Path LIMITS = Path.of("..", "sysctl", "limits").toAbsolutePath().normalize();

  /** The default of fs.nr_open, which no process's limit exceeds. */
  private static final long MOST_DESCRIPTORS = 1_048_576;

  private static final Pattern LOGIN = Pattern.compile("\\S+ +(?:soft|hard|-) +(\\w+) +(\\w+)");
  private static final Pattern UNIT = Pattern.compile("(\\w+)=(\\w+)");

  private static final Pattern REPLACED = Pattern.compile("regex_replace\\('([^']+)', '([^']+)' ~ echo_ladder_nofile\\)");

  private record Limit(String name, String value) {}

  static List<Path> files() throws IOException {
    try (Stream<Path> all = Files.walk(LIMITS)) {
      return all.filter(Files::isRegularFile).sorted().toList();
    }
  }

  private static List<Limit> limits(Path file) throws IOException {
    Pattern form = file.startsWith(LIMITS.resolve("limits.d")) ? LOGIN : UNIT;
    List<Limit> limits = new ArrayList<>();
    for (String line : Files.readAllLines(file)) {
      if (!line.isBlank() && !line.startsWith("#") && !line.startsWith("[")) {
        Matcher matcher = form.matcher(line);
        assertThat(matcher.matches()).as(file + ": " + line).isTrue();
        limits.add(new Limit(matcher.group(1), matcher.group(2)));
      }
    }
    assertThat(limits).as(file.toString()).isNotEmpty();
    return limits;
  }

  @ParameterizedTest
  @MethodSource("files")
  void copyingItLowersNothing(Path file) throws IOException {
    for (Limit limit : limits(file)) {
      switch (limit.name) {
        case "nofile", "LimitNOFILE" -> assertThat(Long.parseLong(limit.value)).isGreaterThanOrEqualTo(MOST_DESCRIPTORS);
        case "nproc" -> assertThat(limit.value).isEqualTo("unlimited");
        default -> assertThat(limit.value).as(limit.name).isEqualTo("infinity");
      }
    }
  }

  @ParameterizedTest
  @MethodSource("files")
  void threadsStandInFilesOfTheirOwn(Path file) throws IOException {
    boolean threads = file.getFileName().toString().endsWith("-threads.conf");
    assertThat(limits(file)).allMatch(limit -> limit.name.toLowerCase(Locale.ROOT).endsWith("nofile") != threads);
  }

  /** A playbook writes another number into the same file: a server has the soft one, unless it raises that. */
  @Test
  void thePlaybookSetsSoftAndHardLimit() throws IOException {
    Matcher replaced = REPLACED.matcher(Files.readString(Path.of("..", "deploy/roles/echo_ladder/tasks/descriptors.yml")));
    assertThat(replaced.find()).isTrue();
    String written =
        Files.readString(LIMITS.resolve("limits.d/90-echo-ladder.conf"))
            .replaceAll(replaced.group(1), replaced.group(2).replace('\\', '$') + "2000000");
    assertThat(written.lines().filter(line -> !line.startsWith("#") && !line.isBlank()))
        .containsExactly("*    soft nofile 2000000", "*    hard nofile 2000000", "root soft nofile 2000000", "root hard nofile 2000000");
  }
}
