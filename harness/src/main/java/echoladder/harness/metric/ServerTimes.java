package echoladder.harness.metric;

import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Which time a reader is given. The server time is the server's alone, and the response time is its upper bound. Runs whose clients
 * took no stamps of the kernel, as older runs and load tools of others, have the upper bound alone. Pure.
 */
public final class ServerTimes {
  private ServerTimes() {}

  /** The kind of time that rungs are told in: server time where one of them has it, else response time. */
  public static Times of(Collection<? extends MeasuredRung> rungs) {
    return rungs.stream().anyMatch(ServerTimes::stamped) ? LoadMetrics.SERVER_TIME : LoadMetrics.RESPONSE;
  }

  /** Whether a rung has server times. */
  public static boolean stamped(MeasuredRung rung) {
    return rung.load() != null && rung.load().times().server().maxNs() != null;
  }

  /** Figures in the kind of time that rungs are told in. */
  public static List<Metric> in(Collection<? extends MeasuredRung> rungs, List<Metric> figures) {
    return of(rungs).equals(LoadMetrics.SERVER_TIME) ? figures : figures.stream().map(ServerTimes::orBound).toList();
  }

  /** A figure in the kind of time that rungs are told in. */
  public static Metric in(Collection<? extends MeasuredRung> rungs, Metric figure) {
    return in(rungs, List.of(figure)).getFirst();
  }

  /** The upper bound of a percentile of the server time: the response time's; null of any other figure. */
  public static @Nullable Metric bound(Metric figure) {
    return LoadMetrics.SERVER_TIME.has(figure) ? LoadMetrics.RESPONSE.at(LoadMetrics.SERVER_TIME.percentile(figure)) : null;
  }

  private static Metric orBound(Metric figure) {
    return Objects.requireNonNullElse(bound(figure), figure);
  }
}
