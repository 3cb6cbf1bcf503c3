package echoladder.harness.probe;

import echoladder.harness.common.HostCpu;
import echoladder.linux.cpu.CpuList;
import echoladder.linux.process.CpuAffinity;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * What the host took of its processors within a short time, in which a thread on each of them wanted all of it.
 *
 * @param stealShare of the host's CPU that the hypervisor took, 0 to 1; null = not known
 * @param gapShare of the time that went in gaps longer than {@link #GAP_NS}, on the processor that had most of them, 0 to 1: both
 *     the hypervisor and other programs make them
 * @param host its name in an inventory; null = this one
 */
public record HostLook(@Nullable Double stealShare, double gapShare, @Nullable String host) {
  /** From here on a send is late by the host's fault (1 ms), as the client counts late sends. */
  public static final long GAP_NS = 1_000_000;

  /** How long a look takes: gaps of this kind come several times a second where they come at all. */
  public static final Duration WINDOW = Duration.ofSeconds(2);

  /** A look at this host. */
  public HostLook(@Nullable Double stealShare, double gapShare) {
    this(stealShare, gapShare, null);
  }

  /** This look as one at a host of that name. */
  public HostLook of(String name) {
    return new HostLook(stealShare, gapShare, name);
  }

  /** Looks, for {@link #WINDOW} or until it is {@code cut}; null where the processors of this process cannot be told, or
   * no process that looks can be started. */
  public static @Nullable HostLook now(AtomicBoolean cut) {
    CpuList cpus = CpuAffinity.of(ProcessHandle.current().pid());
    if (cpus == null) {
      return null;
    }
    HostCpu before = HostCpu.now();
    List<Gaps> gaps;
    try {
      gaps = GapMeter.together(cpus, WINDOW, cut);
    } catch (IOException e) {
      return null;
    }
    HostCpu after = HostCpu.now();
    HostCpu meanwhile = before == null || after == null ? null : after.since(before);
    return new HostLook(
        meanwhile == null ? null : meanwhile.share(meanwhile.stealNs()),
        gaps.stream().mapToDouble(of -> of.longerThan(GAP_NS)).max().orElse(0));
  }
}
