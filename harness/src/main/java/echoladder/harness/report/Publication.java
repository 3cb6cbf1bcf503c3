package echoladder.harness.report;

import echoladder.harness.common.Refusal;
import echoladder.harness.results.PlainFiles;
import echoladder.harness.results.PublishedRecord;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Publishes a run in the repository: as much of it as the form says that fits, see {@link Form}; the histograms of every rung, merged, in
 * {@link PublishedRecord#TIMES}; and published.json, which names every file of the whole run by size and hash. Why that and no more is in
 * docs/decisions/published-runs.md.
 */
public final class Publication {
  /** What the published runs of one study may take together without their histograms; a repository never shrinks. */
  public static final long MOST_STUDY_BYTES = 2_000_000;

  /** What the histograms of one study's published runs may take together: five runs of a hundred rungs. */
  public static final long MOST_TIMES_BYTES = 6_000_000;

  /** The list of what the whole run has. A run that has it was published by this class. */
  public static final String LIST = PublishedRecord.LIST;

  /** How much of a run is published. Each form takes less room than the one before. */
  public enum Form {
    /** The record, compact, and REPORT.md with its plots. */
    WITH_PLOTS,
    /** The record compressed, and REPORT.md without its plots: both follow from the record. */
    LEAST
  }

  private Publication() {}

  /**
   * Publishes a run that has come to its end, and whose report has been written: in the first form from the given one on that fits.
   *
   * @param to the folder of published runs; the run's is made below, as STUDY/RUN-ID
   * @return the new folder
   * @throws Refusal (bad usage) where the run is not at its end, a log of it is not whole, it is published there already, or
   *     the study's runs would take more than {@link #MOST_STUDY_BYTES}; nothing is left of it then
   * @throws IOException where it cannot be written
   */
  public static Path write(RunFolder folder, RunRecord run, Path to, Form from) throws IOException {
    if (run.status() == RunRecord.Status.RUNNING) {
      throw Refusal.badUsage(folder.dir() + " cannot be published: the run is not at its end; go on with ./ladder run --resume "
          + folder.dir());
    }
    Path study = new PlainFiles(to).path(run.study().name());
    Path target = new PlainFiles(study).path(run.runId());
    if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
      throw Refusal.badUsage(target + " is there already; a run is published once");
    }
    long before = published(study);
    PublishedFiles files = PublishedFiles.of(folder, run);
    boolean withTimes = times(study) + files.packedTimes().length <= MOST_TIMES_BYTES;
    for (Form form : Form.values()) {
      if (form.compareTo(from) < 0) {
        continue;
      }
      Map<String, byte[]> contents = files.in(form, withTimes);
      long bytes =
          contents.entrySet().stream()
              .filter(file -> !file.getKey().equals(PublishedRecord.TIMES))
              .mapToLong(file -> file.getValue().length)
              .sum();
      if (before + bytes <= MOST_STUDY_BYTES) {
        Files.createDirectories(target);
        for (Map.Entry<String, byte[]> file : contents.entrySet()) {
          new PlainFiles(target).replace(file.getKey(), file.getValue());
        }
        return target;
      }
      if (form == Form.LEAST) {
        throw Refusal.badUsage(
            ("%s cannot be published: without plots, and with its record compressed, it takes %,d bytes, and the runs of '%s'"
                + " in %s take %,d of the %,d that a study may; publish those with --least too, or fewer rungs or repeats, or take back"
                + " a run that nothing quotes, see docs/decisions/published-runs.md")
                .formatted(folder.dir(), bytes, run.study().name(), to, before, MOST_STUDY_BYTES));
      }
    }
    throw new IllegalStateException("no form after " + from);
  }

  /** What a published run lacks for want of room, in sentences with where to have it; none where it lacks nothing. */
  public static List<String> lacks(Path published, RunRecord run) {
    List<String> lacks = new ArrayList<>();
    if (!hasLogs(published, run)) {
      lacks.add(
          "without its histograms (%s), as those of a study may take %,d bytes: only the whole folder has what its percentiles follow from"
              .formatted(PublishedRecord.TIMES, MOST_TIMES_BYTES));
    }
    if (!Files.exists(published.resolve("run.json"))) {
      lacks.add("without its plots, and with its record compressed: './ladder report RUN --out DIR' draws the plots,"
          + " 'gunzip -k run.json.gz' gives the record");
    }
    return lacks;
  }

  /**
   * Refuses to write into the folder of a published run or ledger: one that has {@link #LIST}, or lies among those of a checkout, some of
   * which were published before there was such a list.
   *
   * @param reference the folder of published runs of the checkout
   * @param instead what to do instead, as the end of a sentence
   * @throws Refusal (bad usage)
   */
  public static void refuseToChange(Path folder, Path reference, String instead) {
    if (real(folder).startsWith(real(reference)) || Files.exists(folder.resolve(LIST), LinkOption.NOFOLLOW_LINKS)) {
      throw Refusal.badUsage(
          "%s is published, and nothing in it changes any more: what others quote of it stays as it was; %s".formatted(folder, instead));
    }
  }

  /** Without links where it is there. */
  private static Path real(Path folder) {
    try {
      return folder.toRealPath();
    } catch (IOException e) {
      return folder.toAbsolutePath().normalize();
    }
  }

  /** Whether a published run has what its percentiles follow from; so has one whose rungs have none. */
  static boolean hasLogs(Path published, RunRecord run) {
    return Files.exists(published.resolve(PublishedRecord.TIMES))
        || run.rungs().stream().map(RungRecord::histograms).filter(Objects::nonNull).allMatch(log -> Files.exists(published.resolve(log)));
  }

  /** Bytes of the runs below the folder of a study that were published by this class, without their histograms. */
  public static long published(Path study) throws IOException {
    if (!Files.isDirectory(study)) {
      return 0;
    }
    try (Stream<Path> runs = Files.list(study)) {
      return runs.filter(run -> Files.isRegularFile(run.resolve(LIST))).mapToLong(Publication::bytes).sum() - times(study);
    }
  }

  /** Bytes of the histograms below a folder, that of a study or of a run. */
  public static long times(Path folder) {
    return bytes(folder, file -> file.endsWith(PublishedRecord.TIMES));
  }

  /** Bytes of all files below a folder. */
  public static long bytes(Path folder) {
    return bytes(folder, _ -> true);
  }

  private static long bytes(Path folder, Predicate<Path> which) {
    if (!Files.isDirectory(folder)) {
      return 0;
    }
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).filter(which).mapToLong(file -> file.toFile().length()).sum();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot list " + folder, e);
    }
  }
}
