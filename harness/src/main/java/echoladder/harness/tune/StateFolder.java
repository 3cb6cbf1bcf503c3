package echoladder.harness.tune;

import echoladder.harness.common.Refusal;
import echoladder.linux.ErrorText;
import echoladder.linux.Root;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Where the journals are. What lies there is trusted only where nobody but its user and root may write it.
 *
 * @param dir of the journals
 * @param hosts the folder with the lock for settings of the whole host, which every root takes whatever its {@code dir};
 *     null = this process may not change such settings
 */
public record StateFolder(Path dir, @Nullable Path hosts) {
  /** The folder of root, however it became root. */
  static final Path ROOTS = Path.of("/var/lib/echo-ladder");

  private static final String LOCK = "tune.lock";
  private static final int LOCK_TRIES = 100;
  private static final int LOCK_PAUSE_MS = 30;

  /** The one of this process's user. */
  public static StateFolder own() {
    return Root.ofKernel() ? new StateFolder(ROOTS, ROOTS) : new StateFolder(users(), null);
  }

  /** Another one, as the user says. */
  public static StateFolder at(Path dir) {
    return new StateFolder(dir.toAbsolutePath(), Root.ofKernel() ? ROOTS : null);
  }

  /** Why nothing can be noted there; null where nothing is known against it. */
  @Nullable String complaint() {
    Path there = dir;
    while (!Files.exists(there) && there.getParent() != null) {
      there = there.getParent();
    }
    return Files.isWritable(there) ? null : "old values cannot be noted in " + dir + ", as " + there + " cannot be written";
  }

  /** Whether root has another one, in which there may be journals that concern this process. */
  boolean isUsers() {
    return hosts == null && dir.equals(users());
  }

  private static Path users() {
    String xdg = System.getenv("XDG_STATE_HOME");
    // The specification of XDG ignores a relative one.
    return xdg != null && xdg.startsWith("/")
        ? Path.of(xdg, "echo-ladder")
        : Path.of(System.getProperty("user.home"), ".local", "state", "echo-ladder");
  }

  /** What is done under a lock. */
  @FunctionalInterface
  interface Work<T> {
    T run();
  }

  /**
   * Does something while no other process is at work with these journals, nor with settings of the whole host.
   *
   * @throws Refusal (cannot run) where the folder cannot be used, or somebody else is at work for 3 s
   */
  <T> T locked(Work<T> work) {
    Set<Path> folders = new LinkedHashSet<>();
    if (hosts != null) {
      folders.add(hosts);
    }
    folders.add(dir);
    return locked(List.copyOf(folders), work);
  }

  private static <T> T locked(List<Path> folders, Work<T> work) {
    if (folders.isEmpty()) {
      return work.run();
    }
    Path folder = folders.getFirst();
    Path file = folder.resolve(LOCK);
    create(folder);
    try (FileChannel channel = open(file);
        FileLock lock = lock(channel)) {
      if (lock == null) {
        throw Refusal.cannotRun("another 'ladder' is at work with the journals in " + folder + "; try again after it");
      }
      return locked(folders.subList(1, folders.size()), work);
    } catch (IOException e) {
      throw Refusal.cannotRun("cannot lock " + file + ": " + ErrorText.of(e) + "; choose another folder with --state");
    }
  }

  private static @Nullable FileLock lock(FileChannel channel) throws IOException {
    for (int i = 0; i < LOCK_TRIES; i++) {
      try {
        FileLock lock = channel.tryLock();
        if (lock != null) {
          return lock;
        }
      } catch (OverlappingFileLockException e) {
        // Another thread of this process has it.
      }
      try {
        TimeUnit.MILLISECONDS.sleep(LOCK_PAUSE_MS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return null;
      }
    }
    return null;
  }

  /** Others may list root's, so that they can be told of what they may not read. */
  private static void create(Path folder) {
    try {
      Files.createDirectories(folder.toAbsolutePath().getParent());
      Files.createDirectory(
          folder,
          PosixFilePermissions.asFileAttribute(
              PosixFilePermissions.fromString(folder.equals(ROOTS) ? "rwxr-xr-x" : "rwx------")));
    } catch (FileAlreadyExistsException e) {
      refuseForeign(folder, true);
    } catch (IOException e) {
      throw Refusal.cannotRun(
          "cannot create the folder of the journals, " + folder + ": " + ErrorText.of(e) + "; choose one with --state");
    }
  }

  /**
   * Refuses what somebody else may have written: a link, what is no file or folder, or what others own or may write to.
   *
   * @throws Refusal (cannot run) with what is wrong
   */
  static void refuseForeign(Path path, boolean folder) {
    try {
      Map<String, Object> is = Files.readAttributes(path, "unix:uid,permissions,isDirectory,isRegularFile", LinkOption.NOFOLLOW_LINKS);
      boolean form = Boolean.TRUE.equals(is.get(folder ? "isDirectory" : "isRegularFile"));
      int uid = Integer.parseInt(String.valueOf(is.get("uid")));
      @SuppressWarnings("unchecked")
      Set<PosixFilePermission> permissions = (Set<PosixFilePermission>) is.get("permissions");
      boolean open =
          permissions == null
              || permissions.contains(PosixFilePermission.GROUP_WRITE)
              || permissions.contains(PosixFilePermission.OTHERS_WRITE);
      if (!form || open || (uid != 0 && uid != Root.uid())) {
        throw Refusal.cannotRun(
            ("%s is not to be trusted with old values of kernel settings: %s; it is not used. Look who made it; then chmod go-w it,"
                + " delete it, or choose another folder with --state")
                .formatted(
                    path,
                    !form
                        ? "it is a link, or no " + (folder ? "folder" : "file")
                        : open ? "its group or others may write to it" : "it belongs to user " + uid));
      }
    } catch (IOException e) {
      throw Refusal.cannotRun("cannot see whose " + path + " is: " + ErrorText.of(e));
    }
  }

  /** For writing, created where it is not there, for this user alone; never through a link. */
  static FileChannel open(Path file) throws IOException {
    return FileChannel.open(
        file,
        Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS),
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
  }

  /** The journals that lie here, by name; none where there is no folder. */
  List<Path> journals() {
    try (Stream<Path> files = Files.list(dir)) {
      return files.filter(file -> JournalName.parse(file) != null).sorted().toList();
    } catch (NoSuchFileException e) {
      return List.of();
    } catch (IOException e) {
      throw Refusal.cannotRun("cannot list the journals in " + dir + ": " + ErrorText.of(e));
    }
  }
}
