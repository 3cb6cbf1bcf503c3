package echoladder.harness.results;

import echoladder.harness.common.Refusal;
import echoladder.harness.common.Shown;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
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

/**
 * The folder of one run. What is written is either whole or was not written: a file takes its place by renaming, after
 * it has reached the disk.
 */
public record RunFolder(Path dir) {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);
  private static final int ATTEMPTS = 10;
  private static final String HALF_PREFIX = ".";
  private static final String HALF_ENDING = ".next";
  private static final String PROBE = ".probe";
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
      Files.createDirectories(parent);
      for (int i = 0; i < ATTEMPTS; i++) {
        Path dir = parent.resolve("%s-%04x".formatted(TIME.format(now), random.nextInt(1 << 16)));
        try {
          return new RunFolder(Files.createDirectory(dir));
        } catch (FileAlreadyExistsException e) {
          // Another run began in the same second with the same suffix: draw again.
        }
      }
      throw Refusal.cannotRun("no free run folder in " + parent + " after " + ATTEMPTS + " attempts");
    } catch (IOException e) {
      throw Refusal.cannotRun("cannot create a run folder in " + parent + ": " + e + "; give another with --results DIR");
    }
  }

  /** The run's id. */
  public String runId() {
    return dir.getFileName().toString();
  }

  /** A file in it. */
  public Path file(String name) {
    return dir.resolve(name);
  }

  /** The names of a rung's files without their endings; {@code repeats} of the study. */
  public static String stem(String label, int connections, int repeat, int repeats) {
    return "%07d-%s%s".formatted(connections, label, repeats == 1 ? "" : "-r" + repeat);
  }

  /** Whether that is the name of a file that was to replace another and never did. */
  public static boolean isHalf(String name) {
    return name.startsWith(HALF_PREFIX) && name.endsWith(HALF_ENDING);
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
              .formatted(results, e));
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
    replace("run.json", json(run));
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

  /** Replaces a file by a text, as it may be shown: others look at it on terminals. */
  public void replace(String name, String text) throws IOException {
    Path next = dir.resolve(HALF_PREFIX + name + HALF_ENDING);
    try (FileChannel channel =
        FileChannel.open(
            next, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
      ByteBuffer bytes = StandardCharsets.UTF_8.encode(Shown.text(text));
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(true);
    } catch (IOException e) {
      // On a full disk a half would take the room that others need.
      Files.deleteIfExists(next);
      throw e;
    }
    Files.move(next, dir.resolve(name), StandardCopyOption.ATOMIC_MOVE);
    // Renaming is safe once the folder itself is on the disk.
    try (FileChannel folder = FileChannel.open(dir, StandardOpenOption.READ)) {
      folder.force(true);
    }
  }

  /**
   * Reads run.json of a folder.
   *
   * @throws Refusal (bad usage) where there is none or it is not one of this version
   */
  public RunRecord read() {
    Path file = dir.resolve("run.json");
    try {
      return parse(Files.readString(file));
    } catch (NoSuchFileException e) {
      throw Refusal.badUsage(file + ": there is no such file; give the folder of a run, results/STUDY/RUN-ID");
    } catch (IOException e) {
      throw Refusal.badUsage(file + ": cannot be read: " + e.getMessage());
    } catch (IllegalArgumentException e) {
      throw Refusal.badUsage(file + ": " + e.getMessage());
    }
  }

  /** Reads the text of a run.json; an {@link IllegalArgumentException} says what is wrong with it. */
  public static RunRecord parse(String text) {
    RunRecord run = value(text, RunRecord.class, "run.json");
    if (run.schemaVersion() != RunRecord.SCHEMA_VERSION) {
      throw new IllegalArgumentException(
          "its schema_version is " + run.schemaVersion() + ", this ladder reads " + RunRecord.SCHEMA_VERSION);
    }
    return run;
  }

  /** Reads what {@link #tree} made; an {@link IllegalArgumentException} says what is wrong with the text. */
  public static <T> T value(String text, Class<T> type, String name) {
    try {
      return JSON.readValue(text, type);
    } catch (JacksonException e) {
      throw new IllegalArgumentException("not a " + name + " of this ladder: " + e.getOriginalMessage(), e);
    }
  }
}
