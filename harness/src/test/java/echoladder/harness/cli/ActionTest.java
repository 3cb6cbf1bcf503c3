package echoladder.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.common.Checkout;
import echoladder.needs.Need;
import echoladder.needs.Needs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** The steps of action.yml, executed as a code host does, with a ladder that records how it was called. */
@Needs(Need.BASH)
class ActionTest {
  private static final Path ROOT = Checkout.find().root();
  private static final Pattern EXPRESSION = Pattern.compile("\\$\\{\\{ *(.*?) *}}");

  @TempDir private Path dir;
  private Path change;
  private Path temp;
  private JsonNode action;

  /** A repository with a base branch, cloned with a change on it, as a workflow checks it out. */
  @BeforeEach
  void checkOut() throws Exception {
    action = new YAMLMapper().readTree(Files.readString(ROOT.resolve("action.yml")));
    Path origin = Files.createDirectory(dir.resolve("origin"));
    temp = Files.createDirectory(dir.resolve("temp"));
    change = dir.resolve("a change");
    bash(
        dir,
        """
        cd origin && git init -q -b main && echo base >server.txt && git add . && git -c user.name=x -c user.email=x@y commit -qm base
        cd .. && git clone -q "file://$PWD/origin" 'a change' && cd 'a change' && echo change >server.txt
        """,
        Map.of());
    Path ladder = Files.writeString(
        Files.createDirectory(dir.resolve("action")).resolve("ladder"),
        """
        #!/usr/bin/env bash
        printf '%%s\\n' "$@" >"%s/arguments"
        mkdir -p "$RUNNER_TEMP/echo-ladder-results/a-or-b/RUN-ID"
        echo 'B takes 1.02 times'
        exit "$(cat "%s/ends" 2>/dev/null || echo 0)"
        """
            .formatted(dir, dir));
    assertThat(ladder.toFile().setExecutable(true)).isTrue();
    assertThat(origin).isDirectory();
  }

  /** What a script ended with, and printed. */
  private record Ended(int status, String said) {}

