package echoladder.harness.report;

import echoladder.harness.common.Refusal;
import echoladder.harness.results.LogRecord;
import echoladder.harness.results.PlainFiles;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What of a run is published in the repository: run.json as it is, REPORT.md with its plots, each rung's interval log merged
 * to one interval per kind of time where all of them fit, and published.json, which names every file of the whole run by size and hash. Why that
 * and no more is in docs/decisions/published-runs.md.
 */
public final class Publication {
  /** What the published runs of one study may take together; a repository never shrinks. */
  public static final long MOST_STUDY_BYTES = 2_000_000;

  /** The list of what the whole run has. A run that has it was published by this class. */
  public static final String LIST = "published.json";

  /** It says who has the folder just now. */
  private static final Set<String> NOT_OF_THE_RUN = Set.of("run.lock");

  private Publication() {}

  /**
   * Publishes a run that has come to its end, and whose report has been written.
   *
   * @param to the folder of published runs; the run's is made below, as STUDY/RUN-ID
   * @return the new folder
   * @throws Refusal (bad usage) where the run is not at its end, a log of it is not whole, it is published there already, or
   *     the study's runs would take more than {@link #MOST_STUDY_BYTES}; nothing is left of it then
   * @throws IOException where it cannot be written
   */
  public static Path write(RunFolder folder, RunRecord run, Path to) throws IOException {
    if (run.status() == RunRecord.Status.RUNNING) {
      throw Refusal.badUsage(folder.dir() + " cannot be published: the run is not at its end; go on with ./ladder run --resume " + folder.dir());
    }
    Map<String, String> texts = texts(folder, run, true);
    Path study = new PlainFiles(to).path(run.study().name());
    Path target = new PlainFiles(study).path(run.runId());
    if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
      throw Refusal.badUsage(target + " is there already; a run is published once");
    }
    long before = published(study);
    if (before + bytes(texts) > MOST_STUDY_BYTES) {
      texts = texts(folder, run, false);
    }
    long bytes = bytes(texts);
    if (before + bytes > MOST_STUDY_BYTES) {
      throw Refusal.badUsage(
          "%s cannot be published: it takes %,d bytes, and the runs of '%s' in %s take %,d of the %,d that a study may; publish fewer rungs or repeats, or take back a run that nothing quotes, see docs/decisions/published-runs.md"
              .formatted(folder.dir(), bytes, run.study().name(), to, before, MOST_STUDY_BYTES));
    }
    Files.createDirectories(target);
    PlainFiles files = new PlainFiles(target);
    for (Map.Entry<String, String> text : texts.entrySet()) {
      files.replace(text.getKey(), text.getValue());
    }
    return target;
  }

  /** Whether a published run has what its percentiles follow from; so has one whose rungs have none. */
  public static boolean hasLogs(Path published, RunRecord run) {
    return run.rungs().stream().map(RungRecord::histograms).filter(Objects::nonNull).allMatch(log -> Files.exists(published.resolve(log)));
  }

  /** Bytes of the runs below the folder of a study that were published by this class. */
  public static long published(Path study) throws IOException {
    if (!Files.isDirectory(study)) {
      return 0;
    }
    try (Stream<Path> runs = Files.list(study)) {
      return runs.filter(run -> Files.isRegularFile(run.resolve(LIST))).mapToLong(Publication::bytes).sum();
    }
  }

  /** Bytes of all files below a folder. */
  public static long bytes(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).mapToLong(file -> file.toFile().length()).sum();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot list " + folder, e);
    }
  }

  private static long bytes(Map<String, String> texts) {
    return texts.values().stream().mapToLong(text -> text.getBytes(StandardCharsets.UTF_8).length).sum();
  }

  private static Map<String, String> texts(RunFolder folder, RunRecord run, boolean withLogs) throws IOException {
    Map<String, String> texts = new TreeMap<>();
    List<String> whole = new ArrayList<>(List.of("run.json", "REPORT.md"));
    Plots.of(run).forEach(plot -> whole.add(plot.file()));
    whole.addAll(FlameGraph.files(run).keySet());
    for (String name : whole) {
      texts.put(name, folder.files().text(name, RunFolder.MOST_RECORD_BYTES));
    }
    Set<String> logs =
        run.rungs().stream().map(RungRecord::histograms).filter(Objects::nonNull).collect(Collectors.toSet());
    for (RungRecord rung : run.rungs()) {
      if (rung.histograms() != null) {
        String damage = WholeLog.damage(folder, run, rung).orElse("");
        if (!damage.isEmpty()) {
          throw Refusal.badUsage(
              "%s cannot be published: %s: %s; nobody could check its percentiles".formatted(folder.dir(), rung.histograms(), damage));
        }
        if (withLogs) {
          texts.put(rung.histograms(), MergedLog.of(folder.files(), rung.histograms()));
        }
      }
    }
    texts.put(LIST, list(folder, run, whole, withLogs ? logs : Set.of()));
    return texts;
  }

  /** Every file of the run with its size and hash, so that a copy of the whole that is kept elsewhere can be checked. */
  private static String list(RunFolder folder, RunRecord run, List<String> whole, Set<String> logs) throws IOException {
    List<Map<String, Object>> files = new ArrayList<>();
    try (Stream<Path> all = Files.list(folder.dir())) {
      List<String> names =
          all.filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
              .map(file -> file.getFileName().toString())
              .filter(name -> !NOT_OF_THE_RUN.contains(name))
              .sorted()
              .toList();
      for (String name : names) {
        LogRecord of = LogRecord.of(folder.files(), name);
        Map<String, Object> file = new LinkedHashMap<>();
        file.put("name", name);
        file.put("bytes", of.bytes());
        file.put("sha256", of.sha256());
        file.put("published", whole.contains(name) ? "whole" : logs.contains(name) ? "merged" : "left-out");
        files.add(file);
      }
    }
    Map<String, Object> list = new LinkedHashMap<>();
    list.put("schema_version", 1);
    list.put("run_id", run.runId());
    list.put("archive", run.runId() + ".tar.gz");
    list.put("files", files);
    return RunFolder.tree(list).toPrettyString() + "\n";
  }
}
