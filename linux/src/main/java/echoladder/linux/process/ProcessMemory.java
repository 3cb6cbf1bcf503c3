package echoladder.linux.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Resident memory of a process. */
public final class ProcessMemory {
  private ProcessMemory() {}

  /** RSS in bytes from /proc/PID/status, or null where the process is gone. */
  public static @Nullable Long rssBytes(long pid) {
    return bytes(pid, "VmRSS:");
  }

  /** The most RSS that the process has had, likewise. */
  public static @Nullable Long peakRssBytes(long pid) {
    return bytes(pid, "VmHWM:");
  }

  private static @Nullable Long bytes(long pid, String name) {
    try {
      for (String line : Files.readAllLines(Path.of("/proc/" + pid + "/status"))) {
        if (line.startsWith(name)) {
          return Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024;
        }
      }
      return null;
    } catch (IOException e) {
      return null;
    }
  }
}
