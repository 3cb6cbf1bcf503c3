package echoladder.tcpkali;

import echoladder.client.LoadJudge;
import echoladder.client.Reason;
import echoladder.client.ReasonCode;
import echoladder.external.ToolProcess;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What can be said against tcpkali's own word. It exits with 0 whatever failed, records no message that is never
 * answered, and looks at some connections only; so its figures are held against each other. Pure.
 */
final class TcpkaliJudgement {
  /** What is under way at the end is no fault, as tcpkali does not drain; a second's worth of messages is. */
  static final double UNANSWERED_SECONDS = 1;

  /** Sends may be this late beyond the period of a connection: the traffic is known by quarters of a second. */
  static final double BACKLOG_SECONDS = 0.5;

  /** Tool and server may differ by this share of the echoes, for they were not read at the same instant. */
  static final double DISAGREEMENT_SHARE = 0.05;

  /** Slack of its timers, on top of its resolution. */
  private static final double TIMER_SECONDS = 0.002;

  /** What is under way may exceed what the mean time explains by this factor and by this time: it is known roughly. */
  static final double MEAN_FACTOR = 3;

  private static final double MEAN_SLACK_SECONDS = 0.005;

  private static final Pattern GAVE_UP = Pattern.compile("Could not create \\d+ connections? in allotted time.*");

  private TcpkaliJudgement() {}

  /** Doubts about figures that it gave. */
  static List<Reason> doubts(Asked asked, Seen seen) {
    List<Reason> doubts = new ArrayList<>();
    if (asked.messagesPerSecondEach() == 0) {
      return doubts;
    }
    double scheduled = asked.messagesPerSecond() * seen.seconds();
    double received = seen.receivedBytes() / asked.messageBytes();
    LoadJudge.achieved(received, scheduled, LoadJudge.Bounds.DEFAULT).ifPresent(doubts::add);
    underWay(asked, seen, doubts);
    heldBack(asked, seen, doubts);
    Long server = seen.serverSentBytes();
    if (server != null && Math.abs(server - seen.receivedBytes()) > DISAGREEMENT_SHARE * Math.max(server, 1)) {
      add(
          doubts,
          ReasonCode.TIMES_CONTRADICTED,
          "the server sent %,d bytes in the steady state, tcpkali read %,.0f".formatted(server, seen.receivedBytes()));
    }
    return doubts;
  }

  /** Little's law: what is under way is rate x mean time, and never more than rate x longest time. */
  private static void underWay(Asked asked, Seen seen, List<Reason> doubts) {
    double last = seen.lastInFlightBytes() / asked.messageBytes();
    if (seen.receivedBytes() == 0 && seen.sentBytes() == 0) {
      // Nothing was sent: that the rate was not reached says it all.
      return;
    }
    if (last >= UNANSWERED_SECONDS * asked.messagesPerSecond() || seen.receivedBytes() == 0) {
      add(
          doubts,
          ReasonCode.UNANSWERED,
          "%,.0f messages had no echo at the end, those of %.1f s; tcpkali's times leave them out"
              .formatted(last, last / asked.messagesPerSecond()));
      return;
    }
    if (seen.message().msByPercent().isEmpty()) {
      add(
          doubts,
          ReasonCode.TIMES_CONTRADICTED,
          "echoes came back, yet there are no times of the %,d connections that tcpkali looks at"
              .formatted(asked.lookedAt()));
    }
    Double max = seen.message().maxSeconds();
    Double mean = seen.message().meanMs();
    if (mean != null) {
      double bound = MEAN_FACTOR * mean / 1e3 + MEAN_SLACK_SECONDS;
      explained(asked, seen, "a mean time of %.1f ms".formatted(mean), bound, doubts);
    } else if (max != null) {
      double bound = max + Times.RESOLUTION_MS / 1e3 + TIMER_SECONDS;
      explained(asked, seen, "a longest time of %.1f ms".formatted(max * 1e3), bound, doubts);
    }
  }

