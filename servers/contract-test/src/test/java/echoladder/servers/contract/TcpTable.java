package echoladder.servers.contract;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** What the kernel lists of this namespace's TCP sockets: proc(5), /proc/net/tcp and tcp6. */
public final class TcpTable {
  private static final int LOCAL = 1;
  private static final int REMOTE = 2;
  private static final int QUEUES = 4;
  private static final int INODE = 9;

  private TcpTable() {}

  /** The inode of the socket between two ports of this host. */
  static String inode(int localPort, int remotePort) throws IOException {
    for (String[] row : rows()) {
      if (port(row[LOCAL]) == localPort && port(row[REMOTE]) == remotePort) {
        return row[INODE];
      }
    }
    throw new IOException("no connection between ports " + localPort + " and " + remotePort + " in /proc/net/tcp");
  }

  /** Bytes that these local ports have sent and the kernel of the other end has not confirmed, 0 where there is no such socket. */
  public static long unconfirmedBytes(Set<Integer> localPorts) throws IOException {
    long sum = 0;
    for (String[] row : rows()) {
      if (localPorts.contains(port(row[LOCAL]))) {
        sum += Long.parseLong(row[QUEUES], 0, row[QUEUES].indexOf(':'), 16);
      }
    }
    return sum;
  }

  private static int port(String address) {
    return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1), 16);
  }

  private static List<String[]> rows() throws IOException {
    List<String[]> rows = new ArrayList<>();
    for (String table : List.of("/proc/net/tcp", "/proc/net/tcp6")) {
      Path path = Path.of(table);
      if (Files.exists(path)) {
        Files.readAllLines(path).stream().skip(1).map(line -> line.trim().split("\\s+", -1)).forEach(rows::add);
      }
    }
    return rows;
  }
}
