package echoladder.openloop.result;

import echoladder.linux.cpu.CpuList;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Where a shard stands.
 *
 * @param counts of {@link Counters.Of}, by ordinal, over its loops
 * @param connections it is to hold
 * @param settled all loops have accounted for everything
 * @param dead causes of loops that ended by a defect; empty while all is well
 * @param errors by cause
 * @param cpuNs CPU of its process so far, read at the same moment as the counts
 * @param rssBytes resident memory of its process
 * @param compileMs time its JIT compilers have been busy so far
 * @param gcPauseMaxNs longest collection since the steady state was set
 * @param allocatedBytes Java heap that its loops have allocated so far
 * @param cpus processors that its loops' threads may run on, as the kernel says; empty = not known yet
 * @param helperCpus those of its other threads
 * @param nodelay TCP_NODELAY was read back as on from a sample of connections
 */
public record ShardStatus(
    List<Long> counts,
    int connections,
    boolean settled,
    List<String> dead,
    Map<String, Long> errors,
    long cpuNs,
    long rssBytes,
    long compileMs,
    long gcPauseMaxNs,
    long allocatedBytes,
    boolean nodelay,
    String cpus,
    String helperCpus) {

  /**
   * Gives this status where it can be one: it has every count, and its processors are lists of processors.
   *
   * @throws IllegalArgumentException that says why it cannot
   */
  public ShardStatus checked() {
    if (counts.size() != Counters.Of.COUNT) {
      throw new IllegalArgumentException("it has %d counts, this client has %d".formatted(counts.size(), Counters.Of.COUNT));
    }
    union(List.of(this), ShardStatus::cpus);
    union(List.of(this), ShardStatus::helperCpus);
    return this;
  }

  public long get(Counters.Of of) {
    return counts.get(of.ordinal());
  }

  /** All shards as one: counts and resources added up, the youngest unanswered and the longest pause kept. */
  public static ShardStatus sum(List<ShardStatus> parts) {
    Long[] counts = new Long[Counters.Of.COUNT];
    for (Counters.Of of : Counters.Of.values()) {
      counts[of.ordinal()] = parts.stream().mapToLong(p -> p.get(of)).reduce(of::join).orElse(0);
    }
    Map<String, Long> errors = new TreeMap<>();
    List<String> dead = new ArrayList<>();
    for (ShardStatus part : parts) {
      part.errors.forEach((cause, n) -> errors.merge(cause, n, Long::sum));
      dead.addAll(part.dead);
    }
    return new ShardStatus(
        List.of(counts),
        parts.stream().mapToInt(ShardStatus::connections).sum(),
        parts.stream().allMatch(ShardStatus::settled),
        dead,
        errors,
        parts.stream().mapToLong(ShardStatus::cpuNs).sum(),
        parts.stream().mapToLong(ShardStatus::rssBytes).sum(),
        parts.stream().mapToLong(ShardStatus::compileMs).sum(),
        parts.stream().mapToLong(ShardStatus::gcPauseMaxNs).max().orElse(0),
        parts.stream().mapToLong(ShardStatus::allocatedBytes).sum(),
        parts.stream().allMatch(ShardStatus::nodelay),
        union(parts, ShardStatus::cpus),
        union(parts, ShardStatus::helperCpus));
  }

  private static String union(List<ShardStatus> parts, Function<ShardStatus, String> cpus) {
    return CpuList.union(parts.stream().map(cpus).filter(list -> !list.isEmpty()).map(CpuList::parse).toList()).toString();
  }

  /** Every connection is established or has failed. */
  public boolean rampDone() {
    return get(Counters.Of.ESTABLISHED) + failedConnects() >= connections;
  }

  public long failedConnects() {
    return get(Counters.Of.REFUSED) + get(Counters.Of.TIMED_OUT) + get(Counters.Of.NOT_OPENED);
  }

  public long lostConnections() {
    return get(Counters.Of.LOST) + get(Counters.Of.RESET) + get(Counters.Of.DROPPED);
  }

  /** Connections that are open, as far as is known. */
  public long openConnections() {
    return get(Counters.Of.ESTABLISHED) - lostConnections();
  }

  /** Whether a storm has ended so many connections, and all are back. */
  public boolean stormOver(long open) {
    return get(Counters.Of.STORM_LOST) >= open && stormMissing() == 0;
  }

  /** Connections that a storm ended and that are not back. */
  public long stormMissing() {
    return get(Counters.Of.STORM_LOST) - get(Counters.Of.STORM_BACK);
  }

  /** Connections that a storm ended and that were not back within its time, whenever one looks after it. */
  public long stormNotInTime() {
    return stormMissing() + get(Counters.Of.STORM_LATE);
  }

  /** Connections that the roll call asked and that have not answered it. */
  public long silentConnections() {
    return get(Counters.Of.ASKED) - get(Counters.Of.PRESENT);
  }

  /** Connections that the roll call has not asked: their turn has not come, or they are being opened anew. */
  public long unaskedConnections() {
    return Math.max(0, openConnections() - get(Counters.Of.SLOW_READERS) - get(Counters.Of.ASKED));
  }

  /** Whether the roll call still waits for somebody. */
  public boolean rollCallOpen() {
    return silentConnections() > 0 || unaskedConnections() > 0;
  }
}
