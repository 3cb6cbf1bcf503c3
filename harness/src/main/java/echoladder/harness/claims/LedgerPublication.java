package echoladder.harness.claims;

import echoladder.harness.common.Refusal;
import echoladder.harness.report.Publication;
import echoladder.harness.results.LogRecord;
import echoladder.harness.results.PlainFiles;
import echoladder.harness.results.PublishedRecord;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord.Status;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * What of a ledger is published in the repository: ledger.json with the figures that its rules, its plots and its plan take,
 * LEDGER.md, run.json and REPORT.md of each climb, the latter without its plots, and published.json, which names every file of
 * the whole ledger by size and hash. JSON stands there without spaces. Where the reports of climbs do not fit, all of them are left out:
 * {@code ./ladder report} makes them of run.json. Where that does not fit either, the records of climbs are run.json.gz,
 * and after that ledger.json is ledger.json.gz.
 */
public final class LedgerPublication {
  private static final String STUDY = "claims";

  private static final String TEXT = "LEDGER.md";
  private static final String RUN = "run.json";
  private static final String REPORT = "REPORT.md";

  /** Figures of a run that no rule names: its plan takes the first, its doubts the others. */
  private static final Set<String> ALWAYS =
      Set.of(
          "process_ns", "process_cpu_ns", "held_peak_bytes", "memory_limit_bytes", "memory_limit_by", "runtime_version", "ended_by",
          "ended_detail");

  private LedgerPublication() {}

