package echoladder.harness.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import echoladder.client.Percentiles;
import echoladder.harness.common.Refusal;
import echoladder.harness.report.Publication.Form;
import echoladder.harness.results.IntervalLines;
import echoladder.harness.results.LogRecord;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What is published of a run is small, and every percentile of it can be computed again. */
class PublicationTest {
  private static final Path REFERENCE = Path.of("../results/reference/one-million/20261122T031437Z-4789");

  @TempDir private static Path whole;
  @TempDir private Path dir;
  private RunFolder folder = new RunFolder(REFERENCE);
  private RunRecord run = folder.read();

  @BeforeAll
  static void itsReportToo() throws IOException {
    copy(REFERENCE, whole);
    RunFolder folder = new RunFolder(whole);
    ReportFiles.write(folder, folder.read());
  }

  @BeforeEach
  void aWholeRun() throws IOException {
    folder = new RunFolder(Files.createDirectory(dir.resolve(REFERENCE.getFileName())));
    copy(whole, folder.dir());
    run = folder.read();
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.list(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(file.getFileName()));
      }
    }
  }

  private Path to() {
    return dir.resolve("reference");
  }

  private static Map<String, Histogram> kinds(RunFolder folder, RungRecord rung) throws IOException {
    Map<String, Histogram> kinds = new TreeMap<>();
    try (IntervalLines log = IntervalLines.open(folder.files(), Objects.requireNonNull(rung.histograms()))) {
      for (Histogram next = log.next(); next != null; next = log.next()) {
        assertThat(kinds.put(String.valueOf(next.getTag()), next)).as("one interval of a kind").isNull();
      }
      assertThat(log.damage()).isNull();
    }
    return kinds;
  }

  private static void gives(@Nullable Histogram times, Percentiles recorded) {
    Histogram of = Objects.requireNonNull(times);
    is(of, 50, recorded.p50Ns());
    is(of, 90, recorded.p90Ns());
    is(of, 99, recorded.p99Ns());
    is(of, 99.9, recorded.p999Ns());
    is(of, 99.99, recorded.p9999Ns());
    is(of, 100, recorded.maxNs());
  }

  private static void is(Histogram of, double percent, @Nullable Long recordedNs) {
    if (recordedNs != null) {
      assertThat(of.getValueAtPercentile(percent)).as("p%s", percent).isEqualTo(recordedNs);
    }
  }

  @Test
  void everyPercentileFollowsFromWhatIsPublished() throws IOException {
    Path published = Publication.write(folder, run, to(), Form.WITH_LOGS);
    assertThat(published).isEqualTo(to().resolve(run.study().name()).resolve(run.runId()));
    RunFolder again = RunFolder.open(published);
    assertThat(RunFolder.json(again.read())).isEqualTo(RunFolder.json(run));
    int checked = 0;
    for (RungRecord rung : again.read().rungs()) {
      if (rung.histograms() != null && rung.load() != null && rung.valid()) {
        Map<String, Histogram> kinds = kinds(again, rung);
        gives(kinds.get("response"), rung.load().times().response());
        gives(kinds.get("service"), rung.load().times().service());
        gives(kinds.get("connect"), rung.load().times().connect());
        checked++;
      }
    }
    assertThat(checked).isPositive();
    assertThat(Publication.bytes(published)).isLessThan(Publication.bytes(folder.dir()) / 2);
    try (Stream<Path> files = Files.list(published)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .contains("run.json", "REPORT.md", "published.json")
          .noneMatch(name -> name.endsWith(".log") || name.endsWith(".csv") || name.endsWith(".html"));
    }
    assertThat(ReportFiles.write(again, again.read())).as("its report is written as any other's").isNotNull();
  }

  @Test
  void theListNamesEveryFileOfTheWhole() throws IOException {
    Path published = Publication.write(folder, run, to(), Form.WITH_LOGS);
    JsonNode list = JsonMapper.shared().readTree(Files.readString(published.resolve(Publication.LIST)));
    try (Stream<Path> files = Files.list(folder.dir())) {
      assertThat(list.get("files")).hasSize((int) files.count());
    }
    for (JsonNode file : list.get("files")) {
      String name = file.get("name").asString();
      assertThat(file.get("sha256").asString()).isEqualTo(LogRecord.of(folder.files(), name).sha256());
      assertThat(Files.exists(published.resolve(name))).as(name).isEqualTo(!file.get("published").asString().equals("left-out"));
    }
  }

  @Test
  void logsThatDoNotFitAreLeftOutAndTheListSaysSo() throws IOException {
    Path whole = Publication.write(folder, run, to(), Form.WITH_LOGS);
    assertThat(Publication.hasLogs(whole, run)).isTrue();
    long bytes = Publication.bytes(whole);
    Files.move(whole, dir.resolve("taken-back"));
    roomFor(bytes - 1);
    Path published = Publication.write(folder, run, to(), Form.WITH_LOGS);
    assertThat(Publication.hasLogs(published, run)).isFalse();
    assertThat(Publication.lacks(published, run)).singleElement().asString().contains("without its interval logs");
    assertThat(Publication.published(to().resolve(run.study().name()))).isLessThanOrEqualTo(Publication.MOST_STUDY_BYTES);
    JsonNode list = JsonMapper.shared().readTree(Files.readString(published.resolve(Publication.LIST)));
    assertThat(list.get("files"))
        .filteredOn(file -> file.get("name").asString().endsWith(".hlog"))
        .isNotEmpty()
        .allSatisfy(file -> assertThat(file.get("published").asString()).isEqualTo("left-out"));
  }

  /** Leaves that many bytes of the study's bound. */
  private void roomFor(long bytes) throws IOException {
    Path other = Files.createDirectories(to().resolve(run.study().name()).resolve("another"));
    Files.write(other.resolve("run.json"), new byte[(int) (Publication.MOST_STUDY_BYTES - bytes)]);
    // A run from before there was a bound does not count; this one does.
    Files.write(other.resolve(Publication.LIST), new byte[0]);
  }

  @Test
  void whereThatIsNotEnoughPlotsAreLeftOutAndTheRecordIsCompressed() throws IOException {
    Path all = Publication.write(folder, run, to(), Form.WITHOUT_LOGS);
    long bytes = Publication.bytes(all);
    Files.move(all, dir.resolve("taken-back"));
    roomFor(bytes - 1);
    Path published = Publication.write(folder, run, to(), Form.WITH_LOGS);
    assertThat(Publication.bytes(published)).isLessThan(bytes / 2);
    assertThat(Publication.lacks(published, run)).hasSize(2).anyMatch(lack -> lack.contains("gunzip"));
    try (Stream<Path> files = Files.list(published)) {
      assertThat(files.map(file -> file.getFileName().toString())).containsExactlyInAnyOrder("run.json.gz", "REPORT.md", Publication.LIST);
    }
    assertThat(published.resolve("REPORT.md")).content().doesNotContain(".svg").contains("## ");
    RunFolder again = RunFolder.open(published);
    assertThat(RunFolder.json(again.read())).isEqualTo(RunFolder.json(run));
    JsonNode list = JsonMapper.shared().readTree(Files.readString(published.resolve(Publication.LIST)));
    assertThat(list.get("files"))
        .extracting(file -> file.get("published").asString())
        .containsOnly("packed", "without-plots", "left-out");
    ReportFiles.write(again, again.read());
    assertThat(again.file("REPORT.md")).content().contains(".svg");
  }

  @Test
  void theLeastFormIsTakenWhereItIsAskedFor() throws IOException {
    assertThat(Publication.write(folder, run, to(), Form.LEAST).resolve("run.json.gz")).exists();
  }

  @Test
  void aStudyTakesNoMoreThanItsBound() throws IOException {
    Path first = Publication.write(folder, run, to(), Form.LEAST);
    long bytes = Publication.bytes(first);
    roomFor(bytes);
    assertThatThrownBy(() -> Publication.write(folder, run, to(), Form.WITH_LOGS)).isInstanceOf(Refusal.class).hasMessageContaining("is there already");
    Files.move(first, dir.resolve("taken-back"));
    roomFor(bytes - 1);
    assertThatThrownBy(() -> Publication.write(folder, run, to(), Form.WITH_LOGS))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("it takes %,d bytes".formatted(bytes))
        .hasMessageContaining("of the 2,000,000 that a study may");
    assertThat(first).doesNotExist();
  }

  @Test
  void aRunWhoseLogIsCutIsNotPublished() throws IOException {
    String log = run.rungs().stream().filter(RungRecord::valid).map(RungRecord::histograms).filter(Objects::nonNull).findFirst().orElseThrow();
    byte[] whole = Files.readAllBytes(folder.file(log));
    Files.write(folder.file(log), Arrays.copyOf(whole, whole.length / 3));
    assertThatThrownBy(() -> Publication.write(folder, run, to(), Form.WITH_LOGS)).isInstanceOf(Refusal.class).hasMessageContaining(log + ": ");
    assertThat(to()).doesNotExist();
  }
}
