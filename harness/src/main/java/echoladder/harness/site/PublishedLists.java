package echoladder.harness.site;

import echoladder.harness.common.Csv;
import echoladder.harness.common.Refusal;
import echoladder.harness.published.ClimbEnd;
import echoladder.harness.published.Climbs;
import echoladder.harness.published.Point;
import echoladder.harness.published.Points;
import echoladder.harness.published.PublishedRuns;
import echoladder.harness.results.Instrument;
import echoladder.harness.results.RunFolder;
import echoladder.linux.ErrorText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What is published, as {@code ./ladder index} lists it.
 *
 * @param runs rows of index.csv, the latest first
 * @param points of all runs
 * @param climbs of all runs
 * @param studies the folder below studies/ by the name of a study in it
 * @param instruments the instrument's version by {@code STUDY/RUN-ID}; none where the records of the runs are not here
 */
record PublishedLists(
    List<Map<String, String>> runs, List<Point> points, List<ClimbEnd> climbs, Map<String, String> studies,
    Map<String, Integer> instruments) {
  private static final Pattern NAME = Pattern.compile("(?m)^name: *([a-z0-9-]+) *$");

  /**
   * Reads them.
   *
   * @throws Refusal (bad usage) where a list is missing, empty or not one
   */
  static PublishedLists read(Path root) {
    Path results = root.resolve("results");
    List<Map<String, String>> runs = index(results.resolve(PublishedRuns.INDEX));
    if (runs.isEmpty()) {
      throw Refusal.badUsage(
          "results/%s lists no run, so a site would have pages without results; publish a run (docs/SUBMIT.md), then './ladder index'"
              .formatted(PublishedRuns.INDEX));
    }
    Map<String, Integer> instruments = new TreeMap<>();
    runs.forEach(run -> instrument(root, run, instruments));
    return new PublishedLists(
        runs.stream().sorted(Comparator.comparing((Map<String, String> run) -> text(run, "started_at")).reversed()).toList(),
        Points.read(results.resolve(PublishedRuns.POINTS)).all(), Climbs.read(results.resolve(PublishedRuns.CLIMBS)).all(), studies(root),
        instruments);
  }

  private static List<Map<String, String>> index(Path file) {
    try {
      return Csv.rows(Files.readString(file));
    } catch (NoSuchFileException e) {
      throw Refusal.badUsage(
          "there is no results/%s, so there are no results to show; './ladder index' writes it from the runs in results/reference"
              .formatted(PublishedRuns.INDEX));
    } catch (IOException e) {
      throw Refusal.badUsage(file + " cannot be read: " + ErrorText.of(e));
    } catch (IllegalArgumentException e) {
      throw Refusal.badUsage(file + ": " + e.getMessage() + "; './ladder index' writes it anew");
    }
  }

  private static void instrument(Path root, Map<String, String> run, Map<String, Integer> into) {
    Path folder = root.resolve(folder(run));
    if (Files.isDirectory(folder) && new RunFolder(folder).hasRecord()) {
      try {
        JsonNode record = JsonMapper.shared().readTree(new RunFolder(folder).recordText());
        into.put(id(run), Math.max(Instrument.UNRECORDED, record.path("instrument_version").asInt(0)));
      } catch (IOException e) {
        throw Refusal.badUsage(folder + ": the record of the run cannot be read: " + ErrorText.of(e));
      }
    }
  }

  private static Map<String, String> studies(Path root) {
    Map<String, String> studies = new TreeMap<>();
    try (Stream<Path> files = Files.walk(root.resolve("studies"), 2)) {
      for (Path file : files.filter(of -> of.toString().endsWith(".yaml")).sorted().toList()) {
        Matcher name = NAME.matcher(Files.readString(file));
        if (name.find()) {
          studies.put(name.group(1), String.valueOf(file.resolveSibling("").getFileName()));
        }
      }
      return studies;
    } catch (IOException e) {
      throw Refusal.badUsage("studies/ cannot be read: " + ErrorText.of(e));
    }
  }

  /** {@code STUDY/RUN-ID} of a run. */
  static String id(Map<String, String> run) {
    return text(run, "study") + "/" + text(run, "run_id");
  }

  /** The folder of a run, from the root of the repository. */
  static String folder(Map<String, String> run) {
    return folder(id(run));
  }

  /** The folder of a run by its {@code STUDY/RUN-ID}. */
  static String folder(String id) {
    return "results/reference/" + id;
  }

  /** The first digits of the commit that a run was made with. */
  static String commit(Map<String, String> run) {
    return text(run, "git_commit").replaceFirst("^(.{7}).*", "$1");
  }

  static String text(Map<String, String> row, String column) {
    return row.getOrDefault(column, "");
  }

  static long count(Map<String, String> row, String column) {
    String text = text(row, column);
    return text.matches("\\d{1,18}") ? Long.parseLong(text) : 0;
  }

  /** The day of a run. */
  static String day(Map<String, String> run) {
    return text(run, "started_at").replaceFirst("T.*", "");
  }

  /** Those of the runs that belong to a study's folder, the latest first. */
  List<Map<String, String>> runsOf(String study) {
    return runs.stream().filter(run -> study.equals(studies.get(text(run, "study")))).toList();
  }

  /** How many rungs were valid of those measured, or claims told of those asked, in words. */
  static String verdicts(Map<String, String> run) {
    long valid = count(run, "rungs_valid");
    long saturated = count(run, "rungs_saturated");
    long invalid = count(run, "rungs_invalid");
    if (valid + saturated + invalid > 0) {
      return "%,d %s valid%s%s".formatted(valid, valid == 1 ? "rung" : "rungs", some(saturated, "saturated"), some(invalid, "invalid"));
    }
    long hold = count(run, "claims_hold");
    return "%,d %s%s%s".formatted(
        hold, hold == 1 ? "claim holds" : "claims hold", some(count(run, "claims_do_not_hold"), "do not"),
        some(count(run, "claims_cannot_be_told"), "not told"));
  }

  private static String some(long count, String what) {
    return count == 0 ? "" : ", %,d %s".formatted(count, what);
  }

  /** What it was measured on, without its memory. */
  static String processors(Map<String, String> run) {
    long many = count(run, "processors");
    String lab = text(run, "lab");
    String where = lab.isEmpty() ? ", " + text(run, "cpu") : " in the lab (" + lab + ")";
    return "%,d %s%s".formatted(many, many == 1 ? "processor" : "processors", where);
  }

  /** What it was measured on. */
  static String host(Map<String, String> run) {
    return "%s, %.0f GiB".formatted(processors(run), count(run, "memory_bytes") / (double) (1L << 30));
  }

  /** A runtime's version without its name. */
  static String version(String runtime) {
    return runtime.replaceFirst("^.* VM ", "").replaceFirst("^go version go([0-9.]+).*", "$1");
  }
}