  private static void explained(Asked asked, Seen seen, String reported, double seconds, List<Reason> doubts) {
    double typical = seen.typicalInFlightBytes() / asked.messageBytes();
    double most = Math.ceil(asked.burstPerSecond() * seconds);
    if (typical > most) {
      add(
          doubts,
          ReasonCode.TIMES_CONTRADICTED,
          "%,.0f messages were under way; %s, which is what it reports of %,d of %,d connections, explains %,.0f"
              .formatted(typical, reported, asked.lookedAt(), asked.connections(), most));
    }
  }

  /** Sends that waited, whose wait is in no time. */
  private static void heldBack(Asked asked, Seen seen, List<Reason> doubts) {
    Double backlog = seen.backlogSeconds();
    if (backlog != null && backlog > 1 / asked.messagesPerSecondEach() + BACKLOG_SECONDS) {
      add(
          doubts,
          ReasonCode.COORDINATED_OMISSION,
          "the sends fell behind their schedule by %.1f s, and their wait is in no time".formatted(backlog));
      return;
    }
    Double max = seen.message().maxSeconds();
    if (max == null) {
      return;
    }
    // A connection echoes in order. Where one message took max, those that its schedule puts into the next max / 2
    // took max / 2 at the least.
    double slow = Math.floor(asked.messagesPerSecondEach() * max / 2);
    double share = slow / (asked.messagesPerSecondEach() * seen.seconds() * asked.lookedAt());
    for (Map.Entry<Double, Double> entry : seen.message().msByPercent().entrySet()) {
      double beyond = 1 - entry.getKey() / 100;
      if (beyond > 0 && beyond < share && entry.getValue() / 1e3 < max / 2) {
        add(
            doubts,
            ReasonCode.COORDINATED_OMISSION,
            "one message took %,.0f ms, so on its connection alone %.1f %% of all took over %,.0f ms; p%s is %s ms"
                .formatted(max * 1e3, 100 * share, max * 500, trimmed(entry.getKey()), entry.getValue()));
        return;
      }
    }
  }

  /** Why there is no report. */
  static Reason withoutReport(ToolProcess.Ended ended) {
    Matcher gaveUp = GAVE_UP.matcher(ended.stderr());
    if (gaveUp.find()) {
      return new Reason(ReasonCode.CONNECTIONS_MISSING, "tcpkali gave up: " + gaveUp.group());
    }
    if (ended.stderr().contains("Too many open files")) {
      return new Reason(
          ReasonCode.CONNECTIONS_MISSING,
          "tcpkali gave up: socket EMFILE; its descriptors did not suffice; see runbooks/symptoms/descriptor-limit.md");
    }
    return new Reason(
        ReasonCode.CLIENT_DIED,
        "tcpkali ended %s without a report: %s".formatted(ended.how(), lastWords(ended)));
  }

  private static String lastWords(ToolProcess.Ended ended) {
    String all = (ended.stdout() + ended.stderr()).strip();
    return all.isEmpty() ? "it said nothing" : "\"" + all.substring(all.lastIndexOf('\n') + 1).strip() + "\"";
  }

  /** Why it reported before it was told to end. */
  static Reason tooEarly(ToolProcess.Ended ended) {
    return ended.stderr().contains("Ctrl+C pressed")
        ? new Reason(ReasonCode.INTERRUPTED, "tcpkali was interrupted from outside")
        : new Reason(
            ReasonCode.CLIENT_DIED,
            "tcpkali ended with exit status %d before the steady state was over".formatted(ended.exit()));
  }

  private static String trimmed(double percent) {
    return percent == Math.rint(percent) ? Long.toString((long) percent) : Double.toString(percent);
  }

  private static void add(List<Reason> doubts, ReasonCode reason, String detail) {
    doubts.add(new Reason(reason, detail));
  }
}
