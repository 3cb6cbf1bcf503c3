package echoladder.harness.report;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.common.Checkout;
import echoladder.harness.results.NamedLimit;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The runs in results/reference, and what quotes them. */
class ReferenceResultsTest {
  private static final Checkout CHECKOUT = Checkout.find();
  private static final Path REFERENCE = CHECKOUT.results().resolve("reference");

  static Stream<Path> runs() throws IOException {
    try (Stream<Path> files = Files.walk(REFERENCE, 3)) {
      return files.filter(file -> file.endsWith("run.json")).map(Path::getParent).map(REFERENCE::relativize).sorted().toList()
          .stream();
    }
  }

  @ParameterizedTest
  @MethodSource("runs")
  void isReadByThisVersionAndHasWhatIsMadeOfIt(Path run) {
    RunFolder folder = new RunFolder(REFERENCE.resolve(run));
    RunRecord record = folder.read();
    assertThat(record.status()).isNotEqualTo(RunRecord.Status.RUNNING);
    assertThat(MarkdownReport.of(record)).contains(record.reproduce());
    assertThat(List.of("REPORT.md", "report.html", "results.csv", "environment.json"))
        .allSatisfy(name -> assertThat(folder.file(name)).exists());
  }

  /** What is younger than the run is added, figures among it as null; every field that the run has stays as it is. */
  @ParameterizedTest
  @MethodSource("runs")
  void isWrittenAgainAsItWas(Path run) throws IOException {
    RunFolder folder = new RunFolder(REFERENCE.resolve(run));
    JsonNode before = JsonMapper.shared().readTree(Files.readString(folder.file("run.json"))).get("rungs");
    JsonNode after = JsonMapper.shared().readTree(RunFolder.json(folder.read())).get("rungs");
    assertThat(after.size()).isEqualTo(before.size());
    for (int i = 0; i < before.size(); i++) {
      JsonNode rung = after.get(i);
      before.get(i).forEachEntry((name, value) -> assertThat(rung.get(name)).as(name).isEqualTo(value));
      Set<String> added = new HashSet<>(rung.propertyNames());
      added.removeAll(before.get(i).propertyNames());
      added.remove("repeat");
      assertThat(added).allMatch(name -> rung.get(name).isNull());
    }
  }

  /** Each symptom page of a limit shows what the last run of the study `limits` showed of it. */
  @Test
  void pagesOfLimitsQuoteTheRun() throws IOException {
    Path newest =
        runs().filter(run -> run.startsWith("limits")).reduce((_, later) -> later).orElseThrow();
    RunRecord run = new RunFolder(REFERENCE.resolve(newest)).read();
    List<NamedLimit> named = NamedLimit.of(run);
    List<NamedLimits.Line> lines = NamedLimits.of(run);
    assertThat(named).hasSizeGreaterThanOrEqualTo(12);
    for (int i = 0; i < named.size(); i++) {
      String page = Objects.requireNonNull(named.get(i).byVerdict()).page();
      assertThat(CHECKOUT.root().resolve("runbooks/symptoms/" + page + ".md"))
          .content()
          .as(page)
          .contains(block(lines.get(i)));
    }
  }

  private static String block(NamedLimits.Line line) {
    return """
        ```
        %s; %s: %s connections reached
        server   %s
        client   %s
        kernel   %s
        verdict  %s        doctor  %s
        ```
        """
        .formatted(
            line.lowered(), line.server(), line.reached(), line.serverSaid(), line.clientSaid(), line.kernel(),
            line.byVerdict(), line.byDoctor());
  }
}
