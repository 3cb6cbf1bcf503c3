package echoladder.linux.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What /proc tells of a process: nothing of one that has ended, or is somebody else's. */
final class ProcessFiles {
  /** States in a stat file of a process that has ended and may not yet have been waited for. */
  private static final Set<String> DEAD = Set.of("Z", "X", "x");

  private ProcessFiles() {}

  /** The words of a stat file from the state on: that is the third, and the time of start the twentieth; null where there is none. */
  static String @Nullable [] stat(long pid) {
    String text = read(Path.of("/proc/" + pid + "/stat"));
    // A command's name may contain blanks and parentheses.
    return text == null ? null : text.substring(text.lastIndexOf(')') + 2).split(" ", -1);
  }

  /** Whether the process of a {@link #stat} runs: one that has ended and that nobody has waited for does not. */
  static boolean runs(String @Nullable [] stat) {
    return stat != null && !DEAD.contains(stat[0]);
  }

  /** Its entries, each with a NUL behind it. */
  static String environment(long pid) {
    String text = read(Path.of("/proc/" + pid + "/environ"));
    return text == null ? "" : text;
  }

  /** Its name as the kernel has it, at most 15 characters; null where there is no such process. */
  static @Nullable String name(long pid) {
    String text = read(Path.of("/proc/" + pid + "/comm"));
    return text == null ? null : text.strip();
  }

  /** The inodes of its sockets; empty where its descriptors may not be seen. */
  static Optional<Set<Long>> sockets(long pid) {
    try {
      return Optional.of(OpenDescriptors.of(pid).sockets());
    } catch (AccessDeniedException e) {
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of(Set.of()); // It has ended.
    }
  }

  static @Nullable String read(Path file) {
    try {
      return Files.readString(file, StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      return null;
    }
  }
}
