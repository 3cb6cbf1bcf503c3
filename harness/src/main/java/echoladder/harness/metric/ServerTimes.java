package echoladder.harness.metric;

import echoladder.client.LoadResult;
import echoladder.client.figures.Percentiles;
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
    return stamped(rungs) ? LoadMetrics.SERVER_TIME : LoadMetrics.RESPONSE;
  }

  /** The kind of time that a load is told in. */
  public static Times of(LoadResult load) {
    return stamped(load) ? LoadMetrics.SERVER_TIME : LoadMetrics.RESPONSE;
  }

  /** The percentiles of a load in the kind of time that it is told in. */
  public static Percentiles percentiles(LoadResult load) {
    return stamped(load) ? load.times().server() : load.times().response();
  }

  /** Whether one of the rungs has server times. */
  public static boolean stamped(Collection<? extends MeasuredRung> rungs) {
    return rungs.stream().anyMatch(ServerTimes::stamped);
  }

  /** Whether a rung has server times. */
  public static boolean stamped(MeasuredRung rung) {
    return rung.load() != null && stamped(rung.load());
  }

  private static boolean stamped(LoadResult load) {
    return load.times().server().maxNs() != null;
  }

  /** Figures in the kind of time that rungs are told in. */
  public static List<Metric> in(Collection<? extends MeasuredRung> rungs, List<Metric> figures) {
    return stamped(rungs) ? figures : figures.stream().map(ServerTimes::orBound).toList();
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
