package echoladder.harness.run;

import echoladder.harness.common.Units;
import echoladder.harness.host.Fleet;
import echoladder.harness.probe.HostLook;
import echoladder.harness.results.Attempt;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Waits before a rung until the host is quiet, and each host of a run over several, for a bounded time over all rungs of a run:
 * in some hours a hypervisor takes a fifth of a host, and a rung measured in them is lost.
 */
public final class QuietWait {
  /**
   * Quiet is where no processor loses more than this to gaps over 1 ms: beyond it more than one send in a hundred is late by the
   * host's fault, and a p99 is the host's.
   */
  static final double GAP_SHARE_MOST = 0.01;

  private final Duration pause;
  private final double stealMost;
  private final Function<AtomicBoolean, @Nullable HostLook> host;
  private long leftNs;

  /** Looks at the host; a look that is cut ends at once. */
  QuietWait(Duration most, Duration pause, double stealMost, Function<AtomicBoolean, @Nullable HostLook> host) {
    this.leftNs = most.toNanos();
    this.pause = pause;
    this.stealMost = stealMost;
    this.host = host;
  }

  /**
   * The waits of a run; null where it waits for nothing.
   *
   * @param most over all rungs together; null = nobody waits
   * @param stealMost the study's bound on steal
   * @param hosts all of which are to be quiet; null = this one
   */
  public static @Nullable QuietWait of(@Nullable Duration most, double stealMost, @Nullable Fleet hosts) {
    return most == null
        ? null
        : new QuietWait(most, Duration.ofSeconds(10), stealMost, cut -> hosts == null ? HostLook.now(cut)
            : noisiest(hosts.looks(), stealMost));
  }

  /** The one that is farthest beyond a bound, or nearest to it; null of none. */
  static @Nullable HostLook noisiest(List<HostLook> looks, double stealMost) {
    return looks.stream().max(Comparator.comparingDouble(look -> noise(look, stealMost))).orElse(null);
  }

  /** In parts of a bound, of that which is nearest: above 1 is not quiet. */
  private static double noise(HostLook look, double stealMost) {
    double steal = look.stealShare() == null || look.stealShare() == 0 ? 0 : look.stealShare() / stealMost;
    return Math.max(steal, look.gapShare() / GAP_SHARE_MOST);
  }

  /**
   * Waits until a look finds the host quiet, the time is over, or the run is stopped.
   *
   * @param said is told of each look that found it otherwise
   * @return null where nothing could be seen, or the run was stopped
   */
  public Attempt.@Nullable Waited before(StopSignal stop, Waiting said) {
    AtomicBoolean cut = new AtomicBoolean();
    CountDownLatch stopped = new CountDownLatch(1);
    try (var _ =
        stop.onStop(
            () -> {
              cut.set(true);
              stopped.countDown();
            })) {
      HostLook look = host.apply(cut);
      // The first look is no waiting.
      long from = System.nanoTime();
      boolean waited = false;
      for (long left = leftNs; look != null && !quiet(look) && left > 0; left = leftNs - (System.nanoTime() - from)) {
        waited = true;
        said.on(sentence(look), Duration.ofNanos(left));
        if (stopped.await(Math.min(pause.toNanos(), left), TimeUnit.NANOSECONDS)) {
          return null;
        }
        look = host.apply(cut);
      }
      long waitedNs = waited ? System.nanoTime() - from : 0;
      leftNs -= waitedNs;
      return look == null || cut.get()
          ? null
          : new Attempt.Waited(waitedNs / 1e9, quiet(look), look.stealShare(), look.gapShare());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
  }

  private boolean quiet(HostLook look) {
    return noise(look, stealMost) <= 1;
  }

  private String sentence(HostLook look) {
    return "waits for a quiet host: %sthe hypervisor took %s of its CPU (at most %s), gaps over 1 ms took %s of the time (at most %s)"
        .formatted(
            look.host() == null ? "" : "on " + look.host() + " ",
            Units.percent(look.stealShare()), Units.percent(stealMost), Units.percent(look.gapShare()), Units.percent(GAP_SHARE_MOST));
  }

  /** Is told what is waited for. */
  @FunctionalInterface
  public interface Waiting {
    /**
     * The host is not quiet.
     *
     * @param why one sentence
     * @param left how long it is waited at most, over all rungs
     */
    void on(String why, Duration left);
  }
}