  private static Ended bash(Path in, String script, Map<String, String> variables) throws IOException, InterruptedException {
    // As shell: bash of an action.
    ProcessBuilder builder = new ProcessBuilder("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script)
        .directory(in.toFile()).redirectErrorStream(true);
    builder.environment().putAll(variables);
    Process process = builder.start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Ended(process.waitFor(), said);
  }

  /** Runs every script of the action, until one fails, with these inputs. */
  private Ended run(Map<String, String> inputs) throws IOException, InterruptedException {
    Ended ended = new Ended(0, "");
    for (JsonNode step : action.at("/runs/steps").valueStream().filter(step -> step.has("run")).toList()) {
      if (ended.status == 0) {
        Map<String, String> variables = new HashMap<>(Map.of(
            "GITHUB_WORKSPACE", change.toString(), "RUNNER_TEMP", temp.toString(), "GITHUB_OUTPUT", dir.resolve("output").toString(),
            "GITHUB_STEP_SUMMARY", dir.resolve("summary").toString()));
        for (Map.Entry<String, JsonNode> variable : step.path("env").properties()) {
          variables.put(variable.getKey(), value(variable.getValue().asString(), inputs));
        }
        assertThat(step.get("run").asString()).as("inputs reach a script as variables, as they may hold anything").doesNotContain("${{");
        ended = bash(dir, step.get("run").asString(), variables);
      }
    }
    return ended;
  }

  private String value(String text, Map<String, String> inputs) {
    Matcher expression = EXPRESSION.matcher(text);
    return expression.replaceAll(
        found -> Matcher.quoteReplacement(
            Stream.of(found.group(1).split(" *\\|\\| *", -1))
                .map(part -> part.startsWith("inputs.") ? input(part.substring(7), inputs)
                    : Map.of("github.base_ref", "main", "github.action_path", dir.resolve("action").toString()).getOrDefault(part, ""))
                .filter(part -> !part.isEmpty()).findFirst().orElse("")));
  }

  private String input(String name, Map<String, String> inputs) {
    JsonNode declared = action.get("inputs").get(name);
    assertThat(declared).as("input %s", name).isNotNull();
    return inputs.getOrDefault(name, declared.path("default").asString(""));
  }

  private List<String> arguments() throws IOException {
    return Files.readAllLines(dir.resolve("arguments"));
  }

  @Test
  void bothVersionsAreBuiltAndComparedByOneCommand() throws Exception {
    Ended ended = run(Map.of(
        "build", "cp server.txt built.txt", "start", "MODE=x ./server 9000", "port", "9000", "options", "--set 'rungs=[100]'",
        "fail-if", "B/A server_cpu_us_per_echo > 1.10\n\nB server_time_p99_ns > 20ms\n"));
    assertThat(ended.status()).as(ended.said()).isZero();
    assertThat(temp.resolve("echo-ladder-base/built.txt")).hasContent("base");
    assertThat(change.resolve("built.txt")).hasContent("change");
    assertThat(arguments()).containsExactly(
        "run", "--own", "A=cd '%s/echo-ladder-base' && exec env MODE=x ./server 9000".formatted(temp), "--own",
        "B=cd '%s' && exec env MODE=x ./server 9000".formatted(change), "--port", "9000", "--protocol", "tcp", "--results",
        temp.resolve("echo-ladder-results").toString(), "--fail-if", "B/A server_cpu_us_per_echo > 1.10", "--fail-if",
        "B server_time_p99_ns > 20ms", "--set", "rungs=[100]");
    PageCommandsTest.isTaken(arguments());
    assertThat(dir.resolve("summary")).content().contains("B takes 1.02 times");
    assertThat(Files.readAllLines(dir.resolve("output")))
        .containsExactly("status=0", "report=" + temp.resolve("echo-ladder-results/a-or-b/RUN-ID"));
  }

  @ParameterizedTest
  @CsvSource({"0, fail, 0", "1, fail, 1", "1, warn, 1", "3, warn, 3", "4, fail, 4", "4, warn, 0"})
  void theStatusOfTheRunIsTheJobs(int ladder, String unsure, int job) throws Exception {
    Files.writeString(dir.resolve("ends"), "" + ladder);
    Ended ended = run(Map.of("start", "./server", "port", "9000", "when-unsure", unsure));
    assertThat(ended.status()).as(ended.said()).isEqualTo(job);
    assertThat(Files.readString(dir.resolve("output"))).contains("status=" + ladder + "\n");
    assertThat(ended.said().contains("::warning::")).isEqualTo(ladder == 4 && job == 0);
  }

  /** Such a runner has its clone, which knows the last job's base, and an empty RUNNER_TEMP. */
  @Test
  void aRunnerThatIsKeptComparesAgain() throws Exception {
    Map<String, String> inputs = Map.of("start", "./server", "port", "9000");
    assertThat(run(inputs).status()).isZero();
    bash(dir, "rm -rf temp && mkdir temp", Map.of());
    Ended next = run(inputs);
    assertThat(next.status()).as(next.said()).isZero();
    assertThat(temp.resolve("echo-ladder-base/server.txt")).hasContent("base");
  }

  @Test
  void anotherWordForWhenUnsureIsAnError() throws Exception {
    Ended ended = run(Map.of("start", "./server", "port", "9000", "when-unsure", "ignore"));
    assertThat(ended.status()).isEqualTo(2);
    assertThat(ended.said()).contains("::error::when-unsure is 'ignore', and not fail or warn");
  }

  /** What the page shows is what the action takes. */
  @Test
  void theWorkflowOfThePageHasInputsOfTheAction() throws IOException {
    String page = Files.readString(ROOT.resolve("docs/regression-guard.md"));
    JsonNode workflow = new YAMLMapper().readTree(page.substring(page.indexOf("```yaml\n") + 8, page.lastIndexOf("```")));
    JsonNode used = workflow.at("/jobs/compare/steps").valueStream()
        .filter(step -> step.path("uses").asString("").equals("OWNER/echo-ladder@TAG")).findFirst().orElseThrow().get("with");
    List<String> known = new ArrayList<>();
    List<String> required = new ArrayList<>();
    for (Map.Entry<String, JsonNode> input : action.get("inputs").properties()) {
      known.add(input.getKey());
      assertThat(page).as("input %s", input.getKey()).contains(input.getKey());
      if (input.getValue().path("required").asBoolean()) {
        required.add(input.getKey());
      }
    }
    List<String> given = used.properties().stream().map(Map.Entry::getKey).toList();
    assertThat(known).containsAll(given);
    assertThat(given).containsAll(required);
  }
}
