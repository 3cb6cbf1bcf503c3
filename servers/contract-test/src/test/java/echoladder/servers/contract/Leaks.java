package echoladder.servers.contract;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Netty's leak detector, which reports buffers that were collected before they were released. Over TCP it follows each
 * buffer in a server that runs in another mode than its default one; over HTTP in the servers that serve a whole class of
 * tests. All others run as in measurements.
 */
public final class Leaks {
  private static final String LEVEL = "-Dio.netty.leakDetection.level=";

  private Leaks() {}

  /** The command of a server with the detector at its strictest; a server without Netty ignores the property. */
  public static List<String> followed(List<String> argv) {
    List<String> all = new ArrayList<>(argv);
    all.removeIf(part -> part.startsWith(LEVEL));
    all.add(1, LEVEL + "paranoid");
    return all;
  }

  /** The detector's reports in a server's log. */
  public static List<String> in(Stream<String> log) {
    return log.filter(line -> line.contains("LEAK:")).toList();
  }
}
