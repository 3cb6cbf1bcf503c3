package echoladder.harness.minimal;

import echoladder.harness.common.Refusal;
import echoladder.linux.ErrorText;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * The tries of one question, a line of JSON each, in a file that only grows: whatever ends the process, the tries before
 * stay. One process has it at a time; one thread.
 */
public final class TryLog implements AutoCloseable {
  /** The file in the question's folder. */
  public static final String NAME = "tries.jsonl";

  private static final long MOST_BYTES = 64L << 20;

  /** Begins the reason of a failure that has to be seen once more. */
  private static final String AGAIN = "no limit was named, so it is tried again: ";

  private final Path file;
  private final FileChannel channel;
  private final List<Tried> tries;

  private TryLog(Path file, FileChannel channel, List<Tried> tries) {
    this.file = file;
    this.channel = channel;
    this.tries = tries;
  }

  /**
   * Opens that of a folder, which is made where it is not there.
   *
   * @throws Refusal (cannot run) where another process has it, or it is not what this program writes
   */
  public static TryLog open(Path folder) {
    Path file = folder.resolve(NAME);
    try {
      Files.createDirectories(folder);
      FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.READ);
      if (!locked(channel)) {
        channel.close();
        throw Refusal.cannotRun("another 'tune minimal' is at work in " + folder + "; wait for its end");
      }
      String complete = complete(channel);
      List<Tried> tries = new ArrayList<>();
      for (String line : complete.lines().toList()) {
        tries.add(JsonMapper.shared().readValue(line, Tried.class));
      }
      // What stands beyond the complete lines is the beginning of one that a kill cut off.
      channel.truncate(complete.getBytes(StandardCharsets.UTF_8).length);
      channel.position(channel.size());
      return new TryLog(file, channel, tries);
    } catch (IOException | JacksonException e) {
      throw Refusal.cannotRun("the tries in %s cannot be read: %s; move the folder away to begin anew".formatted(file, ErrorText.of(e)));
    }
  }

  private static boolean locked(FileChannel channel) throws IOException {
    try {
      FileLock lock = channel.tryLock();
      return lock != null;
    } catch (OverlappingFileLockException e) {
      return false;
    }
  }

  private static String complete(FileChannel channel) throws IOException {
    if (channel.size() > MOST_BYTES) {
      throw new IOException("it is larger than 64 MiB");
    }
    ByteBuffer all = ByteBuffer.allocate((int) channel.size());
    while (all.hasRemaining() && channel.read(all) >= 0) {
      // Until all is read.
    }
    String text = new String(all.array(), 0, all.position(), StandardCharsets.UTF_8);
    return text.substring(0, text.lastIndexOf('\n') + 1);
  }

  /** What was decided of a set; empty where nothing was. */
  public Optional<Tried> decided(List<String> with) {
    return of(with).stream().filter(tried -> tried.answer() != MinimalSet.Answer.UNDECIDED).reduce((_, later) -> later);
  }

  /** Every try of a set, the first first. */
  public List<Tried> of(List<String> with) {
    Set<String> set = new HashSet<>(with);
    return tries.stream().filter(tried -> new HashSet<>(tried.with()).equals(set)).toList();
  }

  /**
   * A try as it counts: a failure for which no limit is named has to be seen twice, as something else may have been at fault. The
   * first one is undecided.
   */
  public Tried counted(Tried tried) {
    boolean nameless = tried.answer() == MinimalSet.Answer.FAILS && tried.limit() == null;
    boolean seen = of(tried.with()).stream().anyMatch(earlier -> earlier.reason().startsWith(AGAIN));
    return nameless && !seen ? tried.undecided(AGAIN + tried.reason()) : tried;
  }

  /** All tries, the first first. */
  public List<Tried> all() {
    return List.copyOf(tries);
  }

  /**
   * Adds one; it is on the disk when this returns.
   *
   * @throws Refusal (cannot run) where the disk takes nothing more
   */
  public void add(Tried tried) {
    try {
      ByteBuffer line = ByteBuffer.wrap((JsonMapper.shared().writeValueAsString(tried) + "\n").getBytes(StandardCharsets.UTF_8));
      while (line.hasRemaining()) {
        channel.write(line);
      }
      channel.force(true);
      tries.add(tried);
    } catch (IOException e) {
      throw Refusal.cannotRun("a try could not be written to %s: %s; those before it are kept".formatted(file, ErrorText.of(e)));
    }
  }

  @Override
  public void close() {
    try {
      // The lock goes with it.
      channel.close();
    } catch (IOException e) {
      throw Refusal.cannotRun("cannot close " + file + ": " + e.getMessage());
    }
  }
}
