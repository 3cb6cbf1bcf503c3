package echoladder.openloop.run;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Decides when the warm-up is over: not before its minimum, then as soon as enough echoes were seen, the JIT compilers of
 * client and server have been quiet for a second and the CPU of an echo falls no more; at its maximum whatever is the case.
 * Then it says what was still missing, except for the CPU: whether that went on falling is seen in the steady state.
 */
final class WarmUp {
  /** Compilers busy for less than this share of a second count as quiet. */
  static final double QUIET_SHARE = 0.1;

  /** From one second to the next the CPU of an echo may differ by this share without having fallen. */
  static final double FALL_SHARE = 0.05;

  /** Seconds in a row in which it must not have fallen. */
  static final int STEADY_SECONDS = 2;

  /** Echoes in a second below which its CPU per echo says nothing. */
  static final long LEAST_ECHOES = 1_000;

  private final Duration min;
  private final Duration max;
  private final long echoes;
  private final long startNs;
  private long lookedNs;
  private double clientCompileSeconds = Double.NaN;
  private @Nullable Double serverCompileSeconds;
  private boolean quiet;
  private double busyShare = Double.NaN;
  private long answeredBefore = -1;
  private long cpuBeforeNs;
  private double perEchoBefore = Double.NaN;
  private int steadySeconds;

  WarmUp(Duration min, Duration max, long echoes, long startNs) {
    this.min = min;
    this.max = max;
    this.echoes = echoes;
    this.startNs = startNs;
    this.lookedNs = startNs;
  }

  /** Takes the compilers' total busy times; call about once a second. The first look has nothing to compare with. */
  void compilers(long nowNs, double clientSeconds, @Nullable Double serverSeconds) {
    double elapsed = (nowNs - lookedNs) / 1e9;
    Double before = serverCompileSeconds;
    // NaN at the first look, and so not quiet: all that was compiled since the start is not of this second.
    double client = (clientSeconds - clientCompileSeconds) / elapsed;
    double server = serverSeconds == null || before == null ? 0 : (serverSeconds - before) / elapsed;
    busyShare = Math.max(client, server);
    quiet = busyShare < QUIET_SHARE && (serverSeconds == null || before != null);
    lookedNs = nowNs;
    clientCompileSeconds = clientSeconds;
    serverCompileSeconds = serverSeconds;
  }

  /**
   * The CPU in which a fall is looked for: that of client and server. A client that polls takes all of its core whatever an echo
   * costs, and would hide what the server does.
   *
   * @param serverNs null where it is not known
   */
  static long watchedNs(long clientNs, @Nullable Long serverNs, boolean polls) {
    return (polls ? 0 : clientNs) + (serverNs == null ? 0 : serverNs);
  }

  /** Takes the echoes so far and {@link #watchedNs} so far; call where {@link #compilers} is called. */
  void cpu(long answered, long cpuNs) {
    long echoes = answered - answeredBefore;
    if (answeredBefore >= 0) {
      double perEcho = (double) (cpuNs - cpuBeforeNs) / echoes;
      // Where too few came to tell, nothing is waited for.
      boolean falls = echoes >= LEAST_ECHOES && !(perEcho >= perEchoBefore * (1 - FALL_SHARE));
      steadySeconds = echoes < LEAST_ECHOES ? STEADY_SECONDS : falls ? 0 : steadySeconds + 1;
      perEchoBefore = perEcho;
    }
    answeredBefore = answered;
    cpuBeforeNs = cpuNs;
  }

  /** Whether the steady state may begin. */
  boolean over(long nowNs, long echoesSeen) {
    long elapsed = nowNs - startNs;
    return elapsed >= max.toNanos() || (elapsed >= min.toNanos() && echoesSeen >= echoes && quiet && steadySeconds >= STEADY_SECONDS);
  }

  /** What was missing when it ended; null where nothing was. */
  @Nullable String missing(long echoesSeen) {
    if (echoesSeen < echoes) {
      return "%,d of %,d echoes seen within %.1f s".formatted(echoesSeen, echoes, max.toNanos() / 1e9);
    }
    if (Double.isNaN(busyShare)) {
      return "it ended after %.1f s, before the JIT compilers had been watched for a second".formatted(max.toNanos() / 1e9);
    }
    if (!quiet) {
      return "JIT compilers were still busy for %.0f %% of the last second of %.1f s (bound %.0f %%)"
          .formatted(busyShare * 100, max.toNanos() / 1e9, QUIET_SHARE * 100);
    }
    return null;
  }
}
