package echoladder.harness.runbooks;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import echoladder.harness.runbooks.Page.Step;
import echoladder.needs.Need;
import echoladder.needs.Needs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The form of the runbooks, and how their output is compared; {@link RunbooksIT} executes them. */
final class RunbooksTest {
  private static final Path NOWHERE = Path.of("page.md");

  /** Commands that are shown and not executed: few, each for want of something that no build machine has. */
  private static final int MOST_NOT_RUN = 20;

  /** Up to the end of the command. */
  private static final Pattern REMOVAL = Pattern.compile("\\brm ([^;&|\n]*)");
  private static final Pattern VARIABLE = Pattern.compile("\\$(\\w+)");

  static List<Path> procedures() throws IOException {
    return RunbooksIT.pages("procedures");
  }

  static List<Path> symptoms() throws IOException {
    return RunbooksIT.pages("symptoms");
  }

  private static final Pattern FENCED = Pattern.compile("(?ms)^```.*?^```");

  @ParameterizedTest
  @MethodSource("procedures")
  void hasItsParts(Path procedure) throws IOException {
    String prose = FENCED.matcher(Files.readString(procedure)).replaceAll("");
    assertThat(prose.lines().filter(line -> line.startsWith("## ")).toList())
        .containsExactly("## Goal", "## Needs", "## Steps", "## You should see", "## Undo");
  }

  @ParameterizedTest
  @MethodSource("procedures")
  void theReadmeLeadsToIt(Path procedure) throws IOException {
    assertThat(Path.of("../runbooks/README.md")).content().contains("](procedures/" + procedure.getFileName() + ")");
  }

  @ParameterizedTest
  @MethodSource("symptoms")
  void showsRealOutput(Path symptom) throws IOException {
    Page page = Page.read(symptom);
    assertThat(page.steps().stream().anyMatch(step -> !step.output().isEmpty()) || !page.notRun().isEmpty())
        .as("%s has a command with its output", symptom.getFileName())
        .isTrue();
  }

  @Test
  void whatIsNotRunSaysWhyAndIsLittle() throws IOException {
    List<Path> pages = new ArrayList<>(procedures());
    pages.addAll(symptoms());
    int shown = 0;
    for (Path page : pages) {
      shown += notRun(page);
    }
    assertThat(shown).isBetween(1, MOST_NOT_RUN);
    assertThat(notRun(Path.of("../docs/FIRST-TEN-MINUTES.md"))).as("one without a JDK").isEqualTo(1);
  }

  private static int notRun(Path page) throws IOException {
    String text = Files.readString(page);
    assertThat(text.split("Not run by the build", -1)).as("%s", page).hasSize(text.split("```console not-run", -1).length);
    return Page.read(page).notRun().size();
  }

  /** Pages are followed in a checkout too: what they remove is what they made, never what a checkout or a shell has. */
  @ParameterizedTest
  @MethodSource({"procedures", "symptoms"})
  void removesNothingThatACheckoutHas(Path page) throws IOException {
    StringBuilder before = new StringBuilder();
    for (Step step : Page.read(page).steps()) {
      before.append(step.command()).append('\n');
      Matcher removal = REMOVAL.matcher(step.command());
      while (removal.find()) {
        assertThat(VARIABLE.matcher(removal.group(1)).results().map(name -> name.group(1)))
            .as("%s:%d: what a variable names that is removed, the page has set", page.getFileName(), step.line())
            .allMatch(name -> before.toString().matches("(?s).*\\b" + name + "=.*"));
        for (String word : removal.group(1).strip().split("\\s+", -1)) {
          boolean named = !word.startsWith("-") && !word.startsWith("/") && !word.contains("$");
          assertThat(named && Files.exists(Path.of("..", word)))
              .as("%s:%d removes %s", page.getFileName(), step.line(), word)
              .isFalse();
        }
      }
    }
  }

