package echoladder.processes;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Command lines of other processes, whole.
 *
 * <p>{@link ProcessHandle.Info#commandLine()} leaves out every argument where they have more than one page of memory, which a
 * class path soon has.
 */
public final class CommandLines {
  private CommandLines() {}

  /** A process's arguments with blanks between them; empty where it has ended. */
  public static String of(ProcessHandle process) {
    return of(process.pid());
  }

  /** Arguments of the process {@code pid} with blanks between them; empty where it has ended. */
  public static String of(long pid) {
    try {
      return Files.readString(Path.of("/proc/" + pid + "/cmdline"), StandardCharsets.ISO_8859_1).replace('\0', ' ').strip();
    } catch (IOException e) {
      return "";
    }
  }
}
