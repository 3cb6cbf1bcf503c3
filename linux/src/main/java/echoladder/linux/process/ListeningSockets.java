package echoladder.linux.process;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Where processes listen for TCP connections. Lists every socket of the host, so it is for messages and not for measuring. */
public final class ListeningSockets {
  // proc(5), /proc/net/tcp: the columns, counted from 0.
  private static final int LOCAL = 1;
  private static final int STATE = 3;
  private static final int USER = 7;
  private static final int INODE = 9;
  private static final String LISTEN = "0A";

  private static final int WORD_BYTES = 4;

  private ListeningSockets() {}

  /**
   * One listener.
   *
   * @param address as people write it, {@code 127.0.0.1:9000} or {@code [::1]:9000}
   * @param inode its number, by which descriptors name it
   * @param user id of the user who opened it
   */
  record Listener(String address, String inode, int user) {}

  /**
   * The addresses as people write them, {@code 127.0.0.1:9000} or {@code [::1]:9000}, each once; none of processes that are not
   * to be seen.
   */
  public static List<String> of(List<Long> pids) {
    Set<String> found = new TreeSet<>();
    for (long pid : pids) {
      Set<String> inodes = ProcessFiles.sockets(pid).orElse(Set.of());
      all("/proc/" + pid + "/net").stream()
          .filter(listener -> inodes.contains(listener.inode()))
          .forEach(listener -> found.add(listener.address()));
    }
    return List.copyOf(found);
  }

  /**
   * The listeners of a network namespace.
   *
   * @param net its folder, as {@code /proc/self/net}
   */
  static List<Listener> all(String net) {
    List<Listener> found = new ArrayList<>();
    for (String table : List.of("tcp", "tcp6")) {
      for (String line : lines(Path.of(net, table))) {
        String[] column = line.strip().split("\\s+", -1);
        if (column.length > INODE && column[STATE].equals(LISTEN)) {
          found.add(new Listener(address(column[LOCAL]), column[INODE], Integer.parseInt(column[USER])));
        }
      }
    }
    return found;
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
