package echoladder.loadmetrics;

import echoladder.client.LoadListener;
import echoladder.client.Phase;
import echoladder.client.Progress;
import echoladder.client.figures.Percentiles;
import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The load that runs now as Prometheus metrics, {@code echo_client_*}, each with the labels {@code server} and
 * {@code connections}; no series while none runs. Values are of the client's last word, about once a second. Times are
 * quantiles of that second, in seconds: gauges, as quantiles of different seconds cannot be added.
 * Any thread may ask.
 */
public final class LoadExporter implements LoadListener {
  private static final String[] LABELS = {"server", "connections"};

  private final PrometheusRegistry registry = new PrometheusRegistry();
  private final PrometheusTextFormatWriter format = PrometheusTextFormatWriter.builder().build();
  private volatile @Nullable Load load;

  /** The load and where it stands; null before its first word. */
  private record Load(String server, int connections, Phase phase, @Nullable Progress progress) {
    String[] labels() {
      return new String[] {server, Integer.toString(connections)};
    }
  }

  public LoadExporter() {
    gauge("connections_established", "Connections that had a verified echo and are open.", Progress::established);
    counter("connections_failed_total", "Connections refused, timed out, reset or lost.", Progress::failed);
    counter("messages_sent_total", "Messages written, ramp and warm-up included.", Progress::sent);
    counter("messages_answered_total", "Messages whose echo was complete and right.", Progress::answered);
    counter("late_sends_total", "Steady-state sends that the client itself delayed beyond its bound.", Progress::lateSends);
    gauge("achieved_per_second", "Echoes per second since the word before.", Progress::achievedPerS);
    GaugeWithCallback.builder()
        .name("echo_client_users")
        .help("Users that a staged load has now.")
        .labelNames(LABELS)
        .callback(c -> last((now, p) -> {
          Integer users = p.users();
          if (users != null) {
            c.call(users, now.labels());
          }
        }))
        .register(registry);
    GaugeWithCallback.builder()
        .name("echo_client_phase")
        .help("1 for the phase that the load is in.")
        .labelNames("server", "connections", "phase")
        .callback(c -> {
          Load now = load;
          if (now != null) {
            c.call(1, now.server, Integer.toString(now.connections), now.phase.name().toLowerCase(Locale.ROOT).replace('_', '-'));
          }
        })
        .register(registry);
    times("response_time", "Of the messages answered in the last second, from the intended send; a closed loop has none.",
        Progress.Times::response);
    times("service_time", "Of the messages answered in the last second, from the actual send.", Progress.Times::service);
    times("send_lateness", "Of the messages sent in the last second, from the intended to the actual send.", Progress.Times::lateness);
  }

  /** A load begins; what the client says from now on is of it. */
  public void begin(String server, int connections) {
    load = new Load(server, connections, Phase.RAMP, null);
  }

  /** It is over: its series end. */
  public void end() {
    load = null;
  }

  @Override
  public void phase(Phase phase, long monotonicNs) {
    Load now = load;
    load = now == null ? null : new Load(now.server, now.connections, phase, now.progress);
  }

  @Override
  public void progress(Progress progress) {
    Load now = load;
    load = now == null ? null : new Load(now.server, now.connections, progress.phase(), progress);
  }

  /** The page, Prometheus text format 0.0.4, UTF-8. */
  public byte[] page() {
    ByteArrayOutputStream page = new ByteArrayOutputStream();
    try {
      format.write(page, registry.scrape());
    } catch (IOException e) {
      throw new UncheckedIOException("memory cannot be written to", e);
    }
    return page.toByteArray();
  }

  /** What goes into Content-Type with the page. */
  public String contentType() {
    return format.getContentType();
  }

  private interface Reading {
    void take(Load now, Progress progress);
  }

  private void last(Reading reading) {
    Load now = load;
    if (now != null && now.progress != null) {
      reading.take(now, now.progress);
    }
  }

  private void times(String name, String help, Function<Progress.Times, Percentiles> kind) {
    GaugeWithCallback.builder()
        .name("echo_client_" + name + "_seconds")
        .help(help)
        .labelNames("server", "connections", "quantile")
        .callback(c -> last((now, p) -> {
          Progress.Times times = p.times();
          if (times != null) {
            quantiles(kind.apply(times)).forEach((q, ns) -> c.call(ns / 1e9, now.server, Integer.toString(now.connections), q));
          }
        }))
        .register(registry);
  }

  private void gauge(String name, String help, ToDoubleFunction<Progress> value) {
    GaugeWithCallback.builder()
        .name("echo_client_" + name)
        .help(help)
        .labelNames(LABELS)
        .callback(c -> last((now, p) -> c.call(value.applyAsDouble(p), now.labels())))
        .register(registry);
  }

  private void counter(String name, String help, ToDoubleFunction<Progress> value) {
    CounterWithCallback.builder()
        .name("echo_client_" + name)
        .help(help)
        .labelNames(LABELS)
        .callback(c -> last((now, p) -> c.call(value.applyAsDouble(p), now.labels())))
        .register(registry);
  }

  /** By Prometheus's names of them; those that stand on too few samples are left out. */
  private static Map<String, Long> quantiles(Percentiles times) {
    Map<String, Long> quantiles = new TreeMap<>();
    put(quantiles, "0.5", times.p50Ns());
    put(quantiles, "0.9", times.p90Ns());
    put(quantiles, "0.99", times.p99Ns());
    put(quantiles, "0.999", times.p999Ns());
    put(quantiles, "1", times.maxNs());
    return quantiles;
  }

  private static void put(Map<String, Long> quantiles, String name, @Nullable Long ns) {
    if (ns != null) {
      quantiles.put(name, ns);
    }
  }
}
