package echoladder.harness.runbooks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import echoladder.harness.Ladder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs the blocks of the procedures that are fenced as {@code console}: after {@code $} a command, then its output, in
 * which {@code ...} is anything, also a run of lines where it stands alone. Those marked not-run are shown only.
 */
final class RunbooksTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  private record Step(String command, List<String> output) {}

  static List<Path> procedures() throws IOException {
    try (Stream<Path> files = Files.list(ROOT.resolve("runbooks/procedures"))) {
      return files.sorted().toList();
    }
  }

  private static List<Step> steps(List<String> lines) {
    List<Step> steps = new ArrayList<>();
    boolean inside = false;
    for (String line : lines) {
      if (line.startsWith("```")) {
        inside = line.trim().equals("```console");
      } else if (inside && line.startsWith("$ ")) {
        steps.add(new Step(line.substring(2), new ArrayList<>()));
      } else if (inside) {
        steps.getLast().output().add(line);
      }
    }
    return steps;
  }

  private static Pattern pattern(List<String> output) {
    StringBuilder pattern = new StringBuilder();
    for (String line : output) {
      if (line.equals("...")) {
        pattern.append("(?:.*\n)*?");
      } else {
        String[] parts = line.split(Pattern.quote("..."), -1);
        for (int i = 0; i < parts.length; i++) {
          pattern.append(i == 0 ? "" : ".*").append(Pattern.quote(parts[i]));
        }
        pattern.append(" *\n");
      }
    }
    return Pattern.compile(pattern.toString());
  }

  private static String run(Path dir, String command) throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder("bash", "-c", command).directory(dir.toFile()).redirectErrorStream(true);
    builder.environment().put("XDG_STATE_HOME", dir.resolve("state").toString());
    Process process = builder.start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(2, TimeUnit.MINUTES)).as(command).isTrue();
    return said;
  }

  /** A folder whose ./ladder runs the classes under test on this checkout instead of building it. */
  private static void checkout(Path dir) throws IOException {
    Path ladder =
        Files.writeString(
            dir.resolve("ladder"),
            """
            #!/usr/bin/env bash
            exec '%s/bin/java' -XX:+UseSerialGC -XX:TieredStopAtLevel=1 --enable-native-access=ALL-UNNAMED \\
              -Decholadder.home='%s' -Decholadder.nofile.soft="$(ulimit -Sn)" -Decholadder.nofile.hard="$(ulimit -Hn)" \\
              -cp '%s' %s "$@"
            """
                .formatted(
                    System.getProperty("java.home"), ROOT, System.getProperty("java.class.path"), Ladder.class.getName()));
    assertThat(ladder.toFile().setExecutable(true)).isTrue();
  }

  @ParameterizedTest
  @MethodSource("procedures")
  void doesWhatItSays(Path procedure, @TempDir Path dir) throws Exception {
    // The steps use one fixed name, as readers do.
    List<Step> steps = steps(Files.readAllLines(procedure));
    boolean namespaces = steps.stream().anyMatch(step -> step.command().startsWith("ip netns"));
    if (namespaces) {
      String probe = "echo-ladder-p-" + ProcessHandle.current().pid();
      String made = run(dir, "ip netns add " + probe + " && ip netns del " + probe);
      assumeTrue(made.isEmpty(), "no network namespace can be made here: " + made);
    }
    checkout(dir);
    try {
      for (Step step : steps) {
        // Another run of this test on the same host must not meet this one's namespace.
        String command = step.command().replace(" trial", " trial-" + ProcessHandle.current().pid());
        assertThat(run(dir, command)).as("%s: $ %s", procedure.getFileName(), command).matches(pattern(step.output()));
      }
    } finally {
      if (namespaces) {
        run(dir, "ip netns del trial-" + ProcessHandle.current().pid());
      }
    }
  }

  @ParameterizedTest
  @MethodSource("procedures")
  void hasItsParts(Path procedure) throws IOException {
    assertThat(Files.readAllLines(procedure).stream().filter(line -> line.startsWith("## ")).toList())
        .containsExactly("## Goal", "## Needs", "## Steps", "## You should see", "## Undo");
  }

  @Test
  void aStaleOutputIsSeen() {
    assertThat("a 1\nb\nc\n").matches(pattern(List.of("a ...", "...", "c")));
    assertThat("a 1\nb\nd\n").doesNotMatch(pattern(List.of("a ...", "...", "c")));
    assertThat("a 1\n").doesNotMatch(pattern(List.of("a 2")));
    assertThat("").doesNotMatch(pattern(List.of("a")));
    assertThat("a\n").doesNotMatch(pattern(List.of()));
    assertThat(steps(List.of("```console not-run", "$ a", "```", "```console", "$ b", "out", "```")))
        .containsExactly(new Step("b", List.of("out")));
  }
}
