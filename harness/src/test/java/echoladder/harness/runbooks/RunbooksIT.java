package echoladder.harness.runbooks;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.runbooks.Page.Step;
import echoladder.needs.Lacks;
import echoladder.needs.Need;
import echoladder.needs.Needs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
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
@Order(2)
@Needs(
    value = {Need.UNSHARE, Need.NAMESPACES, Need.BASH, Need.MOUNT, Need.IP},
    more = true)
@Execution(ExecutionMode.CONCURRENT)
final class RunbooksIT {
  private static final Path RUNBOOKS = Path.of("../runbooks").toAbsolutePath().normalize();

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
  @Tag("long")
  void procedureDoesWhatItSays(Path file, @TempDir Path dir) throws Exception {
    Page page = Page.read(file);
    Lacks.skip(page.needs());
    List<Path> others = page.steps().stream().anyMatch(step -> step.command().contains("results/reference")) ? othersResults(dir) : List.of();
    try (Shell shell = Shell.in(dir, false)) {
      follow(page, page.steps(), shell);
    }
    assertThat(others).as("what was there before %s was followed, and undone", file.getFileName()).allMatch(Files::isRegularFile);
  }

  /** Runs that lay where the page puts its own: of the same study and of another one. */
  private static List<Path> othersResults(Path dir) throws IOException {
    List<Path> others = new ArrayList<>();
    for (String folder : List.of("results/try", "results/reference/try", "results/reference/other")) {
      Path run = Files.createDirectories(dir.resolve(folder).resolve("19990101T000000Z"));
      others.add(Files.writeString(run.resolve("note"), "of somebody else\n"));
    }
    return others;
  }

  @ParameterizedTest
  @MethodSource("symptoms")
  @Tag("long")
  void symptomShowsAsItSays(Path file, @TempDir Path dir) throws Exception {
    Page page = Page.read(file);
    Lacks.skip(page.needs());
    try (Shell shell = Shell.in(dir, true)) {
      prepare(shell);
      follow(page, page.steps(), shell);
    }
  }

  @Test
  void theFirstTenMinutesAreAsTheirPageSays(@TempDir Path dir) throws Exception {
    Page page = Page.read(RUNBOOKS.resolveSibling("docs/FIRST-TEN-MINUTES.md"));
    assertThat(page.steps()).hasSizeGreaterThan(5);
    try (Shell shell = Shell.in(dir, true)) {
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
