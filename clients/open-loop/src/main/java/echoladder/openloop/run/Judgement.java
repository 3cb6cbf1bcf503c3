package echoladder.openloop.run;

import echoladder.client.LoadPlan;
import echoladder.client.Protocol;
import echoladder.client.Reason;
import echoladder.client.ReasonCode;
import echoladder.client.websocket.Upgrade;
import echoladder.openloop.codec.HttpCodec;
import echoladder.openloop.result.Counters;
import echoladder.openloop.result.FirstEcho;
import echoladder.openloop.result.OwnErrors;
import echoladder.openloop.result.ShardStatus;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What the client saw that tells against its own measurement, whatever the bounds. What follows from figures and bounds
 * is {@link echoladder.client.LoadJudge}'s; who runs a study judges further (host, server), see docs/METHOD.md.
 */
final class Judgement {
  private static final Set<ReasonCode> WITH_FAILURES =
      Set.of(
          ReasonCode.CONNECTIONS_MISSING, ReasonCode.CONNECTIONS_LOST, ReasonCode.ECHO_MISMATCH, ReasonCode.ERROR_RESPONSES,
          ReasonCode.EPHEMERAL_PORTS_EXHAUSTED, ReasonCode.CLIENT_CALL_FAILED);

  private static final String DRAINED = "when the drain ended";

  private Judgement() {}

  static void of(LoadPlan plan, ShardStatus end, double steadySeconds, boolean stopped, List<Reason> doubts) {
    long established = end.get(Counters.Of.ESTABLISHED);
    if (stopped) {
      add(doubts, ReasonCode.INTERRUPTED, "stopped after %.1f of %.1f s of steady state"
          .formatted(steadySeconds, plan.steady().toNanos() / 1e9));
    }
    if (established < plan.connections()) {
      add(doubts, ReasonCode.CONNECTIONS_MISSING, "%,d of %,d connections had a verified echo; %s"
          .formatted(established, plan.connections(), causes(end)));
    }
    FirstEcho.judge(plan, end, doubts);
    if (end.lostConnections() > 0) {
      long dropped = end.get(Counters.Of.DROPPED);
      add(doubts, ReasonCode.CONNECTIONS_LOST, "%,d connections ended before the load did: %,d by FIN, %,d by error%s; %s"
          .formatted(
              end.lostConnections(), end.get(Counters.Of.LOST), end.get(Counters.Of.RESET),
              dropped == 0 ? "" : ", %,d given up by the client for what came on them".formatted(dropped), causes(end)));
    }
    doubts.addAll(OwnErrors.doubts(end.errors(), end.stormMissing() > 0));
    long mismatches = end.get(Counters.Of.MISMATCHES);
    if (mismatches > 0) {
      add(doubts, ReasonCode.ECHO_MISMATCH, "%,d echoes were not what was sent".formatted(mismatches));
    }
    long declined =
        end.errors().entrySet().stream()
            .filter(e -> e.getKey().startsWith(HttpCodec.STATUS))
            .mapToLong(Map.Entry::getValue)
            .sum();
    if (declined > 0) {
      add(doubts, ReasonCode.ERROR_RESPONSES, "%,d answers had another status than %s; %s".formatted(declined, right(plan), causes(end)));
    }
    if (!end.nodelay()) {
      add(doubts, ReasonCode.OPTION_NOT_HELD, "TCP_NODELAY was set and read back as off");
    }
    // A lost connection, a wrong answer and an error response explain what failed with them, and speak for it.
    long failed = end.get(Counters.Of.FAILED);
    boolean explained = doubts.stream().anyMatch(doubt -> WITH_FAILURES.contains(doubt.reason()));
    if (failed > 0 && !explained && plan.staged() == null) {
      add(doubts, ReasonCode.UNANSWERED, "%,d of %,d messages found no open connection to go out on; %s"
          .formatted(
              failed, end.get(Counters.Of.SCHEDULED),
              plan.churn() == null ? causes(end) : "churn had ended them, and those in their place had had no echo yet"));
    }
    if (plan.publish() != null) {
      ofPublished(end, doubts);
    }
    // A staged load asks by how much a server falls behind: what it leaves unanswered is a figure. What a subscriber lacks although
    // later messages came has a reason of its own.
    long unanswered = end.get(Counters.Of.UNANSWERED) - end.get(Counters.Of.UNANSWERED_MISSING);
    if (steadySeconds > 0 && unanswered > 0 && plan.staged() == null) {
      add(doubts, ReasonCode.UNANSWERED, "%,d of %,d %s %s"
          .formatted(
              unanswered, end.get(Counters.Of.SCHEDULED),
              plan.publish() == null ? "messages had no complete echo" : "deliveries that were due had not come", DRAINED));
    }
  }

