package echoladder.openloop.result;

import echoladder.client.LoadPlan;
import echoladder.client.Reason;
import echoladder.client.ReasonCode;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Why the first echo of a connection did not come within the connect timeout. There are three causes, as each is looked for elsewhere:
 * in the way to the server, in the server, and in the protocol. Pure.
 */
public final class FirstEcho {
  /** No handshake was completed. */
  public static final String NO_HANDSHAKE = "connect ETIMEDOUT";

  /** The handshake was completed, and no byte came. */
  public static final String SILENT = "first echo missing: connected, and nothing came back";

  /** Bytes came and their end did not, with what had come behind. */
  static final String WITHOUT_END = "first echo without end: ";

  /** Connects that were given up with the ramp. */
  public static final String NOT_BEGUN = "not begun, as too many connects had timed out";

  private FirstEcho() {}

  /** The cause, of a connection whose codec has so much of an answer as {@code Codec.unended} says. */
  public static String missing(boolean connected, @Nullable String unended) {
    return !connected ? NO_HANDSHAKE : unended == null ? SILENT : WITHOUT_END + unended;
  }

  /**
   * Judges a load of which no connection had an echo, and of which nothing else is known than that the time was over. A server that is
   * merely full answers some connection: one that is silent on all, or ends no answer, is not what the load was meant for.
   */
  public static void judge(LoadPlan plan, ShardStatus end, List<Reason> doubts) {
    boolean otherwise = end.errors().keySet().stream().anyMatch(cause -> !late(cause));
    if (end.get(Counters.Of.ESTABLISHED) > 0 || otherwise) {
      return;
    }
    double seconds = plan.connectTimeout().toNanos() / 1e9;
    long silent = count(end, SILENT::equals);
    if (silent > 0) {
      doubts.add(
          new Reason(
              ReasonCode.SERVER_SILENT,
              "no connection had an echo: %,d of %,d were made, and nothing came back on them within %.1f s, the connect timeout"
                  .formatted(silent, plan.connections(), seconds)));
    }
    long withoutEnd = count(end, cause -> cause.startsWith(WITHOUT_END));
    if (withoutEnd > 0) {
      String what =
          end.errors().entrySet().stream()
              .filter(error -> error.getKey().startsWith(WITHOUT_END))
              .map(error -> error.getValue() + " x " + error.getKey().substring(WITHOUT_END.length()))
              .collect(Collectors.joining(", "));
      doubts.add(
          new Reason(
              ReasonCode.ANSWER_WITHOUT_END,
              "no connection had an echo: on %,d of %,d an answer began that had no end within %.1f s, the connect timeout: %s"
                  .formatted(withoutEnd, plan.connections(), seconds, what)));
    }
  }

  private static boolean late(String cause) {
    return cause.equals(NO_HANDSHAKE) || cause.equals(SILENT) || cause.startsWith(WITHOUT_END) || cause.equals(NOT_BEGUN);
  }

  private static long count(ShardStatus end, Predicate<String> cause) {
    return end.errors().entrySet().stream().filter(error -> cause.test(error.getKey())).mapToLong(Map.Entry::getValue).sum();
  }
}
