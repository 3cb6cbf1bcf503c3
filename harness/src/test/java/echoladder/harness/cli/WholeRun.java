package echoladder.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.RunSchema;
import echoladder.harness.results.ResumedRecord;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.HistogramLogReader;
import tools.jackson.databind.JsonNode;

/** What is asserted of a run that was killed at one moment after the other and resumed each time. */
record WholeRun(RunFolder folder) {
  /** The paths of all fields, those of list elements under one name. */
  private static Set<String> paths(JsonNode node, String at) {
    Set<String> paths = new TreeSet<>(Set.of(at));
    node.properties().forEach(field -> paths.addAll(paths(field.getValue(), at + "." + field.getKey())));
    node.forEach(
        element -> {
          if (node.isArray()) {
            paths.addAll(paths(element, at + "[]"));
          }
        });
    return paths;
  }

  /** As one that was not killed; the last resumption but one kept that many rungs. */
  void hasTheShapeOf(RunRecord whole, int kept) throws IOException {
    RunRecord resumed = folder.read();
    assertThat(resumed.status()).isEqualTo(RunRecord.Status.COMPLETE);
    assertThat(RunSchema.complaints(RunFolder.json(resumed))).isEmpty();
    assertThat(resumed.study()).isEqualTo(whole.study());
    assertThat(resumed.rungs())
        .extracting(rung -> rung.server() + " " + rung.connections() + " " + rung.repeat() + " " + rung.status())
        .isEqualTo(
            whole.rungs().stream()
                .map(rung -> rung.server() + " " + rung.connections() + " " + rung.repeat() + " " + rung.status())
                .toList());
    assertThat(resumed.rungs()).allMatch(RungRecord::valid);
    assertThat(resumed.climbs()).isEqualTo(whole.climbs());
    Set<String> more = paths(RunFolder.tree(resumed), "");
    more.removeIf(path -> path.startsWith(".resumed") || path.contains(".limits.kernel.") || path.contains(".config"));
    Set<String> before = paths(RunFolder.tree(whole), "");
    before.removeIf(path -> path.contains(".limits.kernel.") || path.contains(".config"));
    assertThat(more).isEqualTo(before);
    assertThat(resumed.resumed()).extracting(ResumedRecord::rungsKept).containsExactly(0, 0, 0, 0, 1, kept - 1);
    assertThat(resumed.resumed()).extracting(part -> part.measuredAgain().size()).containsExactly(0, 0, 0, 0, 0, 1);
    assertThat(resumed.resumed().get(3).discarded()).hasSize(1);
    assertThat(resumed.resumed()).extracting(ResumedRecord::resumedAt).isSorted();
  }

  void hasWholeFiles() throws IOException {
    List<String> lines = Files.readAllLines(folder.file("samples.csv"));
    int columns = lines.getFirst().split(",", -1).length;
    assertThat(lines).allMatch(line -> line.split(",", -1).length == columns);
    assertThat(Files.readString(folder.file("samples.csv"))).endsWith("\n");
    for (RungRecord rung : folder.read().rungs()) {
      String key = rung.server() + "," + rung.connections() + ",";
      double first =
          lines.stream()
              .filter(line -> line.startsWith(key) && line.endsWith("," + rung.repeat() + "," + rung.number() + ",,"))
              .mapToDouble(line -> Double.parseDouble(line.split(",", -1)[3]))
              .min()
              .orElseThrow();
      double begun =
          Duration.between(
                      Instant.parse(folder.read().startedAt()),
                      Instant.parse(Objects.requireNonNull(rung.startedAt())))
                  .toMillis()
              / 1e3;
      assertThat(first).as("what its first try had left is gone").isGreaterThan(begun);
      assertThat(answered(folder.file(Objects.requireNonNull(rung.histograms()))))
          .isEqualTo(Objects.requireNonNull(rung.load()).messages().answered());
    }
    try (Stream<Path> files = Files.list(folder.dir())) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .contains("report.html", "REPORT.md", "results.csv")
          .noneMatch(name -> name.endsWith(".next") || name.equals("run.lock"));
    }
    assertThat(folder.file("report.html")).content().contains("taken up again 6 times").doesNotContain("What could not be read of this run's folder");
    assertThat(folder.file("REPORT.md")).content().contains("**Resumed:**", "taken up again 6 times");
  }

  private static long answered(Path log) throws IOException {
    long count = 0;
    try (HistogramLogReader reader = new HistogramLogReader(log.toString())) {
      EncodableHistogram next;
      while ((next = reader.nextIntervalHistogram()) != null) {
        count += "response".equals(next.getTag()) ? ((org.HdrHistogram.Histogram) next).getTotalCount() : 0;
      }
    }
    return count;
  }
}
