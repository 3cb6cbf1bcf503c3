package echoladder.harness.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import echoladder.client.figures.Percentiles;
import echoladder.harness.common.Refusal;
import echoladder.harness.published.Submission;
import echoladder.harness.report.Publication.Form;
import echoladder.harness.results.IntervalLines;
import echoladder.harness.results.LogRecord;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

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
    Path published = Publication.write(folder, run, to(), Form.WITH_PLOTS);
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
        gives(kinds.get("first-echo"), rung.load().times().firstEcho());
        gives(kinds.get("send-lateness"), rung.load().times().sendLateness());
        checked++;
      }
    }
    assertThat(checked).isPositive();
    assertThat(Publication.bytes(published)).isLessThan(Publication.bytes(folder.dir()) / 2);
    try (Stream<Path> files = Files.list(published)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .contains("run.json", "REPORT.md", "published.json", "times.hlog.gz")
          .noneMatch(name -> name.endsWith(".log") || name.endsWith(".csv") || name.endsWith(".html") || name.endsWith(".hlog"));
    }
    assertThat(ReportFiles.write(again, again.read())).as("its report is written as any other's").isNotNull();
  }

  @Test
  void theListNamesEveryFileOfTheWhole() throws IOException {
    Path published = Publication.write(folder, run, to(), Form.WITH_PLOTS);
    JsonNode list = JsonMapper.shared().readTree(Files.readString(published.resolve(Publication.LIST)));
    try (Stream<Path> files = Files.list(folder.dir())) {
      assertThat(list.get("files")).hasSize((int) files.count());
    }
    for (JsonNode file : list.get("files")) {
      String name = file.get("name").asString();
      assertThat(file.get("sha256").asString()).isEqualTo(LogRecord.of(folder.files(), name).sha256());
      boolean alone = !Set.of("left-out", "merged").contains(file.get("published").asString());
      assertThat(Files.exists(published.resolve(name))).as(name).isEqualTo(alone);
    }
  }

  /** HdrHistogram's own reader takes the file as it is, once it is unpacked. */
  @Test
  void theHistogramsAreALogOfTheirOwn() throws IOException {
    Path published = Publication.write(folder, run, to(), Form.LEAST);
    List<String> tags = new ArrayList<>();
    try (HistogramLogReader log = new HistogramLogReader(new GZIPInputStream(Files.newInputStream(published.resolve("times.hlog.gz"))))) {
      while (log.hasNext()) {
        tags.add(log.nextIntervalHistogram().getTag());
      }
    }
    assertThat(tags).contains("0001000-platform-threads:response", "0010000-platform-threads:response", "0010000-platform-threads:connect");
    assertThat(tags).doesNotHaveDuplicates();
  }

  @Test
  void aPercentileThatTheHistogramsDoNotGiveSpeaksAgainstTheRun() throws IOException {
    RunFolder published = RunFolder.open(Publication.write(folder, run, to(), Form.WITH_PLOTS));
    assertThat(Submission.against(published, published.read())).noneMatch(why -> why.startsWith("times: "));
    JsonNode json = JsonMapper.shared().readTree(Files.readString(published.file("run.json")));
    ObjectNode rung = (ObjectNode) json.at("/rungs/0");
    rung.put("send_lateness_p50_ns", rung.get("send_lateness_p50_ns").asLong() * 2);
    Files.writeString(published.file("run.json"), json.toString());
    assertThat(Submission.against(published, published.read())).anyMatch(why -> why.contains("as the percentile 50 of send lateness, and run.json has"));
    Files.delete(published.file("times.hlog.gz"));
    assertThat(Submission.against(published, published.read())).anyMatch(why -> why.startsWith("times: ") && why.contains("cannot be read"));
  }

  @Test
  void histogramsThatDoNotFitAreLeftOutAndTheListSaysSo() throws IOException {
    Path whole = Publication.write(folder, run, to(), Form.WITH_PLOTS);
    assertThat(Publication.hasLogs(whole, run)).isTrue();
    long bytes = Publication.times(whole);
    assertThat(bytes).isPositive();
    Files.move(whole, dir.resolve("taken-back"));
    Path other = Files.createDirectories(to().resolve(run.study().name()).resolve("another"));
    Files.write(other.resolve("times.hlog.gz"), new byte[(int) (Publication.MOST_TIMES_BYTES - bytes + 1)]);
    Files.write(other.resolve(Publication.LIST), new byte[0]);
    Path published = Publication.write(folder, run, to(), Form.WITH_PLOTS);
    assertThat(Publication.hasLogs(published, run)).isFalse();
    assertThat(Publication.lacks(published, run)).singleElement().asString().contains("without its histograms");
    assertThat(Publication.times(to().resolve(run.study().name()))).isLessThanOrEqualTo(Publication.MOST_TIMES_BYTES);
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
    Path all = Publication.write(folder, run, to(), Form.WITH_PLOTS);
    long bytes = Publication.bytes(all) - Publication.times(all);
    Files.move(all, dir.resolve("taken-back"));
    roomFor(bytes - 1);
    Path published = Publication.write(folder, run, to(), Form.WITH_PLOTS);
    assertThat(Publication.bytes(published) - Publication.times(published)).isLessThan(bytes / 2);
    assertThat(Publication.lacks(published, run)).singleElement().asString().contains("gunzip");
    try (Stream<Path> files = Files.list(published)) {
      assertThat(files.map(file -> file.getFileName().toString())).containsExactlyInAnyOrder("run.json.gz", "REPORT.md", "times.hlog.gz", Publication.LIST);
    }
    assertThat(published.resolve("REPORT.md")).content().doesNotContain(".svg").contains("## ");
    RunFolder again = RunFolder.open(published);
    assertThat(RunFolder.json(again.read())).isEqualTo(RunFolder.json(run));
    JsonNode list = JsonMapper.shared().readTree(Files.readString(published.resolve(Publication.LIST)));
    assertThat(list.get("files"))
        .extracting(file -> file.get("published").asString())
        .containsOnly("packed", "without-plots", "merged", "left-out");
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
    long bytes = Publication.bytes(first) - Publication.times(first);
    roomFor(bytes);
    assertThatThrownBy(() -> Publication.write(folder, run, to(), Form.WITH_PLOTS)).isInstanceOf(Refusal.class).hasMessageContaining("is there already");
    Files.move(first, dir.resolve("taken-back"));
    roomFor(bytes - 1);
    assertThatThrownBy(() -> Publication.write(folder, run, to(), Form.WITH_PLOTS))
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
    assertThatThrownBy(() -> Publication.write(folder, run, to(), Form.WITH_PLOTS)).isInstanceOf(Refusal.class).hasMessageContaining(log + ": ");
    assertThat(to()).doesNotExist();
  }
}
