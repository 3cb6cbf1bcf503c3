package echoladder.harness.cli.run;

import echoladder.harness.common.Quantity;
import echoladder.harness.common.Refusal;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How long 'run' waits for a quiet host. */
final class WaitQuietOption {
  private static final Duration MOST = Duration.ofHours(24);

  @Option(
      names = "--wait-quiet",
      paramLabel = "TIME",
      description =
          "Before each rung wait until the hypervisor takes no more than the study's steal_share_most of this host (with --hosts of each), "
          + "and gaps longer than 1 ms no more than 1 %% of the time, in a look of 2 s; so long at most over all rungs, e.g. 30m. Default: "
          + "no waiting.")
  private @Nullable String text;

  /**
   * Over all rungs; null = no waiting.
   *
   * @throws Refusal (bad usage) where it is no time, or more than a day
   */
  @Nullable Duration most() {
    if (text == null) {
      return null;
    }
    try {
      Duration most = Quantity.duration(text);
      if (most.compareTo(MOST) > 0) {
        throw new IllegalArgumentException("'" + text + "' is more than 24h");
      }
      return most;
    } catch (IllegalArgumentException e) {
      throw Refusal.badUsage("--wait-quiet: " + e.getMessage());
    }
  }

  /**
   * What {@link #most()} would refuse is refused before anything starts.
   *
   * @throws Refusal (bad usage) as there
   */
  void check() {
    var _ = most();
  }

  /** What to do on a busy host, as the end of a sentence. */
  String remedy() {
    return text == null
        ? "to wait before each rung until the host is quiet: --wait-quiet 30m; see runbooks/symptoms/host-too-noisy.md"
        : "each rung waits for a quiet host, for " + text + " in all at most";
  }

  /** As it stands in a command that does a run again, with a space before it; empty without it. */
  String asOptions() {
    return text == null ? "" : " --wait-quiet " + text;
  }

  /** It means nothing for a study of claims. */
  void refuse(String study) {
    if (text != null) {
      throw Refusal.badUsage("--wait-quiet is for studies that climb; '" + study + "' is one of claims");
    }
  }
}
