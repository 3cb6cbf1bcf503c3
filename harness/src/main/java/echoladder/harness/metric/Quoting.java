package echoladder.harness.metric;

import echoladder.client.LoadResult;

/** Which figures of a rung are measured and not quoted, and which are quoted with a mark. Pure. */
public final class Quoting {
  /** Beyond this share of lateness or gaps a percentile is marked, and beyond this share of compilers the server's CPU. */
  public static final double MARKED = 0.1;

  /** Beyond this share neither a percentile nor any above it is quoted. */
  public static final double DROPPED = 0.5;

  private Quoting() {}

  /** Which part of the messages beyond a percentile of the response time lateness or gaps may explain; 0 where neither is known. */
  private static double share(Percentile at, LoadResult load, Figures figures) {
    if (at == Percentile.MAX) {
      return 0;
    }
    Double late = at.of(load.times().lateShares());
    return Math.max(late == null ? 0 : late, ofGaps(at, figures));
  }

  /** Which part of the messages beyond a percentile of the response time the host's gaps may explain; 0 where that is not known. */
  public static double ofGaps(Percentile at, Figures figures) {
    Double gaps = figures.value(HostMetrics.GAP_SHARES.at(at));
    return gaps == null ? 0 : gaps;
  }

  /** Whether the client or the host's gaps made most of what lies beyond a percentile of the response time, or of a lower one. */
  public static boolean dropped(double rank, LoadResult load, Figures figures) {
    return rank > firstDropped(load, figures);
  }

  /** A rank below which every percentile of the response time may be quoted, and none from the next one on; 100 = all may be. */
  public static double firstDropped(LoadResult load, Figures figures) {
    double below = 0;
    for (Percentile at : Percentile.values()) {
      if (share(at, load, figures) > DROPPED) {
        return below;
      }
      below = at.rank();
    }
    return 100;
  }

  /**
   * Which part of the server's CPU its JIT compilers may have taken, at most 1; 0 where it is not known. Their time is that of a
   * clock on the wall, so where they had to wait for a processor it is too large.
   */
  private static double ofCompilers(LoadResult load, Figures figures) {
    Double compiler = figures.value(RuntimeMetrics.COMPILER);
    Double cpu = load.cost().serverCpuUsPerEcho();
    return compiler == null || cpu == null || cpu <= 0 ? 0 : Math.min(1, compiler / cpu);
  }

  /**
   * Whether a row has no value to quote. A load that was not carried has no percentiles, only queues. A server that had held
   * connections before has no memory per connection; runs that are older than that rule recorded the kernel's.
   */
  public static boolean withheld(Metric row, MeasuredRung rung) {
    LoadResult load = rung.load();
    if (load == null) {
      return false;
    }
    if (MemoryMetrics.needsFreshServer(row)) {
      return MemoryMetrics.usedServer(rung);
    }
    boolean response = LoadMetrics.RESPONSE.has(row);
    return (load.saturated() && (response || LoadMetrics.SERVICE.has(row)))
        || (response && dropped(row.percentile(), load, rung.figures()));
  }

  /**
   * What a figure is marked with: a percentile of the response time with the share of lateness or gaps, the server's CPU with
   * that of its compilers; 0 = nothing to mark.
   */
  public static double mark(Metric row, MeasuredRung rung) {
    LoadResult load = rung.load();
    if (load == null) {
      return 0;
    }
    if (row.equals(LoadMetrics.SERVER_CPU)) {
      double compilers = ofCompilers(load, rung.figures());
      return compilers > MARKED ? compilers : 0;
    }
    if (load.saturated() || !LoadMetrics.RESPONSE.has(row)) {
      return 0;
    }
    double most = 0;
    for (Percentile at : Percentile.values()) {
      if (at.rank() == row.percentile() || (withheld(row, rung) && at.rank() < row.percentile())) {
        most = Math.max(most, share(at, load, rung.figures()));
      }
    }
    return most > MARKED ? most : 0;
  }
}
