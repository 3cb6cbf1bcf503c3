package echoladder.harness.runbooks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import echoladder.harness.runbooks.Page.Step;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Executes the runbooks: every command with its output, those of symptoms in the shell of runbooks/README.md. Several at a
 * time, as each has a network and processes of its own and mostly waits.
 */
@Execution(ExecutionMode.CONCURRENT)
final class RunbooksIT {
  private static final Path RUNBOOKS = Path.of("../runbooks").toAbsolutePath().normalize();

  /** What not every host has; a page that uses one of them is skipped where it is missing. */
  private static final List<String> TOOLS =
      List.of("ip", "tc", "ss", "nstat", "sysctl", "strace", "curl", "nft", "pgrep", "awk", "java", "linux.uml");

  private static final Path GROUPS = Path.of("/sys/fs/cgroup");

  @BeforeAll
  static void namespaces() throws Exception {
    String missing = Shell.missing();
    assumeTrue(missing.isEmpty(), missing);
  }

  static List<Path> procedures() throws IOException {
    return pages("procedures");
  }

  /** Those that have something to execute. */
  static List<Path> symptoms() throws IOException {
    List<Path> symptoms = new ArrayList<>();
    for (Path page : pages("symptoms")) {
      if (!Page.read(page).steps().isEmpty()) {
        symptoms.add(page);
      }
    }
    return symptoms;
  }

  static List<Path> pages(String kind) throws IOException {
    try (Stream<Path> files = Files.list(RUNBOOKS.resolve(kind))) {
      return files.sorted().toList();
    }
  }

  @ParameterizedTest
  @MethodSource("procedures")
  void procedureDoesWhatItSays(Path file, @TempDir Path dir) throws Exception {
    Page page = Page.read(file);
    assumeTools(page);
    try (Shell shell = Shell.in(dir, false)) {
      follow(page, page.steps(), shell);
    }
  }

  @ParameterizedTest
  @MethodSource("symptoms")
  void symptomShowsAsItSays(Path file, @TempDir Path dir) throws Exception {
    Page page = Page.read(file);
    assumeTools(page);
    try (Shell shell = Shell.in(dir, true)) {
      prepare(shell);
      follow(page, page.steps(), shell);
    }
  }

  /** What runbooks/README.md has its readers do before they try a symptom. */
  private static void prepare(Shell shell) throws IOException {
    Page readme = Page.read(RUNBOOKS.resolve("README.md"));
    assertThat(readme.steps()).isNotEmpty();
    follow(readme, readme.steps(), shell);
  }

  private static void follow(Page page, List<Step> steps, Shell shell) throws IOException {
    for (Step step : steps) {
      assertThat(shell.run(step.command()))
          .as("%s:%d: $ %s", page.file().getFileName(), step.line(), step.command())
          .matches(step.pattern());
    }
  }

  private static void assumeTools(Page page) throws IOException {
    Path name = page.file().getFileName();
    for (String tool : TOOLS) {
      boolean there =
          Arrays.stream(System.getenv("PATH").split(File.pathSeparator, -1))
              .anyMatch(folder -> Files.isExecutable(Path.of(folder, tool)));
      assumeTrue(there || !uses(page, "\\b" + tool + " "), name + " uses " + tool + ", which is not installed here");
    }
    for (String controller : List.of("pids", "memory")) {
      assumeTrue(
          groups(controller) || !uses(page, GROUPS + "/" + controller + "\\b"),
          name + " makes a control group of " + controller + ", which cannot be done here");
    }
    assumeTrue(
        Files.exists(Path.of("/proc/sys/net/netfilter/nf_conntrack_max")) || !uses(page, "\\bct state "),
        name + " has connections tracked, and nf_conntrack is not loaded here");
  }

  private static boolean uses(Page page, String pattern) {
    Pattern used = Pattern.compile(pattern);
    return page.steps().stream().anyMatch(step -> used.matcher(step.command()).find());
  }

  /** Whether groups of a controller can be made, by its own hierarchy or in the unified one. */
  private static boolean groups(String controller) throws IOException {
    Path unified = GROUPS.resolve("cgroup.subtree_control");
    return Files.isWritable(GROUPS.resolve(controller))
        || (Files.isWritable(unified) && List.of(Files.readString(unified).strip().split(" ", -1)).contains(controller));
  }

  /** The test of this test: a page that went stale, by a command or by an output, is seen. */
  @Test
  void aStalePageIsSeen(@TempDir Path dir) throws Exception {
    Page good = Page.parse(Path.of("good"), List.of("```console", "$ ./ladder plan smoke | head -n 1", "study: smoke", "```"));
    Page output = Page.parse(Path.of("output"), List.of("```console", "$ ./ladder plan smoke | head -n 1", "study: quick", "```"));
    Page command = Page.parse(Path.of("command"), List.of("```console", "$ ./ladder plans smoke | head -n 1", "study: smoke", "```"));
    try (Shell shell = Shell.in(dir, false)) {
      follow(good, good.steps(), shell);
      assertThat(shell.run(output.steps().getFirst().command())).doesNotMatch(output.steps().getFirst().pattern());
      assertThat(shell.run(command.steps().getFirst().command())).doesNotMatch(command.steps().getFirst().pattern());
    }
  }
}
