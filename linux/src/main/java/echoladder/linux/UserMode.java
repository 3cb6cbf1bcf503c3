package echoladder.linux;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The kernel of a lab: User Mode Linux, in which a system call takes some 20 us and a look at the clock is one. */
public final class UserMode {
  /** It does not change, and /proc/cpuinfo is long where there are many processors. */
  private static final boolean HERE = read();

  private UserMode() {}

  /** Whether this process runs in such a kernel; where /proc/cpuinfo cannot be read, it is taken for another. */
  public static boolean here() {
    return HERE;
  }

  private static boolean read() {
    try {
      return of(Files.readAllLines(Path.of("/proc/cpuinfo"), StandardCharsets.ISO_8859_1));
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * By what a kernel says of its processors.
   *
   * @param cpuInfo lines of /proc/cpuinfo
   */
  public static boolean of(List<String> cpuInfo) {
    return cpuInfo.stream().anyMatch(line -> line.startsWith("vendor_id") && line.contains("User Mode Linux"));
  }
}
