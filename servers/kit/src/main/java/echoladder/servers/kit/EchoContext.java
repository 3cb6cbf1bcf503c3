package echoladder.servers.kit;

import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.function.Consumer;

/**
 * What the frame hands to a server.
 *
 * @param metrics to count in
 * @param acceptErrors to report failed accepts to
 * @param log for messages
 * @param registry what the metrics page shows; a server may add figures of its own, e.g. its framework's
 * @param givesUp ends the process with status 3 and this message, without a drain; on any thread
 */
public record EchoContext(
    EchoMetrics metrics,
    AcceptErrors acceptErrors,
    ServerLog log,
    PrometheusRegistry registry,
    Consumer<String> givesUp) {

  /**
   * For a server on event loops, of which one has ended unasked: its connections would stay open and unanswered, and half a
   * server would be measured.
   */
  public void loopEnded() {
    givesUp.accept(
        "an event loop ended while it had connections to serve, which nobody would answer any more; what ended it is told"
            + " above. Where that is memory, the limit is that of direct memory (-XX:MaxDirectMemorySize, or where that is"
            + " not given, of the heap)");
  }
}
