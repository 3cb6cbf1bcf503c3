package echoladder.harness.plan;

import echoladder.harness.server.ServerManifest;
import echoladder.harness.study.Study;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** From a study and a host to rungs. Pure arithmetic. */
public final class Planner {
  /** Descriptors a server needs besides its connections: files of its runtime, listener, epoll, metrics. */
  static final int SERVER_DESCRIPTORS = 100;

  /** Kernel memory of one idle end of a connection, rounded up from slabinfo (docs/METHOD.md). */
  static final long KERNEL_BYTES_PER_END = 4 << 10;

  /** Arrays of the client per connection, rounded up. */
  static final long CLIENT_BYTES = 256;

  /** Two runtimes and the harness before the first connection. */
  static final long FIXED_BYTES = 512L << 20;

  // Server and client are JVMs that start and stop, and the client rehearses for about a second; rounded up.
  private static final long START_NS = 2_500_000_000L;
  private static final long STOP_NS = 1_000_000_000L;
  private static final long STOP_MOST_NS = 5_000_000_000L;
  private static final long PHASE_NOTICES_NS = 500_000_000L;

  private Planner() {}

  /** The rungs of a study on that host. The study's servers are all known. */
  public static Plan plan(Study study, Map<String, ServerManifest> servers, HostLimits host) {
    List<Rung> rungs = new ArrayList<>();
    for (int connections : study.rungs()) {
      for (Study.Entry entry : study.servers()) {
        ServerManifest server = servers.get(entry.server());
        if (server == null) {
          throw new IllegalArgumentException("the study was checked against other servers: " + entry.server());
        }
        rungs.add(
            new Rung(
                entry.label(),
                connections,
                study.load().totalPerS(connections),
                likely(study, connections),
                most(study, connections),
                outOfReach(connections, server, host)));
      }
    }
    return new Plan(rungs);
  }

  private static Duration likely(Study study, int connections) {
    Study.Phases phases = study.phases();
    double echoes = phases.warmUpEchoes(study.load().totalPerS(connections));
    long warmUp =
        Math.min(
            phases.warmUpMaxNs(),
            Math.max(phases.warmUpMinNs(), (long) (echoes / study.load().totalPerS(connections) * 1e9)));
    return Duration.ofNanos(
        START_NS + ramp(phases, connections) + warmUp + phases.steadyNs() + PHASE_NOTICES_NS + STOP_NS);
  }

  private static Duration most(Study study, int connections) {
    Study.Phases phases = study.phases();
    return Duration.ofNanos(
        study.bounds().serverStartNs()
            + ramp(phases, connections)
            + phases.connectTimeoutNs()
            + phases.warmUpMaxNs()
            + phases.steadyNs()
            + phases.drainNs()
            + PHASE_NOTICES_NS
            + STOP_MOST_NS);
  }

  private static long ramp(Study.Phases phases, int connections) {
    return (long) (connections / phases.connectsPerS() * 1e9);
  }

  private static @Nullable String outOfReach(int connections, ServerManifest server, HostLimits host) {
    long descriptors = (long) connections + SERVER_DESCRIPTORS;
    if (descriptors > host.descriptorsHard()) {
      return "a server process may open %,d descriptors (hard RLIMIT_NOFILE), %,d connections need %,d; raise the limit "
              .formatted(host.descriptorsHard(), connections, descriptors)
          + "(ulimit -Hn, as root), see runbooks/symptoms/descriptor-limit.md";
    }
    long each = 2 * KERNEL_BYTES_PER_END + CLIENT_BYTES + server.memoryPerConnectionBytes();
    long memory = FIXED_BYTES + connections * each;
    if (memory > host.memoryAvailableBytes()) {
      return "%,d connections need about %,d MiB (both ends in the kernel 2 x 4 KiB, client 256 B, server %,d B estimated); "
              .formatted(connections, memory >> 20, server.memoryPerConnectionBytes())
          + "%,d MiB are available by %s; see runbooks/symptoms/memory.md"
              .formatted(host.memoryAvailableBytes() >> 20, host.memoryLimitedBy());
    }
    return null;
  }
}