  /**
   * Publishes a ledger that has come to its end.
   *
   * @param to the folder of published runs; the ledger's is made below, as claims/RUN-ID
   * @return the new folder
   * @throws Refusal (bad usage) where it is not at its end, is published there already, or the ledgers would take more than
   *     {@link Publication#MOST_STUDY_BYTES}; nothing is left of it then
   * @throws IOException where it cannot be written
   */
  public static Path write(RunFolder folder, Ledger ledger, Path to) throws IOException {
    if (ledger.status() != Status.COMPLETE) {
      throw Refusal.badUsage(folder.dir() + " cannot be published: the ledger did not come to its end; run it again");
    }
    Path study = new PlainFiles(to).path(STUDY);
    Path target = new PlainFiles(study).path(ledger.runId());
    if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
      throw Refusal.badUsage(target + " is there already; a ledger is published once");
    }
    long before = Publication.published(study);
    List<Climb> climbs = climbs(folder, ledger);
    Map<String, LogRecord> whole = whole(folder.dir());
    long bytes = 0;
    for (Form form : Form.values()) {
      Map<String, byte[]> files = files(folder, ledger, climbs, form);
      files.put(Publication.LIST, utf8(list(ledger, whole, files.keySet())));
      bytes = files.values().stream().mapToLong(content -> content.length).sum();
      if (before + bytes <= Publication.MOST_STUDY_BYTES) {
        write(target, files);
        return target;
      }
    }
    throw Refusal.badUsage(
        ("%s cannot be published: it takes %,d bytes, and the ledgers in %s take %,d of the %,d that a study may;"
                + " take back one that nothing quotes, see docs/decisions/published-runs.md")
            .formatted(folder.dir(), bytes, study, before, Publication.MOST_STUDY_BYTES));
  }

  private static void write(Path target, Map<String, byte[]> files) throws IOException {
    for (Map.Entry<String, byte[]> content : files.entrySet()) {
      Path file = target.resolve(content.getKey());
      Path parent = Objects.requireNonNull(file.getParent());
      Files.createDirectories(parent);
      new PlainFiles(parent).replace(Objects.requireNonNull(file.getFileName()).toString(), content.getValue());
    }
  }

  /** How much of the climbs is published, and how. Each form takes less room than the one before. */
  private enum Form {
    WITH_REPORTS,
    RECORDS,
    PACKED_RECORDS,
    ALL_PACKED;

    private boolean packsClimbs() {
      return compareTo(PACKED_RECORDS) >= 0;
    }
  }

  /**
   * A climb of the ledger.
   *
   * @param folder below that of the ledger
   * @param record run.json, compact
   * @param report REPORT.md without its plots
   */
  private record Climb(String folder, String record, String report) {}

  private static List<Climb> climbs(RunFolder folder, Ledger ledger) throws IOException {
    List<Climb> climbs = new ArrayList<>();
    for (String name : ledger.entries().stream().flatMap(entry -> LedgerText.runs(entry).stream()).distinct().toList()) {
      RunFolder run = new RunFolder(folder.dir().resolve(name));
      climbs.add(
          new Climb(name, PublishedRecord.compact(run.read()), withoutPlots(run.files().text(REPORT, RunFolder.MOST_RECORD_BYTES))));
    }
    return climbs;
  }

  /** By their paths below the ledger. */
  private static Map<String, byte[]> files(RunFolder folder, Ledger ledger, List<Climb> climbs, Form form) throws IOException {
    Map<String, byte[]> files = new TreeMap<>();
    String record = RunFolder.tree(small(ledger)) + "\n";
    if (form == Form.ALL_PACKED) {
      files.put(PublishedRecord.packedName(LedgerFiles.RECORD), PublishedRecord.packed(record));
    } else {
      files.put(LedgerFiles.RECORD, utf8(record));
    }
    files.put(TEXT, utf8(folder.files().text(TEXT, RunFolder.MOST_RECORD_BYTES)));
    for (Climb climb : climbs) {
      if (form.packsClimbs()) {
        files.put(climb.folder + "/" + PublishedRecord.PACKED, PublishedRecord.packed(climb.record));
      } else {
        files.put(climb.folder + "/" + RUN, utf8(climb.record));
      }
      if (form == Form.WITH_REPORTS) {
        files.put(climb.folder + "/" + REPORT, utf8(climb.report));
      }
    }
    return files;
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Each stands in a line of its own. */
  private static String withoutPlots(String report) {
    return report.lines().filter(line -> !line.startsWith("![")).collect(Collectors.joining("\n", "", "\n"));
  }

  /** The ledger, each run with those figures alone that are taken of it; over time the first run of a step alone is drawn. */
  static Ledger small(Ledger ledger) {
    return ledger.with(
        ledger.entries().stream()
            .map(entry -> new Ledger.Entry(entry.claim(), entry.outcome(), small(entry)))
            .toList());
  }

  private static List<StepRun> small(Ledger.Entry entry) {
    return entry.runs().stream().map(run -> small(entry.claim(), run)).toList();
  }

  private static StepRun small(Claim claim, StepRun run) {
    return run.withFigures(run.figures() == null ? null : small(run.figures(), taken(claim, run)));
  }

  private static Set<String> taken(Claim claim, StepRun run) {
    Stream<Rule.StepFigure> ruled =
        claim.rules().stream()
            .flatMap(
                rule ->
                    switch (rule) {
                      case Rule.Within within -> Stream.concat(Stream.of(within.take()), Stream.ofNullable(within.over()));
                      case Rule.Ascending ascending -> ascending.figures().stream();
                      case Rule.Ends _ -> Stream.empty();
                    });
    Stream<Rule.StepFigure> beside = claim.beside().stream().flatMap(shown -> shown.figures().stream());
    Set<String> names =
        Stream.concat(ruled, beside)
            .filter(figure -> figure.step().equals(run.step()))
            .map(Rule.StepFigure::figure)
            .collect(Collectors.toCollection(HashSet::new));
    names.addAll(ALWAYS);
    for (Claim.Plot plot : claim.plots()) {
      names.add(plot.overTime() && run.repeat() == 1 ? "over_time" : plot.figure());
    }
    return names;
  }

  private static JsonNode small(JsonNode figures, Set<String> taken) {
    ObjectNode kept = JsonMapper.shared().createObjectNode();
    figures
        .properties()
        .forEach(
            figure -> {
              String name = figure.getKey();
              if (taken.contains(name) || taken.contains(Rule.StepFigure.base(name)) || name.startsWith(ClimbFigures.INVALID)) {
                kept.set(name, figure.getValue());
              }
            });
    return kept;
  }

  /** Every file of the ledger with its size and hash, so that a copy of the whole that is kept elsewhere can be checked. */
  private static String list(Ledger ledger, Map<String, LogRecord> whole, Set<String> published) {
    List<Map<String, Object>> files = new ArrayList<>();
    whole.forEach(
        (name, file) -> {
          Map<String, Object> row = new LinkedHashMap<>();
          row.put("name", name);
          row.put("bytes", file.bytes());
          row.put("sha256", file.sha256());
          row.put("published", how(name, published));
          files.add(row);
        });
    Map<String, Object> list = new LinkedHashMap<>();
    list.put("schema_version", 1);
    list.put("run_id", ledger.runId());
    list.put("archive", ledger.runId() + ".tar.gz");
    list.put("files", files);
    return RunFolder.tree(list) + "\n";
  }

  private static String how(String name, Set<String> published) {
    if (published.contains(name)) {
      return name.equals(TEXT) ? "whole" : "shortened";
    }
    return published.contains(PublishedRecord.packedName(name)) ? "packed" : "left-out";
  }

  private static Map<String, LogRecord> whole(Path dir) throws IOException {
    Map<String, LogRecord> whole = new LinkedHashMap<>();
    for (String name : names(dir)) {
      Path file = dir.resolve(name);
      PlainFiles parent = new PlainFiles(Objects.requireNonNull(file.getParent()));
      whole.put(name, LogRecord.of(parent, Objects.requireNonNull(file.getFileName()).toString()));
    }
    return whole;
  }

  private static List<String> names(Path dir) throws IOException {
    try (Stream<Path> all = Files.walk(dir)) {
      return all.filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
          .map(file -> dir.relativize(file).toString())
          .filter(name -> !name.endsWith("run.lock"))
          .sorted()
          .toList();
    } catch (UncheckedIOException e) {
      throw new IOException("cannot list " + dir, e);
    }
  }
}
