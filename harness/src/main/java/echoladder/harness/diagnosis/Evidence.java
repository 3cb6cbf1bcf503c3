package echoladder.harness.diagnosis;

import echoladder.harness.doctor.HostFacts;
import echoladder.harness.probe.Figure;
import echoladder.harness.probe.Reading;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The evidence of one rung: what server, client and kernel showed.
 *
 * @param facts the limits as they bound the server's process, read when it was ready
 * @param clientNofile RLIMIT_NOFILE of a client process
 * @param backlog that the server asked for; null = it did not say
 * @param acceptErrors failed accepts by reason, as the server counted them
 * @param serverLog what the server's log says of refusals, a line of each kind
 * @param serverEnding how the server ended by itself; null = it did not
 * @param clientErrors failed calls of the client by cause
 * @param clientFailure what the client said where it gave no result; empty = it gave one
 * @param ready all counts before the first connection
 * @param peaks the greatest value of each count that was sampled
 * @param kernelLog what the kernel logged meanwhile; null = this process may not read that
 */
public record Evidence(
    HostFacts facts,
    long clientNofile,
    @Nullable Long backlog,
    Map<String, Long> acceptErrors,
    Map<ServerWords, String> serverLog,
    @Nullable String serverEnding,
    Map<String, Long> clientErrors,
    String clientFailure,
    Reading ready,
    Map<Figure, Long> peaks,
    @Nullable List<String> kernelLog) {
  public Evidence {
    acceptErrors = new TreeMap<>(acceptErrors);
    serverLog = Map.copyOf(serverLog);
    clientErrors = new TreeMap<>(clientErrors);
    peaks = Map.copyOf(peaks);
    kernelLog = kernelLog == null ? null : List.copyOf(kernelLog);
  }

  /** By how much a count grew; 0 where it is not known. */
  long grown(Figure figure) {
    OptionalLong before = ready.get(figure);
    Long most = peaks.get(figure);
    return before.isEmpty() || most == null ? 0 : Math.max(0, most - before.getAsLong());
  }

  /** The greatest value of a count; 0 where it is not known. */
  long peak(Figure figure) {
    Long most = peaks.get(figure);
    return most == null ? 0 : most;
  }

  /** Failed accepts for that reason. */
  long refusedAccepts(String reason) {
    return acceptErrors.getOrDefault(reason, 0L);
  }

  /** Failed calls of the client that are named so. */
  long failedCalls(String cause) {
    return clientErrors.getOrDefault(cause, 0L);
  }

  /** The last line of the kernel's log that has these words; null = there is none, or it cannot be read. */
  @Nullable String logged(String words) {
    return kernelLog == null
        ? null
        : kernelLog.stream().filter(line -> line.contains(words)).reduce((_, later) -> later).orElse(null);
  }

  /** The limit in force; Long.MAX_VALUE where it is not shown or there is none. */
  long limit(String key, int field) {
    Long value = facts.number(key, field);
    return value == null ? Long.MAX_VALUE : value;
  }
}
