package echoladder.wrk2;

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
 * A recorded run of the real wrk2.
 *
 * @param command how it was called
 * @param accepted connections that the server accepted by its own count, -1 = not recorded
 */
record Sample(String name, String command, ToolProcess.Ended ended, int accepted) {
  // What wrk2 does where it is not told.
  private static final int TIMEOUT_SECONDS = 2;

  /** The command of the one run whose call was not recorded: what it printed, and a rate that it certainly had. */
  private static final String SERVER_FIN = "wrk2 -t1 -c10 -d5s -R100 http://127.0.0.1:9030/";

  static Sample read(String name) throws IOException {
    String meta = text(name + ".meta");
    return new Sample(
        name,
        found(meta, "cmd: (.*)").orElse(SERVER_FIN),
        new ToolProcess.Ended(
            found(meta, "exit code: (\\d+)").map(Integer::parseInt).orElse(-1),
            text(name + ".stdout"),
            text(name + ".stderr"),
            false),
        found(meta, "server last: .*total=(\\d+)").map(Integer::parseInt).orElse(-1));
  }

  private static String text(String file) throws IOException {
    try (@Nullable InputStream in = Sample.class.getResourceAsStream("/samples/" + file)) {
      return in == null ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static Optional<String> found(String text, String pattern) {
    Matcher matcher = Pattern.compile(pattern).matcher(text);
    return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
  }

  private int option(char letter) {
    return found(command, " -" + letter + "(\\d+)").map(Integer::parseInt).orElse(0);
  }

  Optional<Wrk2Report> report() {
    return Wrk2Report.parse(ended.stdout());
  }

  Wrk2Command asked() {
    return new Wrk2Command(
        option('c'), option('t'), option('R'), 0, option('d'), TIMEOUT_SECONDS, 1, List.of("127.0.0.1:9010"));
  }

  /** Everything said against it: by its own figures, and by our count of its connections. */
  List<Reason> doubts() {
    List<Reason> doubts = new ArrayList<>();
    Optional<Wrk2Report> report = report();
    if (report.isEmpty()) {
      doubts.add(Wrk2Judgement.withoutReport(ended));
      return doubts;
    }
    doubts.addAll(Wrk2Judgement.doubts(asked(), report.get()));
    if (accepted >= 0) {
      // One of those that were accepted is the one by which wrk2 sees whether it can connect.
      int held = Math.min(option('c'), accepted - 1);
      Course course =
          new Course(
              counted(0, 0, 0), 0, counted(1, held, accepted), counted(2, held, accepted), counted(3, held, accepted),
              false);
      doubts.addAll(OwnCount.doubts(course, option('c'), 1, false));
    }
    return doubts;
  }

  private static Sighting counted(long second, int held, long accepted) {
    return new Sighting(
        second * 1_000_000_000L, (Integer) held, (Long) (long) held, (Long) accepted, null, null, null, null, null);
  }
}
