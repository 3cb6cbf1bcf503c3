package echoladder.tcpkali;

import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What tcpkali prints at its end. Bytes and seconds are those after its ramp, times those of the whole run.
 *
 * @param sentBytes written after the ramp
 * @param receivedBytes read after the ramp
 * @param seconds since the ramp
 * @param connect TCP connect times of all connections
 * @param firstByte from connect to first byte
 * @param message from the write of a message to its marker coming back, of the connections that it looks at
 */
record TcpkaliReport(
    long sentBytes, long receivedBytes, double seconds, Times connect, Times firstByte, Times message) {

  private static final Pattern ESCAPE = Pattern.compile("\u001b\\[[?0-9;]*[A-Za-z]|\u001b\\(B");
  private static final Pattern SENT = Pattern.compile("Total data sent:.*\\((\\d+) bytes\\)");
  private static final Pattern RECEIVED = Pattern.compile("Total data received:.*\\((\\d+) bytes\\)");
  private static final Pattern SECONDS = Pattern.compile("Test duration: ([0-9.e+-]+) s\\.");

  /** Reads its stdout, also that of a terminal; empty where there is no report in it, or one with a number that is none. */
  static Optional<TcpkaliReport> parse(String stdout) {
    try {
      return read(stdout);
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  private static Optional<TcpkaliReport> read(String stdout) {
    String text = ESCAPE.matcher(stdout).replaceAll("");
    Matcher sent = SENT.matcher(text);
    Matcher received = RECEIVED.matcher(text);
    Matcher seconds = SECONDS.matcher(text);
    if (!sent.find() || !received.find() || !seconds.find()) {
      return Optional.empty();
    }
    return Optional.of(
        new TcpkaliReport(
            Long.parseLong(sent.group(1)),
            Long.parseLong(received.group(1)),
            Double.parseDouble(seconds.group(1)),
            times(text, "TCP connect"),
            times(text, "First byte"),
            times(text, "Message")));
  }

  /** E.g. {@code Message latency at percentiles: 0.1/0.3/0.7 ms (95/99/99.5%)}. */
  private static Times times(String text, String kind) {
    Matcher line =
        Pattern.compile(kind + " latency at percentiles: ([0-9./]+) ms \\(([0-9./]+)%\\)").matcher(text);
    if (!line.find()) {
      return Times.NONE;
    }
    String[] values = line.group(1).split("/", -1);
    String[] percents = line.group(2).split("/", -1);
    TreeMap<Double, Double> times = new TreeMap<>();
    for (int i = 0; i < Math.min(values.length, percents.length); i++) {
      times.put(Double.valueOf(percents[i]), Double.valueOf(values[i]));
    }
    return new Times(times, null);
  }
}
