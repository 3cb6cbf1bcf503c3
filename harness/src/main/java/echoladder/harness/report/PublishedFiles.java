package echoladder.harness.report;

import echoladder.harness.common.Refusal;
import echoladder.harness.common.SafeText;
import echoladder.harness.report.plot.FlameGraph;
import echoladder.harness.report.plot.Plot;
import echoladder.harness.report.plot.Plots;
import echoladder.harness.report.plot.RungPlots;
import echoladder.harness.report.samples.MergedLog;
import echoladder.harness.report.samples.WholeLog;
import echoladder.harness.report.table.CapacityText;
import echoladder.harness.results.LogRecord;
import echoladder.harness.results.PublishedRecord;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The files of a published run, by their names, and the list of what the whole run has.
 *
 * @param record run.json, compact
 * @param report REPORT.md
 * @param logs the names of the rungs' interval logs
 * @param times these logs merged, in one text; empty where there are none
 * @param listed every file of the whole run with its size and hash
 */
record PublishedFiles(
    String runId, String record, String report, Map<String, String> plots, Set<String> logs, String times, Map<String, LogRecord> listed) {
  /** It says who has the folder just now. */
  private static final Set<String> NOT_OF_THE_RUN = Set.of("run.lock");

  private static final String RECORD = "run.json";
  private static final String REPORT = "REPORT.md";

  /**
   * Those of a whole run.
   *
   * @throws Refusal (bad usage) where a log is not what its rung was recorded with
   */
  static PublishedFiles of(RunFolder folder, RunRecord run) throws IOException {
    Map<String, String> plots = new TreeMap<>();
    for (Plot plot : Plots.of(CapacityText.shown(run))) {
      plots.put(plot.file(), folder.files().text(plot.file(), RunFolder.MOST_RECORD_BYTES));
    }
    for (String graph : FlameGraph.files(run).keySet()) {
      plots.put(graph, folder.files().text(graph, RunFolder.MOST_RECORD_BYTES));
    }
    if (folder.files().has(RungPlots.DISTRIBUTIONS)) {
      plots.put(RungPlots.DISTRIBUTIONS, folder.files().text(RungPlots.DISTRIBUTIONS, RunFolder.MOST_RECORD_BYTES));
    }
    Set<String> logs = new TreeSet<>();
    for (RungRecord rung : run.rungs()) {
      if (rung.histograms() != null) {
        String damage = WholeLog.damage(folder, run, rung).orElse("");
        if (!damage.isEmpty()) {
          throw Refusal.badUsage(
              "%s cannot be published: %s: %s; nobody could check its percentiles".formatted(folder.dir(), rung.histograms(), damage));
        }
        logs.add(rung.histograms());
      }
    }
    return new PublishedFiles(
        run.runId(), SafeText.text(PublishedRecord.compact(run)), folder.files().text(REPORT, RunFolder.MOST_RECORD_BYTES), plots, logs,
        logs.isEmpty() ? "" : MergedLog.of(folder.files(), logs), listed(folder));
  }

  private static Map<String, LogRecord> listed(RunFolder folder) throws IOException {
    Map<String, LogRecord> listed = new TreeMap<>();
    try (Stream<Path> all = Files.list(folder.dir())) {
      for (Path file : all.filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)).toList()) {
        String name = file.getFileName().toString();
        if (!NOT_OF_THE_RUN.contains(name)) {
          listed.put(name, LogRecord.of(folder.files(), name));
        }
      }
    }
    return listed;
  }

  /** The merged logs as they are published; none where there are none. */
  byte[] packedTimes() throws IOException {
    return times.isEmpty() ? new byte[0] : PublishedRecord.packed(times);
  }

  /**
   * All that is published in a form, with the list.
   *
   * @param withTimes whether the merged logs are among them
   */
  Map<String, byte[]> in(Publication.Form form, boolean withTimes) throws IOException {
    Map<String, String> texts = new TreeMap<>();
    Map<String, byte[]> contents = new TreeMap<>();
    Map<String, String> how = new TreeMap<>();
    if (form == Publication.Form.LEAST) {
      contents.put(PublishedRecord.PACKED, PublishedRecord.packed(record));
      texts.put(REPORT, withoutPlots());
      how.putAll(Map.of(RECORD, "packed", REPORT, "without-plots"));
    } else {
      texts.put(RECORD, record);
      texts.put(REPORT, report);
      texts.putAll(plots);
      how.put(RECORD, "compact");
      how.put(REPORT, "whole");
      plots.keySet().forEach(plot -> how.put(plot, "whole"));
    }
    if (withTimes && !times.isEmpty()) {
      contents.put(PublishedRecord.TIMES, packedTimes());
      logs.forEach(log -> how.put(log, "merged"));
    }
    texts.put(Publication.LIST, list(how));
    texts.forEach((name, text) -> contents.put(name, text.getBytes(StandardCharsets.UTF_8)));
    return contents;
  }

  private String withoutPlots() {
    return report
        .lines()
        .filter(line -> plots.keySet().stream().noneMatch(plot -> line.startsWith("![") && line.endsWith("](" + plot + ")")))
        .collect(Collectors.joining("\n", "", "\n"))
        .replaceAll("\n{3,}", "\n\n");
  }

  /** Every file of the run with its size and hash, so that a copy of the whole that is kept elsewhere can be checked. */
  private String list(Map<String, String> how) {
    List<Map<String, Object>> files = new ArrayList<>();
    listed.forEach(
        (name, of) -> {
          Map<String, Object> file = new LinkedHashMap<>();
          file.put("name", name);
          file.put("bytes", of.bytes());
          file.put("sha256", of.sha256());
          file.put("published", how.getOrDefault(name, "left-out"));
          files.add(file);
        });
    Map<String, Object> list = new LinkedHashMap<>();
    list.put("schema_version", 1);
    list.put("run_id", runId);
    list.put("archive", runId + ".tar.gz");
    list.put("files", files);
    return PublishedRecord.lines(RunFolder.tree(list));
  }
}
