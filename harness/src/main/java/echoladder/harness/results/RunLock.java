package echoladder.harness.results;

import echoladder.harness.common.Refusal;
import echoladder.linux.ErrorText;
import echoladder.linux.process.Starter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * Whose a run folder is while its run is under way: the file {@code run.lock}, locked, with the harness's {@link Starter}
 * in it. The kernel's lock goes with its process however that ends; the text tells whom the processes belong to that a
 * killed harness has left, and reaches across the kernels of a lab and its host, which a lock does not.
 */
public final class RunLock implements AutoCloseable {
  private static final String NAME = "run.lock";

  private final Path file;
  private final FileChannel channel;
  private final FileLock lock;
  private final @Nullable Starter previous;

  private RunLock(Path file, FileChannel channel, FileLock lock, @Nullable Starter previous) {
    this.file = file;
    this.channel = channel;
    this.lock = lock;
    this.previous = previous;
  }

  /**
   * Locks a folder for as long as this is open. It is this process's beyond that with {@link #take}.
   *
   * @throws Refusal (cannot run) where a living harness has it, or may have it, or where it cannot be written
   */
  public static RunLock of(RunFolder folder) {
    Path file = folder.file(NAME);
    FileChannel channel = null;
    RunLock made = null;
    try {
      channel =
          FileChannel.open(
              file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
      Starter owner = Starter.parse(text(channel));
      FileLock lock = channel.tryLock();
      if (lock == null) {
        throw inUse(folder, owner);
      }
      if (owner != null && !owner.equals(Starter.own())) {
        refuseLiving(folder, owner);
      }
      made = new RunLock(file, channel, lock, owner);
      return made;
    } catch (NoSuchFileException e) {
      throw Refusal.badUsage(folder.dir() + ": there is no such folder; give that of a run, results/STUDY/RUN-ID");
    } catch (IOException e) {
      throw Refusal.cannotRun("cannot write into the run folder " + folder.dir() + ": " + ErrorText.of(e));
    } finally {
      if (made == null) {
        close(channel);
      }
    }
  }

  private static void refuseLiving(RunFolder folder, Starter owner) {
    if (owner.alive()) {
      throw inUse(folder, owner);
    }
    // Only in a lab is another kernel's process this one's starter.
    boolean inLab = !Starter.own().bootId().equals(Starter.kernel());
    if (inLab && owner.bootId().equals(Starter.own().bootId())) {
      throw Refusal.cannotRun(
          ("the run in %s was last climbed by process %d of the host, and from inside a lab nobody can see whether that still runs;"
              + " resume it from outside: './ladder run --resume %s' boots a lab by itself where the run was made in one")
              .formatted(folder.dir(), owner.pid(), folder.dir()));
    }
  }

  private static Refusal inUse(RunFolder folder, @Nullable Starter owner) {
    return Refusal.cannotRun(
        ("the run in %s is being climbed, or its report written%s; wait for its end, or end it (Ctrl-C there, or kill -INT) and resume it"
            + " then")
            .formatted(folder.dir(), owner == null ? "" : ", by process " + owner.pid()));
  }

  private static @Nullable String text(FileChannel channel) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(256);
    channel.read(bytes, 0);
    return StandardCharsets.UTF_8.decode(bytes.flip()).toString();
  }

  /** Who had it before; null where nobody had, or the file does not say. */
  public @Nullable Starter previous() {
    return previous;
  }

  /** Writes into it whose it is now. */
  public RunLock take() throws IOException {
    channel.truncate(0);
    channel.write(StandardCharsets.UTF_8.encode(Starter.own().text() + "\n"), 0);
    channel.force(true);
    return this;
  }

  /** Removes the file: the run has come to its end, so whoever gets a lock on what was removed finds nothing to resume. */
  public void remove() throws IOException {
    Files.deleteIfExists(file);
  }

  /** Unlocks it. */
  @Override
  public void close() {
    try {
      lock.release();
    } catch (IOException e) {
      // It goes with the channel.
    }
    close(channel);
  }

  private static void close(@Nullable FileChannel channel) {
    try {
      if (channel != null) {
        channel.close();
      }
    } catch (IOException e) {
      // Nothing was written that its writer has not forced.
    }
  }
}