  /** How a command shows that it needs what is no program. */
  private static final Map<Need, String> SIGNS =
      Map.ofEntries(
          entry(Need.LINUX_UML, "ladder lab\\b"),
          entry(Need.SETPRIV, "ladder lab\\b|\\bsetpriv "),
          entry(Need.CONNTRACK, "\\bct state "),
          entry(Need.PYTHON, "\\bansible-playbook |\\bpython3 "),
          entry(Need.ANSIBLE_INVENTORY, " --hosts "),
          entry(Need.SSH, "namespaces\\.sh up\\b"),
          entry(Need.SSHD, "namespaces\\.sh up\\b"),
          entry(Need.VETH, "type veth\\b|network\\.\\w+=|namespaces\\.sh up\\b"),
          entry(Need.NETEM, "\\bnetem |network\\.\\w+="),
          entry(Need.MAVEN_REPOSITORY, "\\bmvn .*dependency-plugin"),
          entry(Need.CGROUP_PIDS, "/sys/fs/cgroup/pids\\b"),
          entry(Need.CGROUP_MEMORY, "/sys/fs/cgroup/memory\\b"));

  private static boolean uses(Page page, Need need) {
    String name = need.programs().isEmpty() ? "(?!)" : "(?<![\\w./-])" + Pattern.quote(need.programs().getFirst()) + " ";
    Pattern sign = Pattern.compile(SIGNS.getOrDefault(need, name));
    return page.steps().stream().anyMatch(step -> sign.matcher(step.command()).find());
  }

  @Test
  void aPageNamesWhatItNeeds() throws IOException {
    List<Need> ofAll = List.of(RunbooksIT.class.getAnnotation(Needs.class).value());
    List<Path> pages = new ArrayList<>(procedures());
    pages.addAll(symptoms());
    pages.add(Path.of("../runbooks/README.md"));
    int named = 0;
    for (Path file : pages) {
      Page page = Page.read(file);
      List<Need> used =
          Stream.of(Need.values()).filter(need -> !ofAll.contains(need) && uses(page, need)).toList();
      assertThat(page.needs()).as("the line 'Needs: ...' of %s", file).containsExactlyInAnyOrderElementsOf(used);
      named += used.size();
    }
    assertThat(named).isGreaterThan(20);
  }

  private static boolean same(String fence, List<String> expected, String output) {
    List<String> lines = new ArrayList<>(List.of(fence, "$ x"));
    lines.addAll(expected);
    lines.add("```");
    return Page.parse(NOWHERE, lines).steps().getFirst().pattern().matcher(output).matches();
  }

  @Test
  void aStaleOutputIsSeen() {
    assertThat(same("```console", List.of("a ...", "...", "c"), "a 1\nb\nc\n")).isTrue();
    assertThat(same("```console", List.of("a ...", "...", "c"), "a 1\nb\nd\n")).isFalse();
    assertThat(same("```console", List.of("a 1"), "a 2\n")).isFalse();
    assertThat(same("```console", List.of("a"), "")).isFalse();
    assertThat(same("```console", List.of(), "a\n")).isFalse();
    assertThat(same("```console", List.of("a  1 |b"), "a 1   |b  \n")).isTrue();
  }

  @Test
  void figuresVaryOnlyWhereThatIsSaid() {
    assertThat(same("```console figures-vary", List.of("p99 1.5 ms, 20 of 30"), "p99 870 µs, 7 of 1,000\n")).isTrue();
    assertThat(same("```console figures-vary", List.of("p99 1.5 ms"), "p50 870 µs\n")).isFalse();
    assertThat(same("```console figures-vary", List.of("p99 1.5 ms"), "p99 none\n")).isFalse();
    assertThat(same("```console figures-vary", List.of("late-sends: 5"), "unanswered: 5\n")).isFalse();
  }

  @Test
  void readsCommandsAcrossLinesAndLeavesWhatIsNotRun() {
    Page page =
        Page.parse(
            NOWHERE,
            List.of("```console not-run", "$ a", "out", "```", "```console", "$ b \\", "> c", "> d", "out", "$ e", "```", "> f"));
    assertThat(page.steps())
        .containsExactly(new Step(6, "b \\\nc\nd", List.of("out"), false), new Step(10, "e", List.of(), false));
    assertThat(page.notRun()).containsExactly("a");
    assertThatThrownBy(() -> Page.parse(NOWHERE, List.of("```console", "out"))).hasMessageContaining("page.md:2");
    assertThatThrownBy(() -> Page.parse(NOWHERE, List.of("```console maybe", "$ a"))).hasMessageContaining("unknown fence");
  }
}
