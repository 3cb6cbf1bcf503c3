package echoladder.harness.results;

import echoladder.harness.common.Refusal;
import echoladder.harness.common.SafeText;
import echoladder.linux.ErrorText;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.cfg.EnumFeature;
import tools.jackson.databind.json.JsonMapper;

/** The folder of one run. What is written is either whole or was not written, see {@link PlainFiles}. */
public record RunFolder(Path dir) {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);
  private static final int ATTEMPTS = 10;
  static final String RECORD = "run.json";
  private static final String PROBE = ".probe";

  /** A rung takes 4 to 10 KB there; the most that is read of a file of that kind. */
  public static final long MOST_RECORD_BYTES = 64L << 20;

  private static final int PROBE_BYTES = 64 << 10;
  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(SerializationFeature.INDENT_OUTPUT)
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(EnumFeature.WRITE_ENUMS_TO_LOWERCASE)
          .enable(MapperFeature.ACCEPT_CASE_INSENSITIVE_ENUMS)
          .build();

  /**
   * Creates {@code results/study/TIME-RANDOM}, which is this run's alone.
   *
   * @throws Refusal (cannot run) where it cannot be created
   */
  public static RunFolder create(Path results, String study, Instant now, RandomGenerator random) {
    Path parent = results.resolve(study);
    try {
      createSettled(parent);
      for (int i = 0; i < ATTEMPTS; i++) {
        Path dir = parent.resolve("%s-%04x".formatted(TIME.format(now), random.nextInt(1 << 16)));
        try {
          RunFolder folder = new RunFolder(Files.createDirectory(dir));
          PlainFiles.settle(parent);
          return folder;
        } catch (FileAlreadyExistsException e) {
          // Another run began in the same second with the same suffix: draw again.
        }
      }
      throw Refusal.cannotRun("no free run folder in " + parent + " after " + ATTEMPTS + " attempts");
    } catch (IOException e) {
      throw Refusal.cannotRun("cannot create a run folder in " + parent + ": " + ErrorText.of(e) + "; give another with --results DIR");
    }
  }

  /** Creates a folder and those above that there are not yet, and returns when the disk has them. */
  private static void createSettled(Path folder) throws IOException {
    Path above = folder.toAbsolutePath().getParent();
    if (!Files.exists(folder) && above != null) {
      createSettled(above);
      Files.createDirectories(folder);
      PlainFiles.settle(above);
    }
    Files.createDirectories(folder);
  }

  /** The run's id. */
  public String runId() {
    return dir.getFileName().toString();
  }

  /**
   * A folder that exists and may be somebody else's: it is looked at before anything in it is opened.
   *
   * @throws Refusal (bad usage) where something lies in it that no run writes
   */
  public static RunFolder open(Path dir) {
    RunFolder folder = new RunFolder(dir);
    folder.files().examined();
    return folder;
  }

  /** What reads and writes its files. */
  public PlainFiles files() {
    return new PlainFiles(dir);
  }

  /** The path of a file in it; an {@link IllegalArgumentException} where the name leads out of it. */
  public Path file(String name) {
    return files().path(name);
  }

  /** What the file of a profile's stacks ends in. */
  public static final String STACKS = ".stacks";

  /** What the files of a rung end in: its interval log, what its server and its client said, and stacks that a profiler took. */
  public static final List<String> ENDINGS = List.of(".hlog", ".server.log", ".client.log", STACKS);

  /** Returns when all that there is of a rung is on the disk, by the name of its files without their endings. */
  public void settle(String stem) throws IOException {
    for (String ending : ENDINGS) {
      if (files().has(stem + ending)) {
        PlainFiles.settle(file(stem + ending));
      }
    }
    PlainFiles.settle(dir);
  }

  /**
   * Refuses a folder for results that takes no files, before anything is started.
   *
   * @throws Refusal (cannot run) that says why
   */
  public static void refuseUnwritable(Path results) {
    Path there = results.toAbsolutePath();
    while (!Files.exists(there) && there.getParent() != null) {
      there = there.getParent();
    }
    try {
      Files.delete(Files.write(Files.createTempFile(there, PROBE, ""), new byte[PROBE_BYTES]));
    } catch (IOException e) {
      throw Refusal.cannotRun(
          "cannot create a run folder in %s: %s; nothing was started; give another with --results DIR"
              .formatted(results, ErrorText.of(e)));
    }
  }

  /** Tries to write as much as a run.json has. */
  public void probe() throws UnwritableException {
    try {
      replace(PROBE, "x".repeat(PROBE_BYTES));
      Files.delete(file(PROBE));
    } catch (IOException e) {
      throw new UnwritableException("cannot write into the run's folder", e);
    }
  }

  /** Replaces run.json. */
  public void write(RunRecord run) throws IOException {
    replace(RECORD, json(run));
  }

  /** Replaces environment.json. */
  public void writeEnvironment(Map<String, @Nullable Object> environment) throws IOException {
    replace("environment.json", JSON.writeValueAsString(environment) + "\n");
  }

  /** A run as the text of run.json. */
  public static String json(RunRecord run) {
    return JSON.writeValueAsString(run) + "\n";
  }

  /** A part of a run as it stands in run.json. */
  public static JsonNode tree(Object part) {
    return JSON.valueToTree(part);
  }

  /** Replaces a file by a text, as it may be shown: others look at it on terminals. See {@link PlainFiles#replace}. */
  public void replace(String name, String text) throws IOException {
    files().replace(name, SafeText.text(text));
  }

  /**
   * Reads run.json of a folder.
   *
   * @throws Refusal (bad usage) where there is none, it is not one of this version, or its schema has something against it
   */
  public RunRecord read() {
    Path file = file(RECORD);
    try {
      return parse(recordText());
    } catch (NoSuchFileException e) {
      throw Refusal.badUsage(file + ": there is no such file; give the folder of a run, results/STUDY/RUN-ID");
    } catch (IOException e) {
      throw Refusal.badUsage(file + ": cannot be read: " + ErrorText.of(e));
    } catch (IllegalArgumentException e) {
      throw Refusal.badUsage(file + ": " + e.getMessage());
    }
  }

  /** The text of its record; of a published run it may be compressed. */
  public String recordText() throws IOException {
    return recordText(RECORD);
  }

  /** The text of a record with another name, as ledger.json is; of a published run it may be compressed. */
  public String recordText(String name) throws IOException {
    boolean packed = !files().has(name) && files().has(PublishedRecord.packedName(name));
    return packed ? PublishedRecord.unpacked(files(), name) : files().text(name, MOST_RECORD_BYTES);
  }

  /** Whether it has the record of a run. */
  public boolean hasRecord() {
    return hasRecord(RECORD);
  }

  /** Whether it has a record of that name, compressed or not. */
  public boolean hasRecord(String name) {
    return files().has(name) || files().has(PublishedRecord.packedName(name));
  }

  /** Whether a file is the record of a run, by its name. */
  public static boolean isRecord(Path file) {
    return isRecord(file, RECORD);
  }

  /** Whether a file is a record of that name, compressed or not. */
  public static boolean isRecord(Path file, String name) {
    return file.endsWith(name) || file.endsWith(PublishedRecord.packedName(name));
  }

  /** Reads the text of a run.json; an {@link IllegalArgumentException} says what is wrong with it. */
  public static RunRecord parse(String text) {
    RunRecord run = value(text, RunRecord.class, "run");
    try {
      Instant.parse(run.startedAt());
    } catch (DateTimeParseException e) {
      // The 30th of a February, which a schema has no words for.
      throw new IllegalArgumentException("not a run.json of this ladder: /started_at: " + e.getMessage(), e);
    }
    String complaint = RunParts.complaint(run);
    if (!complaint.isEmpty()) {
      throw new IllegalArgumentException("not a run.json of this ladder: " + complaint);
    }
    return run;
  }

  /**
   * Reads what {@link #tree} made, once its schema has nothing against it; an {@link IllegalArgumentException} says what is
   * wrong with the text.
   *
   * @param name of its file without the ending, and of its schema
   */
  public static <T> T value(String text, Class<T> type, String name) {
    try {
      JsonNode tree = JSON.readTree(text);
      JsonNode version = tree.path("schema_version");
      if (version.isInt() && version.asInt() != RunRecord.SCHEMA_VERSION) {
        throw new IllegalArgumentException(
            "its schema_version is %d, this ladder reads %d".formatted(version.asInt(), RunRecord.SCHEMA_VERSION));
      }
      String complaint = RecordSchema.complaint(name, tree);
      if (!complaint.isEmpty()) {
        throw new IllegalArgumentException("not a %s.json of this ladder: %s".formatted(name, complaint));
      }
      return part(tree, type);
    } catch (JacksonException e) {
      throw new IllegalArgumentException("not a %s.json of this ladder: %s".formatted(name, e.getOriginalMessage()), e);
    }
  }

  /** Reads a record, or a part of one, that its schema has nothing against; a {@link JacksonException} where it does not fit. */
  public static <T> T part(JsonNode checked, Class<T> type) {
    return JSON.treeToValue(checked, type);
  }
}
