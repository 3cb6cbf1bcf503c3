package echoladder.linux;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Whether this process is root. */
public final class Root {
  private static final String ALL_USERS = "4294967295";

  private Root() {}

  /** Whether this process is root of the kernel that it runs under; root of a user namespace of its own is not. */
  public static boolean ofKernel() {
    try {
      String[] map = Files.readString(Path.of("/proc/self/uid_map")).trim().split("\\s+", -1);
      return uid() == 0 && map.length == 3 && map[2].equals(ALL_USERS);
    } catch (IOException e) {
      // A kernel without user namespaces has no map.
      return uid() == 0;
    }
  }

  /** The effective user id of this process. */
  public static int uid() {
    try {
      return (Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
    } catch (IOException e) {
      throw new IllegalStateException("/proc does not show whose this process is", e);
    }
  }
}
