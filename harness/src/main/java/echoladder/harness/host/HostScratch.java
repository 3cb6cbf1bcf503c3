package echoladder.harness.host;

import echoladder.harness.common.Folders;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The folder of a control process for what its server says. It goes with the process. One that was killed cannot remove it, so
 * the next control process of the same user does: the lock on a file in the folder is held as long as the owner lives.
 */
final class HostScratch implements AutoCloseable {
  private static final String NAME = "echo-ladder-host";
  private static final String OWNED = ".owned";
  private static final String PROBE = ".probe";

  /** A block of any usual file system. */
  private static final int PROBE_BYTES = 4 << 10;

  /** A younger folder may not have its lock yet. */
  private static final Duration YOUNG = Duration.ofMinutes(1);

  private final Path dir;
  private final FileChannel owned;

  private HostScratch(Path dir, FileChannel owned) {
    this.dir = dir;
    this.owned = owned;
  }

  /** Makes one, after those that nobody owns any more were removed. */
  static HostScratch in(Path parent) throws IOException {
    Path dir = Files.createTempDirectory(parent, NAME);
    FileChannel owned = FileChannel.open(dir.resolve(OWNED), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    FileLock lock = owned.tryLock();
    if (lock == null) {
      throw new IOException(dir + " was just made, and another process has its lock");
    }
    removeOrphans(parent, dir);
    HostScratch made = new HostScratch(dir, owned);
    try {
      made.probe();
    } catch (IOException e) {
      made.close();
      throw e;
    }
    return made;
  }

  /**
   * Writes a block, and removes it.
   *
   * @throws IOException with the folder's name, where there is no room for that
   */
  void probe() throws IOException {
    Path file = dir.resolve(PROBE);
    try {
      Files.write(file, new byte[PROBE_BYTES]);
      Files.delete(file);
    } catch (IOException e) {
      throw new IOException("cannot write to %s: %s".formatted(dir, e.getMessage()), e);
    }
  }

  /** Its path. */
  Path dir() {
    return dir;
  }

  private static void removeOrphans(Path parent, Path own) throws IOException {
    try (DirectoryStream<Path> all = Files.newDirectoryStream(parent, NAME + "*")) {
      for (Path other : all) {
        if (!other.equals(own) && orphaned(other, own)) {
          remove(other);
        }
      }
    }
  }

  /** Whether it was such a folder of the same user whose process is dead. */
  private static boolean orphaned(Path other, Path own) {
    Path file = other.resolve(OWNED);
    try {
      if (!Files.isDirectory(other, LinkOption.NOFOLLOW_LINKS)
          || !Files.getOwner(other, LinkOption.NOFOLLOW_LINKS).equals(Files.getOwner(own))
          || !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
          || Files.getLastModifiedTime(file).toInstant().isAfter(Instant.now().minus(YOUNG))) {
        return false;
      }
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
        return free(channel);
      }
    } catch (IOException e) {
      // It went just now, or is not this user's to look at.
      return false;
    }
  }

  private static boolean free(FileChannel channel) throws IOException {
    try {
      @Nullable FileLock lock = channel.tryLock();
      return lock != null;
    } catch (OverlappingFileLockException e) {
      // This process owns it.
      return false;
    }
  }

  private static void remove(Path dir) {
    try {
      Folders.delete(dir);
    } catch (IOException e) {
      System.err.println("ladder: " + dir + " cannot be removed: " + e.getMessage());
    }
  }

  /** Removes it; a second time does nothing. */
  @Override
  public void close() {
    if (!Files.isDirectory(dir)) {
      return;
    }
    remove(dir);
    try {
      owned.close();
    } catch (IOException e) {
      System.err.println("ladder: the lock of " + dir + " cannot be let go: " + e.getMessage());
    }
  }
}
