package echoladder.linux;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A folder for files that do not outlive their process. A process that was killed cannot remove its folders, so the next one of the
 * same user does: the lock on a file in the folder is held as long as the owner lives, whatever process namespace that is in. Any
 * thread may make one.
 */
public final class OwnedFolder implements AutoCloseable {
  private static final String NAMES = "echo-ladder-";

  /** Before the name of a folder whose lock may not be taken yet. */
  private static final String BEGINNING = ".";

  private static final Duration BEGINNING_MOST = Duration.ofMinutes(1);
  private static final String OWNED = ".owned";
  private static final String OUTSIDE = ".outside-";

  /** The kernel lets go a process's lock on a file when that process closes the file anywhere: those of this process are never opened. */
  private static final Set<Path> OWN = ConcurrentHashMap.newKeySet();

  private final Path dir;
  private final FileChannel owned;

  private OwnedFolder(Path dir, FileChannel owned) {
    this.dir = dir;
    this.owned = owned;
  }

  /** Makes one where temporary files are, after those that nobody owns any more were removed there. */
  public static OwnedFolder temporary(String purpose) throws IOException {
    return in(temporary(), purpose);
  }

  /**
   * Makes one, after those that nobody owns any more were removed from the same parent.
   *
   * @param purpose a part of its name, e.g. {@code profile}
   * @throws IOException where it cannot be made
   */
  public static OwnedFolder in(Path parent, String purpose) throws IOException {
    sweep(parent);
    Path beginning = Files.createTempDirectory(parent, BEGINNING + NAMES + purpose + "-");
    Path dir = parent.resolve(String.valueOf(beginning.getFileName()).substring(BEGINNING.length()));
    OWN.add(dir);
    try {
      FileChannel owned = FileChannel.open(beginning.resolve(OWNED), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
      if (owned.tryLock() == null) {
        throw new IOException(beginning + " was just made, and another process has its lock");
      }
      Files.move(beginning, dir);
      return new OwnedFolder(dir, owned);
    } catch (IOException e) {
      OWN.remove(dir);
      remove(beginning);
      throw e;
    }
  }

  /** Removes what processes of this user have left that were killed. */
  public static void sweep() {
    sweep(temporary());
  }

  private static Path temporary() {
    return Path.of(System.getProperty("java.io.tmpdir"));
  }

  private static void sweep(Path parent) {
    try (DirectoryStream<Path> all = Files.newDirectoryStream(parent, "{,.}" + NAMES + "*")) {
      for (Path other : all) {
        if (!OWN.contains(other) && orphaned(other)) {
          remove(other);
        }
      }
    } catch (IOException e) {
      // It cannot be listed, which whoever makes a folder there is told by that.
      return;
    }
  }

  /** Whether it was such a folder of the same user whose process is dead. */
  private static boolean orphaned(Path folder) {
    Path file = folder.resolve(OWNED);
    try {
      boolean begun = String.valueOf(folder.getFileName()).startsWith(BEGINNING);
      if (!ours(folder)
          || !Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)
          || (begun && Files.getLastModifiedTime(folder).toInstant().isAfter(Instant.now().minus(BEGINNING_MOST)))) {
        return false;
      }
      if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
        return begun;
      }
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
        @Nullable FileLock lock = channel.tryLock();
        return lock != null;
      }
    } catch (IOException e) {
      // It went just now, or is not this user's to look at.
      return false;
    }
  }

  private static boolean ours(Path path) throws IOException {
    return Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS).equals(Root.uid());
  }

  /** Its path. */
  public Path dir() {
    return dir;
  }

  /**
   * A file of a folder of others that goes with this one, as another program wants it there.
   *
   * @param file absolute; need not be there yet
   */
  public void with(Path file) throws IOException {
    Files.createSymbolicLink(dir.resolve(OUTSIDE + file.getFileName()), file);
  }

  private static void remove(Path dir) {
    try (DirectoryStream<Path> links = Files.newDirectoryStream(dir, OUTSIDE + "*")) {
      for (Path link : links) {
        Path file = Files.readSymbolicLink(link);
        if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) && ours(file)) {
          Files.delete(file);
        }
      }
      Folders.delete(dir);
    } catch (IOException e) {
      System.err.println("ladder: " + dir + " cannot be removed: " + e.getMessage());
    }
  }

  /** Removes it with all that is in it; a second time does nothing. */
  @Override
  public void close() {
    if (!OWN.contains(dir)) {
      return;
    }
    remove(dir);
    OWN.remove(dir);
    try {
      owned.close();
    } catch (IOException e) {
      System.err.println("ladder: the lock of " + dir + " cannot be let go: " + e.getMessage());
    }
  }
}
