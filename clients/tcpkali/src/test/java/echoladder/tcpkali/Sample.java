package echoladder.tcpkali;

import echoladder.client.Reason;
import echoladder.external.Course;
import echoladder.external.OwnCount;
import echoladder.external.Sighting;
import echoladder.external.ToolProcess;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A recorded run of the real tcpkali 1.2.0 on two processors.
 *
 * @param command how it was called; empty where that was not recorded
 * @param accepted connections that the server accepted by its own count, -1 = not recorded
 * @param live of those, open at the end
 */
record Sample(String name, String command, ToolProcess.Ended ended, int accepted, int live) {
  private static final int WORKERS = 2;

  static Sample read(String name) throws IOException {
    String meta = text(name + ".meta");
    return new Sample(
        name,
        found(meta, "cmd: (.*)").orElse(""),
        new ToolProcess.Ended(
            found(meta, "exit code: (\\d+)").map(Integer::parseInt).orElse(-1),
            text(name + ".stdout"),
            text(name + ".stderr"),
            false),
        found(meta, "server last: .*total=(\\d+)").map(Integer::parseInt).orElse(-1),
        found(meta, "server last: .*live=(\\d+)").map(Integer::parseInt).orElse(-1));
  }

  /** The text of a recorded file; empty where that stream was not recorded. */
  static String text(String file) throws IOException {
    try (@Nullable InputStream in = Sample.class.getResourceAsStream("/samples/" + file)) {
      return in == null ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static Optional<String> found(String text, String pattern) {
    Matcher matcher = Pattern.compile(pattern).matcher(text);
    return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
  }

  Optional<TcpkaliReport> report() {
    return TcpkaliReport.parse(ended.stdout());
  }

  int connections() {
    return found(command, " -c (\\d+)").map(Integer::parseInt).orElse(1);
  }

  Asked asked() {
    int messageBytes =
        command.contains("message.marker") ? 33 : command.contains("big.msg") ? 65_536 : "PING.".length();
    boolean all = command.contains("--channel-lifetime");
    return new Asked(
        connections(),
        found(command, " -r (\\d+)").map(Double::parseDouble).orElse(0.0),
        messageBytes,
        found(command, "--connect-rate (\\d+)").map(Double::parseDouble).orElse(100.0),
        all ? connections() : Math.min(connections(), TcpkaliCommand.LOOKED_AT_PER_WORKER * WORKERS));
  }

  /** Everything said against it: by its own figures, and by our count of its connections. */
  List<Reason> doubts() {
    return doubts(connections(), live);
  }

  /**
   * Everything said against it where it held that many connections at the beginning and at the end of the steady state; -1 =
   * the end is not known.
   */
  List<Reason> doubts(int heldFirst, int heldLast) {
    List<Reason> doubts = new ArrayList<>();
    Optional<TcpkaliReport> report = report();
    if (report.isPresent()) {
      doubts.addAll(TcpkaliJudgement.doubts(asked(), Seen.of(report.get())));
    } else {
      doubts.add(TcpkaliJudgement.withoutReport(ended));
    }
    if (heldLast >= 0 && report.isPresent()) {
      long everAccepted = accepted >= 0 ? accepted : heldFirst;
      Course course =
          new Course(
              counted(0, 0, 0),
              0,
              counted(1, heldFirst, everAccepted),
              counted(2, heldFirst, everAccepted),
              counted(3, heldLast, everAccepted),
              false);
      int probes = command.contains("--source-ip") || accepted < 0 ? 0 : 1;
      doubts.addAll(OwnCount.doubts(course, connections(), probes, command.contains("--channel-lifetime")));
    }
    return doubts;
  }

  private static Sighting counted(long second, int held, long accepted) {
    return new Sighting(
        second * 1_000_000_000L, (Integer) held, (Long) (long) held, (Long) accepted, null, null, null, null, null);
  }
}
