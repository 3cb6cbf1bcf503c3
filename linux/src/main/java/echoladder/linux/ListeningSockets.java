package echoladder.linux;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Where processes listen for TCP connections. Lists every socket of the host, so it is for messages and not for measuring. */
public final class ListeningSockets {
  // proc(5), /proc/net/tcp: the columns, counted from 0.
  private static final int LOCAL = 1;
  private static final int STATE = 3;
  private static final int INODE = 9;
  private static final String LISTEN = "0A";

  private static final int WORD_BYTES = 4;

  private ListeningSockets() {}

  /**
   * The addresses as people write them, {@code 127.0.0.1:9000} or {@code [::1]:9000}, each once; none of processes that are not
   * to be seen.
   */
  public static List<String> of(List<Long> pids) {
    Set<String> found = new TreeSet<>();
    for (long pid : pids) {
      Set<String> inodes = inodes(pid);
      for (String table : List.of("tcp", "tcp6")) {
        for (String line : lines(Path.of("/proc/" + pid + "/net/" + table))) {
          String[] column = line.strip().split("\\s+", -1);
          if (column.length > INODE && column[STATE].equals(LISTEN) && inodes.contains(column[INODE])) {
            found.add(address(column[LOCAL]));
          }
        }
      }
    }
    return List.copyOf(found);
  }

  /** Of its sockets, as its descriptors name them: {@code socket:[4711]}. */
  private static Set<String> inodes(long pid) {
    Set<String> inodes = new HashSet<>();
    try (Stream<Path> open = Files.list(Path.of("/proc/" + pid + "/fd"))) {
      for (Path descriptor : open.toList()) {
        String target = target(descriptor);
        if (target.startsWith("socket:[")) {
          inodes.add(target.substring("socket:[".length(), target.length() - 1));
        }
      }
    } catch (IOException e) {
      return Set.of(); // It has ended, or is somebody else's.
    }
    return inodes;
  }

  private static String target(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).toString();
    } catch (IOException e) {
      return ""; // It has been closed meanwhile.
    }
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      return List.of();
    }
  }

  /** {@code 0100007F:2328}: the address in words of the machine's byte order, which is little-endian here, and the port. */
  static String address(String hex) {
    String[] parts = hex.split(":", 2);
    byte[] bytes = new byte[parts[0].length() / 2];
    for (int i = 0; i < bytes.length; i++) {
      int at = i / WORD_BYTES * WORD_BYTES + WORD_BYTES - 1 - i % WORD_BYTES;
      bytes[at] = (byte) Integer.parseInt(parts[0].substring(2 * i, 2 * i + 2), 16);
    }
    int port = Integer.parseInt(parts[1], 16);
    try {
      // One of IPv4 that is mapped into IPv6 becomes one of IPv4.
      String host = InetAddress.getByAddress(bytes).getHostAddress();
      return (host.contains(":") ? "[" + host.replaceFirst("^(?:0:){7}", "::") + "]" : host) + ":" + port;
    } catch (UnknownHostException e) {
      throw new IllegalStateException("neither 4 nor 16 bytes: " + hex, e);
    }
  }
}
