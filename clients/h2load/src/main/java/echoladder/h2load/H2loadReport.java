package echoladder.h2load;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What h2load prints at its end, of its main duration.
 *
 * @param started requests that it sent
 * @param done requests that ended: with an answer, or with their connection
 * @param errored of those, without an answer
 * @param answered answers by their class of status: 2xx, 3xx, 4xx, 5xx
 * @param slowestPerSecond answers per second of the connection with the fewest; null where it does not say
 */
record H2loadReport(long started, long done, long errored, Answers answered, @Nullable Double slowestPerSecond) {

  /** Answers by their class of status. */
  record Answers(long ok, long redirected, long refused, long failed) {
    long all() {
      return ok + redirected + refused + failed;
    }
  }

  private static final String COUNT = "(\\d{1,18})";
  private static final Pattern REQUESTS =
      Pattern.compile(
          "(?m)^requests: \\d+ total, " + COUNT + " started, " + COUNT + " done, \\d+ succeeded, \\d+ failed, " + COUNT + " errored");
  private static final Pattern STATUS =
      Pattern.compile("(?m)^status codes: " + COUNT + " 2xx, " + COUNT + " 3xx, " + COUNT + " 4xx, " + COUNT + " 5xx");
  private static final Pattern PER_CONNECTION = Pattern.compile("(?m)^req/s *: +(\\d{1,9}(?:\\.\\d{1,9})?) ");

  /** Reads its stdout; empty where there is no summary in it. */
  static Optional<H2loadReport> parse(String stdout) {
    Matcher requests = REQUESTS.matcher(stdout);
    Matcher status = STATUS.matcher(stdout);
    if (!requests.find() || !status.find()) {
      return Optional.empty();
    }
    Matcher slowest = PER_CONNECTION.matcher(stdout);
    return Optional.of(
        new H2loadReport(
            count(requests, 1),
            count(requests, 2),
            count(requests, 3),
            new Answers(count(status, 1), count(status, 2), count(status, 3), count(status, 4)),
            slowest.find() ? Double.valueOf(slowest.group(1)) : null));
  }

  /** Requests that were under way when it ended, which it drops. */
  long underWay() {
    return Math.max(0, started - done);
  }

  private static long count(Matcher matcher, int group) {
    return Long.parseLong(matcher.group(group));
  }
}
