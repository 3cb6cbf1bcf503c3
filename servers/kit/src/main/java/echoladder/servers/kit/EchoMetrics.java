package echoladder.servers.kit;

import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * What a server counts. An echo costs two additions without contention; the registry reads the sums when scraped.
 * Thread-safe.
 */
public final class EchoMetrics {
  private final LongAdder accepted = new LongAdder();
  private final LongAdder closed = new LongAdder();
  private final LongAdder broken = new LongAdder();
  private final LongAdder receivedBytes = new LongAdder();
  private final LongAdder sentBytes = new LongAdder();
  private final Map<String, LongAdder> acceptErrors = new ConcurrentSkipListMap<>();

  public EchoMetrics() {
    for (String reason : List.of("emfile", "enfile", "other")) {
      acceptErrors.put(reason, new LongAdder());
    }
  }

  public void connectionAccepted() {
    accepted.increment();
  }

  /** Once for each {@link #connectionAccepted}, when its descriptor is closed. */
  public void connectionClosed() {
    closed.increment();
  }

  /** A connection ended by an error, e.g. a reset, instead of the client's FIN or the drain. */
  public void connectionBroken() {
    broken.increment();
  }

  public void received(long bytes) {
    receivedBytes.add(bytes);
  }

  public void sent(long bytes) {
    sentBytes.add(bytes);
  }

  /**
   * An accept failed.
   *
   * @param reason a lower-case errno, e.g. {@code emfile}, or {@code other}
   */
  public void acceptFailed(String reason) {
    acceptErrors.computeIfAbsent(reason, r -> new LongAdder()).increment();
  }

  public long accepted() {
    return accepted.sum();
  }

  /** Connections accepted and not closed. */
  public long open() {
    // In this order, so that a connection that comes and goes in between cannot make it negative.
    long gone = closed.sum();
    return accepted.sum() - gone;
  }

  /** Connections ended by an error. */
  public long broken() {
    return broken.sum();
  }

  public long receivedBytes() {
    return receivedBytes.sum();
  }

  public long sentBytes() {
    return sentBytes.sum();
  }

  /** Failed accepts of one reason; 0 for one never seen. */
  public long acceptErrors(String reason) {
    LongAdder count = acceptErrors.get(reason);
    return count == null ? 0 : count.sum();
  }

  void register(PrometheusRegistry registry) {
    counter(registry, "echo_connections_accepted_total", "Connections accepted.", accepted);
    GaugeWithCallback.builder()
        .name("echo_connections_open")
        .help("Connections accepted and not yet closed.")
        .callback(c -> c.call((double) open()))
        .register(registry);
    counter(registry, "echo_connections_broken_total", "Connections ended by an error, e.g. a reset.", broken);
    counter(registry, "echo_received_bytes_total", "Bytes read from clients.", receivedBytes);
    counter(registry, "echo_sent_bytes_total", "Bytes written to clients.", sentBytes);
    CounterWithCallback.builder()
        .name("echo_accept_errors_total")
        .help("Accepts that failed, by errno.")
        .labelNames("reason")
        .callback(c -> acceptErrors.forEach((reason, count) -> c.call((double) count.sum(), reason)))
        .register(registry);
  }

  private static void counter(PrometheusRegistry registry, String name, String help, LongAdder sum) {
    CounterWithCallback.builder().name(name).help(help).callback(c -> c.call((double) sum.sum())).register(registry);
  }
}
