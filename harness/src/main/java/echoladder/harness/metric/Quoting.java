package echoladder.harness.metric;

import echoladder.client.LoadResult;
import echoladder.client.ReasonCode;
import echoladder.harness.lab.Quotable;
import java.util.List;
import java.util.Set;

/** Which figures of a rung are measured and not given, and which are given with a mark. Pure. */
public final class Quoting {
  /** Beyond this part of the server's CPU that its JIT compilers took the figure is marked. */
  private static final double COMPILERS = 0.1;

  /** Beyond this part of its speed the host was another one: what CPU time bought is marked. */
  public static final double SPEED_MARKED = 0.05;

  /** Beyond this part it is not given. */
  public static final double SPEED_WITHHELD = 0.15;

  /** A study's default bound: beyond this part of its CPU for other programs a noisy host is so by them, not by its hypervisor. */
  private static final double FOREIGN_MUCH = 0.2;

  /** Reasons that a server had not settled. */
  private static final Set<ReasonCode> NOT_SETTLED = Set.of(ReasonCode.WARM_UP_INCOMPLETE, ReasonCode.DRIFT, ReasonCode.BORDER_LATE);

  /** Below this part of its CPU idle, a lab's processor was full. */
  private static final double IDLE_LEAST = 0.05;

  /** Reasons that a time is one of a queue for processors. */
  private static final Set<ReasonCode> FULL =
      Set.of(
          ReasonCode.HOST_SATURATED, ReasonCode.SERVER_SATURATED, ReasonCode.CLIENT_SATURATED, ReasonCode.OFFERED_RATE_NOT_REACHED,
          ReasonCode.RESPONSE_TIME_BEYOND_BOUND);

  /** Beyond this part of the messages that the host's gaps may explain a percentile is marked. */
  private static final double GAPS = 0.5;

  /** Times that are those of a queue where the load was not carried. */
  private static final List<Times> QUEUED =
      List.of(
          LoadMetrics.SERVER_TIME, LoadMetrics.RESPONSE, LoadMetrics.SERVICE, PushMetrics.DELIVERY, PushMetrics.FIRST, PushMetrics.LAST);

  /** CPU of server, client and the kernel's own threads together. */
  private static final Set<Metric> OF_BOTH =
      Set.of(HostMetrics.CPU_PER_ECHO, HostMetrics.HOST_CPU_ABOVE_FLOOR, HostMetrics.UNATTRIBUTED_CPU, PushMetrics.HOST_CPU);

  private Quoting() {}

  /** Why a figure that is given is marked. */
  public enum Mark {
    /** Nothing is to be said of it. */
    NONE,
    /** The host's own gaps may explain most of what lies beyond the percentile: they hit the server too, and are no work of it. */
    GAPS,
    /** The host was quicker or slower than in the run's other rungs, or others took much of its CPU: CPU per echo may be off. */
    DISTURBED,
    /** JIT compilers took a noteworthy part of the CPU, or the server had not settled. */
    UNSETTLED
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
    if (bySpeed(row) && offSpeed(row, rung) > SPEED_WITHHELD && !othersRan(rung)) {
      return true;
    }
    return load.saturated() && QUEUED.stream().anyMatch(times -> times.has(row));
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

  /**
   * Whether a server time of a lab counts as one of its network: it is a median, it is long enough, and no processor was so full that it
   * is a queue's.
   */
  public static boolean overNetwork(Metric row, MeasuredRung rung) {
    Double ns = row.equals(LoadMetrics.SERVER_TIME.at(Percentile.P50)) ? row.value(rung) : null;
    Double idle = rung.figures().value(HostMetrics.IDLE_SHARE);
    // Where others took what was idle, no reason says that it was full.
    boolean full = idle != null && idle < IDLE_LEAST;
    return ns != null && ns >= Quotable.NETWORK_TIME_LEAST_NS && !full
        && rung.aside().stream().noneMatch(doubt -> FULL.contains(doubt.reason()));
  }

  /** What a figure is marked with. */
  public static Mark mark(Metric row, MeasuredRung rung) {
    if (bySpeed(row) && disturbed(row, rung)) {
      return Mark.DISTURBED;
    }
    if (row.equals(HostMetrics.CPU_MULTIPLE_OF_FLOOR)) {
      return mark(LoadMetrics.SERVER_CPU, rung);
    }
    double share = share(row, rung);
    if (ofServersCpu(row)) {
      boolean settled = rung.aside().stream().noneMatch(doubt -> NOT_SETTLED.contains(doubt.reason()));
      return share > COMPILERS || !settled ? Mark.UNSETTLED : Mark.NONE;
    }
    return share > GAPS ? Mark.GAPS : Mark.NONE;
  }

  private static boolean ofServersCpu(Metric row) {
    return row.equals(LoadMetrics.SERVER_CPU) || row.equals(PushMetrics.SERVER_CPU);
  }

  /** Whether a figure is CPU time, which buys more on a quicker host. */
  private static boolean bySpeed(Metric row) {
    return row.unit() == Unit.US_PER_ECHO || row.unit() == Unit.US_PER_DELIVERY || row.equals(HostMetrics.CPU_MULTIPLE_OF_FLOOR);
  }

  /** Whether the host's speed was off, or others took more of its CPU than the study bears: they cool the caches that the server had. */
  private static boolean disturbed(Metric row, MeasuredRung rung) {
    return offSpeed(row, rung) > SPEED_MARKED || tooNoisy(rung);
  }

  /**
   * Whether other programs of this host took more of it than the study bears. Then the speed is not the server's: the pieces of work run
   * at idle priority, on what the others leave.
   */
  private static boolean othersRan(MeasuredRung rung) {
    Double foreign = rung.figures().value(HostMetrics.FOREIGN_SHARE);
    return tooNoisy(rung) && foreign != null && foreign > FOREIGN_MUCH;
  }

  private static boolean tooNoisy(MeasuredRung rung) {
    return rung.aside().stream().anyMatch(doubt -> doubt.reason() == ReasonCode.HOST_TOO_NOISY);
  }

  /**
   * By which part the speed of the processors was off on which a figure's work is done, 0 or more; 0 where it is not known. Work of the
   * whole host is done on the server's and on the client's: the one that was further off counts.
   */
  public static double offSpeed(Metric row, MeasuredRung rung) {
    double server = off(HostMetrics.HOST_SPEED, rung);
    double client = off(HostMetrics.CLIENT_SPEED, rung);
    return row.equals(LoadMetrics.CLIENT_CPU) ? client : OF_BOTH.contains(row) ? Math.max(server, client) : server;
  }

  private static double off(Metric speed, MeasuredRung rung) {
    Double value = rung.figures().value(speed);
    return value == null ? 0 : Math.abs(1 - value);
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
    if (ofServersCpu(row)) {
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
