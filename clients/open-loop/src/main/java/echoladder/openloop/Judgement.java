package echoladder.openloop;

import echoladder.client.Doubt;
import echoladder.client.Invalidity;
import echoladder.client.LoadPlan;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * What the client alone can say against its own measurement. The bounds are those below; who runs a study judges
 * further (host, server), see docs/METHOD.md.
 */
final class Judgement {
  /**
   * Echoes completed within the steady state, of whatever phase, must reach this share of its schedule; beyond it lies
   * what a stall at its very end may hold back, which its response times show.
   */
  static final double ACHIEVED_SHARE = 0.95;
  /** Sends late by the client's own fault must stay below this share. */
  static final double LATE_SHARE = 0.01;
  /** No timed wait of the client may overrun by more. */
  static final long HICCUP_NS = 100_000_000;

  private Judgement() {}

  static void of(
      LoadPlan plan,
      ShardStatus end,
      double steadySeconds,
      long echoesInSteady,
      Map<Kind, Histogram> totals,
      boolean stopped,
      List<Doubt> doubts) {
    long established = end.get(Tally.Of.ESTABLISHED);
    if (stopped) {
      add(doubts, Invalidity.INTERRUPTED, "stopped after %.1f of %.1f s of steady state"
          .formatted(steadySeconds, plan.steady().toNanos() / 1e9));
    }
    if (established < plan.connections()) {
      add(doubts, Invalidity.CONNECTIONS_MISSING, "%,d of %,d connections had a verified echo; %s"
          .formatted(established, plan.connections(), causes(end)));
    }
    if (end.lostConnections() > 0) {
      add(doubts, Invalidity.CONNECTIONS_LOST, "%,d connections ended before the load did: %,d by FIN, %,d by error; %s"
          .formatted(end.lostConnections(), end.get(Tally.Of.LOST), end.get(Tally.Of.RESET), causes(end)));
    }
    long mismatches = end.get(Tally.Of.MISMATCHES);
    if (mismatches > 0) {
      add(doubts, Invalidity.ECHO_MISMATCH, "%,d echoes were not what was sent".formatted(mismatches));
    }
    long declined =
        end.errors().entrySet().stream()
            .filter(e -> e.getKey().startsWith(HttpWire.STATUS))
            .mapToLong(Map.Entry::getValue)
            .sum();
    if (declined > 0) {
      add(doubts, Invalidity.ERROR_RESPONSES, "%,d answers had another status than 200; %s"
          .formatted(declined, causes(end)));
    }
    if (!end.nodelay()) {
      add(doubts, Invalidity.OPTION_NOT_HELD, "TCP_NODELAY was set and read back as off");
    }
    if (steadySeconds > 0) {
      steady(plan, end, echoesInSteady, totals, doubts);
    }
  }

  private static void steady(
      LoadPlan plan, ShardStatus end, long echoesInSteady, Map<Kind, Histogram> totals, List<Doubt> doubts) {
    long scheduled = end.get(Tally.Of.SCHEDULED);
    if (plan.staged() == null) {
      held(end, scheduled, echoesInSteady, doubts);
    }
    late(end, scheduled, totals, doubts);
  }

  /** Whether the server held the load. A staged load asks by how much it does not: what is late or lost is a figure. */
  private static void held(ShardStatus end, long scheduled, long echoesInSteady, List<Doubt> doubts) {
    long unanswered = end.get(Tally.Of.UNANSWERED);
    if (unanswered > 0) {
      add(doubts, Invalidity.UNANSWERED, "%,d of %,d messages had no complete echo when the drain ended"
          .formatted(unanswered, scheduled));
    }
    if (scheduled == 0) {
      add(doubts, Invalidity.OFFERED_RATE_NOT_REACHED, "no message was intended within the steady state");
    } else if (echoesInSteady < ACHIEVED_SHARE * scheduled) {
      add(doubts, Invalidity.OFFERED_RATE_NOT_REACHED, "%,d echoes in a steady state that intended %,d, %.1f %% (bound %.0f %%)"
          .formatted(echoesInSteady, scheduled, 100.0 * echoesInSteady / scheduled, 100 * ACHIEVED_SHARE));
    }
  }

  private static void late(ShardStatus end, long scheduled, Map<Kind, Histogram> totals, List<Doubt> doubts) {
    long late = end.get(Tally.Of.LATE);
    if (late > LATE_SHARE * scheduled) {
      add(doubts, Invalidity.LATE_SENDS, "%,d of %,d sends were over %d ms late by the client's own fault (bound %.0f %%)"
          .formatted(late, scheduled, EventLoop.LATE_NS / 1_000_000, 100 * LATE_SHARE));
    }
    @Nullable Histogram hiccup = totals.get(Kind.HICCUP);
    if (hiccup != null && hiccup.getMaxValue() > HICCUP_NS) {
      add(doubts, Invalidity.CLIENT_HICCUP, "a timed wait of the client overran by %.0f ms (bound %d ms)"
          .formatted(hiccup.getMaxValue() / 1e6, HICCUP_NS / 1_000_000));
    }
  }

  private static String causes(ShardStatus end) {
    return end.errors().isEmpty()
        ? "no error was seen"
        : String.join(
            ", ", end.errors().entrySet().stream().map(e -> e.getValue() + " x " + e.getKey()).toList());
  }

  private static void add(List<Doubt> doubts, Invalidity reason, String detail) {
    doubts.add(new Doubt(reason, detail));
  }
}
