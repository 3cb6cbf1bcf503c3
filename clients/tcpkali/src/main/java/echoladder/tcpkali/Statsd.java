package echoladder.tcpkali;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What tcpkali sends by statsd: every quarter of a second what went over its connections since the last time, and at
 * the end of each window the times of that window alone. Takes datagrams in the order of their arrival. One thread.
 */
final class Statsd {
  private static final String MESSAGE = "latency.message.";
  private static final Pattern PERCENTILE = Pattern.compile(Pattern.quote(MESSAGE) + "\\d{1,3}(\\.\\d{1,9})?");

  private final TreeMap<Double, Double> window = new TreeMap<>();
  private @Nullable Double windowMean;

  /**
   * What went over the connections since the datagram before.
   *
   * @param opened connections begun, failed ones included
   * @param open connections that tcpkali takes for open
   */
  record Traffic(long opened, long open, long sentBytes, long receivedBytes) {}

  /**
   * What a datagram brought.
   *
   * @param traffic null where it has none
   * @param times of a window, with the datagram that completes it; else null
   */
  record Brought(@Nullable Traffic traffic, @Nullable Times times) {}

  /** Takes one datagram: lines of {@code namespace.name:value|type}. */
  Brought take(String datagram) {
    Map<String, Double> values = parse(datagram);
    Traffic traffic = null;
    if (values.containsKey("traffic.data.sent") && values.containsKey("traffic.data.rcvd")) {
      traffic =
          new Traffic(
              whole(values, "connections.opened"),
              whole(values, "connections.total.out"),
              whole(values, "traffic.data.sent"),
              whole(values, "traffic.data.rcvd"));
    }
    // A window's gauges fill up to three datagrams; min, mean and max come last.
    values.forEach(
        (name, value) -> {
          if (PERCENTILE.matcher(name).matches()) {
            window.put(Double.valueOf(name.substring(MESSAGE.length())), value);
          }
        });
    windowMean = values.getOrDefault(MESSAGE + "mean", windowMean);
    Times times = null;
    if (values.containsKey(MESSAGE + "max")) {
      times = new Times(new TreeMap<>(window), windowMean);
      window.clear();
      windowMean = null;
    }
    return new Brought(traffic, times);
  }

  private static long whole(Map<String, Double> values, String name) {
    return (long) (double) values.getOrDefault(name, 0.0);
  }

  /** Values by name, without the namespace, which is the first word; lines of another form are left out. */
  private static Map<String, Double> parse(String datagram) {
    Map<String, Double> values = new HashMap<>();
    for (String line : datagram.split("\n", -1)) {
      int namespace = line.indexOf('.');
      int colon = line.indexOf(':');
      int bar = line.indexOf('|');
      if (namespace > 0 && colon > namespace && bar > colon) {
        try {
          values.put(line.substring(namespace + 1, colon), Double.valueOf(line.substring(colon + 1, bar)));
        } catch (NumberFormatException e) {
          // Not a line of tcpkali's, so not one to be taken.
        }
      }
    }
    return values;
  }
}
