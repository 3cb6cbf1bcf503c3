package echoladder.linux.process;

import echoladder.linux.sockets.TcpSocket;
import echoladder.linux.sockets.TcpSockets;
import java.io.IOException;
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

  private ListeningSockets() {}

  /**
   * One listener.
   *
   * @param address as people write it, {@code 127.0.0.1:9000} or {@code [::1]:9000}
   * @param inode its number, by which descriptors name it
   * @param user id of the user who opened it
   */
  record Listener(String address, long inode, int user) {}

  /**
   * The addresses as people write them, {@code 127.0.0.1:9000} or {@code [::1]:9000}, each once; none of processes that are not
   * to be seen.
   */
  public static List<String> of(List<Long> pids) {
    Set<String> found = new TreeSet<>();
    for (long pid : pids) {
      Set<Long> inodes = ProcessFiles.sockets(pid).orElse(Set.of());
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
          found.add(new Listener(address(column[LOCAL]), Long.parseLong(column[INODE]), Integer.parseInt(column[USER])));
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

  /** From {@code 0100007F:2328}, as /proc/net/tcp has it. */
  static String address(String hex) {
    String[] parts = hex.split(":", 2);
    return TcpSocket.address(TcpSockets.host(parts[0]), Integer.parseInt(parts[1], 16));
  }
}
