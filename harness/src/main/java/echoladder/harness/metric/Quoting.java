package echoladder.harness.metric;

import echoladder.client.LoadResult;

/** Which figures of a rung are measured and not given, and which are given with a mark. Pure. */
public final class Quoting {
  /** Beyond this part of the server's CPU that its JIT compilers took the figure is marked. */
  private static final double COMPILERS = 0.1;

  /** Beyond this part of the messages that the host's gaps may explain a percentile is marked. */
  private static final double GAPS = 0.5;

  private Quoting() {}

  /** Why a figure that is given is marked. */
  public enum Mark {
    /** Nothing is to be said of it. */
    NONE,
    /** The host's own gaps may explain most of what lies beyond the percentile: they hit the server too, and are no work of it. */
    GAPS,
    /** The server's JIT compilers took a noteworthy part of its CPU. */
    COMPILERS
  }

  /** Whether the host's own gaps may explain most of what lies beyond a percentile of a kind of time. */
  public static boolean gaps(Times kind, Percentile at, Figures figures) {
    return share(kind, at, figures) > GAPS;
  }

  /** Which part of the messages beyond a percentile the host's gaps may explain, 0 to 1; 0 where that is not known. */
  private static double share(Times kind, Percentile at, Figures figures) {
    if (at == Percentile.MAX) {
      return 0;
    }
    Double gaps = figures.value((kind.equals(LoadMetrics.SERVER_TIME) ? HostMetrics.SERVER_GAP_SHARES : HostMetrics.GAP_SHARES).at(at));
    return gaps == null ? 0 : gaps;
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
   * Whether a row has no value to give. A load that was not carried has no percentiles, only queues. A server that had held
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
    return load.saturated() && (LoadMetrics.SERVER_TIME.has(row) || LoadMetrics.RESPONSE.has(row) || LoadMetrics.SERVICE.has(row));
  }

  /**
   * Whether two of a figure tell servers apart. A response time is a bound: where lateness of the client or the host's gaps may
   * explain most of what lies beyond it, or beyond a lower percentile, two of them compare clients. Lateness is known of older runs
   * alone, which have no server time to compare.
   */
  public static boolean compares(Metric row, MeasuredRung rung) {
    LoadResult load = rung.load();
    if (load == null || !LoadMetrics.RESPONSE.has(row)) {
      return true;
    }
    for (Percentile at : Percentile.values()) {
      Double late = at.of(load.times().lateShares());
      if (at.rank() <= row.percentile()
          && ((late != null && late > GAPS) || gaps(LoadMetrics.RESPONSE, at, rung.figures()))) {
        return false;
      }
    }
    return true;
  }

  /** What a figure is marked with. */
  public static Mark mark(Metric row, MeasuredRung rung) {
    double share = share(row, rung);
    return row.equals(LoadMetrics.SERVER_CPU)
        ? share > COMPILERS ? Mark.COMPILERS : Mark.NONE
        : share > GAPS ? Mark.GAPS : Mark.NONE;
  }

  /**
   * The part of a figure that is not the server's work, 0 to 1: of a percentile what the host's gaps may explain of the messages
   * beyond it, of the server's CPU what its compilers took; 0 where there is none, or it is not known.
   */
  public static double share(Metric row, MeasuredRung rung) {
    LoadResult load = rung.load();
    if (load == null || load.saturated()) {
      return 0;
    }
    if (row.equals(LoadMetrics.SERVER_CPU)) {
      return ofCompilers(load, rung.figures());
    }
    for (Times kind : new Times[] {LoadMetrics.SERVER_TIME, LoadMetrics.RESPONSE}) {
      if (kind.has(row)) {
        return share(kind, kind.percentile(row), rung.figures());
      }
    }
    return 0;
  }
}
