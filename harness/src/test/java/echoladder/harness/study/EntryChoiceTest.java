package echoladder.harness.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import echoladder.harness.TestCheckout;
import echoladder.harness.common.Refusal;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Stock and tuned: what a study's {@code entry} and {@code --servers LABEL:tuned} become. */
class EntryChoiceTest {
  private static final String SERVER =
      """
      name: two
      title: Two
      protocol: tcp
      role: contender
      runtime: go
      command: ["{dir}/two"]
      options:
        size: {default: 1, min: 0, max: 5, why: "because", tuned: {value: 4, why: "more"}}
        kind: {default: a, values: [a, b], why: "because"}
      """;

  private static final String STUDY =
      """
      name: s
      question: What does this study ask, exactly?
      servers: [fake, two]
      rungs: [10]
      load: {rate: {total: 100/s}}
      phases: {steady: 2s}
      """;

  @TempDir private Path dir;

  private Study read(String study, String... chosen) {
    TestCheckout test = new TestCheckout(dir).write("servers/two/server.yaml", SERVER).study("s", study);
    return new StudyReader(test.checkout(), test.servers()).read("s", new Selection(null, List.of(chosen), List.of()));
  }

  private static Map<String, Map<String, String>> options(Study study) {
    return study.servers().stream().collect(Collectors.toMap(Study.Entry::label, Study.Entry::options));
  }

  @Test
  void anEntryIsStockUnlessToldOtherwise() {
    assertThat(options(read(STUDY))).isEqualTo(Map.of("fake", Map.of(), "two", Map.of()));
    assertThat(options(read(STUDY.replace("two]", "{name: two, entry: stock}]"))))
        .isEqualTo(Map.of("fake", Map.of(), "two", Map.of("entry", "stock")));
    assertThat(options(read(STUDY.replace("[fake", "[{name: fake, entry: stock}"))))
        .isEqualTo(Map.of("fake", Map.of(), "two", Map.of()));
  }

  @Test
  void tunedBecomesItsOptionsAndALabelAndWhatTheStudySaysItselfComesFirst() {
    assertThat(options(read(STUDY.replace("two]", "two, {name: two, entry: tuned}]"))))
        .containsEntry("two", Map.of())
        .containsEntry("two-tuned", Map.of("entry", "tuned", "size", "4"));
    assertThat(options(read(STUDY.replace("two]", "{name: two, label: mine, entry: tuned, options: {size: 2}}]"))))
        .containsEntry("mine", Map.of("entry", "tuned", "size", "2"));
  }

  /** The choice of an entry makes no other study of it. */
  @Test
  void aSearchForCapacitiesStaysOne() {
    String searched = STUDY.replace("100/s", "1000/s") + "capacity: {most: 8000/s}\nrepeats: 1\n";
    Study study = read(searched, "two:tuned");
    assertThat(study.servers()).extracting(Study.Entry::label).containsExactly("two-tuned");
    assertThat(study.capacity()).isNotNull().isEqualTo(read(searched).capacity());
  }

  @Test
  void entriesMayBeAnAxis() {
    assertThat(options(read(STUDY + "axes: {servers: {two: {entry: [stock, tuned]}}}\n")))
        .containsEntry("two-stock", Map.of("entry", "stock"))
        .containsEntry("two-tuned", Map.of("entry", "tuned", "size", "4"));
  }

  @Test
  void theCommandLineTakesAServerAsTunedOrAsBoth() {
    assertThat(options(read(STUDY, "two:tuned"))).isEqualTo(Map.of("two-tuned", Map.of("entry", "tuned", "size", "4")));
    assertThat(options(read(STUDY, "two", "two:tuned"))).containsOnlyKeys("two", "two-tuned");
    assertThat(options(read(STUDY, "two:stock"))).isEqualTo(Map.of("two", Map.of()));
    assertThat(options(read(STUDY + "axes: {servers: {two: {kind: [a, b]}}}\n", "two:tuned")))
        .isEqualTo(
            Map.of(
                "two-tuned-a", Map.of("entry", "tuned", "size", "4", "kind", "a"),
                "two-tuned-b", Map.of("entry", "tuned", "size", "4", "kind", "b")));
  }

  @Test
  void aRecordOfATunedEntryIsAcceptedAgain() {
    Study study = read(STUDY, "two:tuned");
    StudyAgain.check(study, new TestCheckout(dir).write("servers/two/server.yaml", SERVER).servers());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "fake:tuned|--servers fake:tuned: 'fake' has no entry 'tuned': none of its options has a tuned value",
        "two:fast|--servers two:fast: 'fast' is not allowed; one of stock, tuned",
        "one:tuned|--servers one: study 's' has no such server; it has fake, two",
      })
  void saysWhichEntriesThereAre(String chosen, String message) {
    assertThatThrownBy(() -> read(STUDY, chosen)).isInstanceOf(Refusal.class).hasMessageContaining(message);
  }

  @Test
  void aBadNameInTheStudyIsNamedWithItsLine() {
    assertThatThrownBy(() -> read(STUDY.replace("two]", "{name: two, entry: fast}]")))
        .hasMessageContaining("study.yaml:3: servers[1].entry: 'fast' is not allowed; one of stock (the default), tuned");
    assertThatThrownBy(() -> read(STUDY.replace("[fake", "[{name: fake, entry: tuned}")))
        .hasMessageContaining("study.yaml:3: servers[0]", "'fake' has no entry 'tuned'");
  }
}