  /** The status of a right answer, in words. */
  private static String right(LoadPlan plan) {
    if (plan.protocol() != Protocol.WEBSOCKET) {
      return "" + plan.http().status();
    }
    boolean posts = plan.publish() != null && plan.http().pushesText(plan.protocol()) && !plan.http().pushPaths().publishesBySocket();
    return Upgrade.STATUS + (posts ? " to an upgrade, or 200 to 299 to a POST" : "");
  }

  /** What speaks against the deliveries of a load that publishes, beside those that did not come in time. */
  private static void ofPublished(ShardStatus end, List<Reason> doubts) {
    if (end.get(Counters.Of.PUBLISHER_LOST) > 0) {
      add(doubts, ReasonCode.CONNECTIONS_LOST, "the connection that publishes ended before the load did; " + causes(end));
    }
    long missing = end.get(Counters.Of.DELIVERIES_MISSING);
    if (missing > 0) {
      add(doubts, ReasonCode.DELIVERIES_MISSING, "%,d deliveries never came although later messages of their topic did".formatted(missing));
    }
    long duplicate = end.get(Counters.Of.DELIVERIES_DUPLICATE);
    long outOfOrder = end.get(Counters.Of.DELIVERIES_OUT_OF_ORDER);
    long mixed = end.get(Counters.Of.DELIVERIES_MIXED);
    if (duplicate + outOfOrder + mixed > 0) {
      add(doubts, ReasonCode.DELIVERIES_MIXED,
          "%,d messages came twice, %,d after a later one of their topic, %,d to a connection that had not subscribed to their topic"
          .formatted(duplicate, outOfOrder, mixed));
    }
    long differing = end.get(Counters.Of.AUDIENCES_DIFFER);
    if (differing > 0) {
      add(doubts, ReasonCode.AUDIENCES_DIFFER,
          "of %,d messages the server says that it handed them to another number of subscribers than there were".formatted(differing));
    }
    long untold = end.get(Counters.Of.UNACKNOWLEDGED);
    if (untold > 0) {
      add(doubts, ReasonCode.UNANSWERED, "%,d messages that were published had no answer %s".formatted(untold, DRAINED));
    }
  }

  /** How many of the connections that were open came back from a restart of the server, within that time. */
  static void ofStorm(ShardStatus end, long missing, long connections, Duration within, List<Reason> doubts) {
    if (end.get(Counters.Of.STORM_LOST) == 0) {
      add(doubts, ReasonCode.INTERRUPTED,
          "no connection ended within %.0f s: nobody restarted the server".formatted(within.toMillis() / 1e3));
    } else if (missing > 0) {
      add(doubts, ReasonCode.CONNECTIONS_LOST,
          "%,d of %,d connections had no verified echo within %.0f s of the server's end by SIGKILL; %s"
          .formatted(missing, connections, within.toMillis() / 1e3, causes(end)));
    }
  }

  /**
   * What the roll call showed, which ended after that many seconds.
   *
   * @param said connections of which a storm has told already that they did not come back
   */
  static void ofRollCall(ShardStatus end, double seconds, long said, List<Reason> doubts) {
    if (end.silentConnections() > 0) {
      add(doubts, ReasonCode.CONNECTIONS_SILENT,
          "%,d of %,d connections that were still open did not answer one more echo after the hold, the roll call, within %.1f s"
          .formatted(end.silentConnections(), end.get(Counters.Of.ASKED), seconds));
    }
    if (end.unaskedConnections() > said) {
      add(doubts, ReasonCode.CONNECTIONS_LOST,
          "%,d connections were not asked for one more echo after the hold, the roll call: %.1f s later none had taken their place; %s"
          .formatted(end.unaskedConnections(), seconds, causes(end)));
    }
  }

  private static String causes(ShardStatus end) {
    return end.errors().isEmpty()
        ? "no error was seen"
        : String.join(
            ", ", end.errors().entrySet().stream().map(e -> e.getValue() + " x " + e.getKey()).toList());
  }

  private static void add(List<Reason> doubts, ReasonCode reason, String detail) {
    doubts.add(new Reason(reason, detail));
  }
}
