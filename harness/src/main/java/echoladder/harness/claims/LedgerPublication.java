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
 * {@code ./ladder report} makes them of run.json. Where that does not fit either, the records of climbs are run.json.gz.
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
    Map<String, byte[]> files = Map.of();
    long bytes = Long.MAX_VALUE / 2;
    for (Form form : Form.values()) {
      if (before + bytes > Publication.MOST_STUDY_BYTES) {
        files = files(folder, ledger, form);
        bytes = files.values().stream().mapToLong(content -> content.length).sum();
      }
    }
    if (before + bytes > Publication.MOST_STUDY_BYTES) {
      throw Refusal.badUsage(
          ("%s cannot be published: it takes %,d bytes, and the ledgers in %s take %,d of the %,d that a study may;"
                  + " take back one that nothing quotes, see docs/decisions/published-runs.md")
              .formatted(folder.dir(), bytes, study, before, Publication.MOST_STUDY_BYTES));
    }
    for (Map.Entry<String, byte[]> content : files.entrySet()) {
      Path file = target.resolve(content.getKey());
      Path parent = Objects.requireNonNull(file.getParent());
      Files.createDirectories(parent);
      new PlainFiles(parent).replace(Objects.requireNonNull(file.getFileName()).toString(), content.getValue());
    }
    return target;
  }

  /** What stands there of a climb, the largest first. */
  private enum Form {
    WITH_REPORTS(true, false),
    RECORDS(false, false),
    PACKED_WITH_REPORTS(true, true),
    PACKED(false, true);

    private final boolean reports;
    private final boolean packed;

    Form(boolean reports, boolean packed) {
      this.reports = reports;
      this.packed = packed;
    }
  }

  /** By their paths below the ledger. */
  private static Map<String, byte[]> files(RunFolder folder, Ledger ledger, Form form) throws IOException {
    Map<String, byte[]> files = new TreeMap<>();
    files.put(LedgerFiles.RECORD, utf8(RunFolder.tree(small(ledger)) + "\n"));
    files.put(TEXT, utf8(folder.files().text(TEXT, RunFolder.MOST_RECORD_BYTES)));
    for (String climb : climbs(ledger)) {
      RunFolder run = new RunFolder(folder.dir().resolve(climb));
      String record = PublishedRecord.compact(run.read());
      if (form.packed) {
        files.put(climb + "/" + PublishedRecord.PACKED, PublishedRecord.packed(record));
      } else {
        files.put(climb + "/" + RUN, utf8(record));
      }
      if (form.reports) {
        files.put(climb + "/" + REPORT, utf8(withoutPlots(run.files().text(REPORT, RunFolder.MOST_RECORD_BYTES))));
      }
    }
    files.put(Publication.LIST, utf8(list(folder, ledger, files.keySet())));
    return files;
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Each stands in a line of its own. */
  private static String withoutPlots(String report) {
    return report.lines().filter(line -> !line.startsWith("![")).collect(Collectors.joining("\n", "", "\n"));
  }

  private static List<String> climbs(Ledger ledger) {
    return ledger.entries().stream().flatMap(entry -> LedgerText.runs(entry).stream()).distinct().toList();
  }

  /** The same with nothing of a run's figures but what is taken of them; over time the first run of a step alone is drawn. */
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
  private static String list(RunFolder folder, Ledger ledger, Set<String> published) throws IOException {
    List<Map<String, Object>> files = new ArrayList<>();
    for (String name : names(folder.dir())) {
      Path file = folder.dir().resolve(name);
      PlainFiles parent = new PlainFiles(Objects.requireNonNull(file.getParent()));
      LogRecord of = LogRecord.of(parent, Objects.requireNonNull(file.getFileName()).toString());
      Map<String, Object> row = new LinkedHashMap<>();
      row.put("name", name);
      row.put("bytes", of.bytes());
      row.put("sha256", of.sha256());
      boolean packed = name.endsWith(RUN) && published.contains(name + ".gz");
      row.put("published", packed ? "packed" : !published.contains(name) ? "left-out" : name.equals(TEXT) ? "whole" : "shortened");
      files.add(row);
    }
    Map<String, Object> list = new LinkedHashMap<>();
    list.put("schema_version", 1);
    list.put("run_id", ledger.runId());
    list.put("archive", ledger.runId() + ".tar.gz");
    list.put("files", files);
    return RunFolder.tree(list) + "\n";
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
