package echoladder.servers.kit;

import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.concurrent.atomic.LongAdder;

/**
 * What a push server counts beside {@link EchoMetrics}. Each message that was handed to a connection is in the end either written
 * or dropped. Thread-safe.
 */
public final class PushMetrics {
  private final LongAdder published = new LongAdder();
  private final LongAdder messages = new LongAdder();
  private final LongAdder dropped = new LongAdder();
  private final LongAdder disconnected = new LongAdder();
  private final LongAdder malformed = new LongAdder();
  private final LongAdder subscriptions = new LongAdder();
  private final LongAdder queuedBytes = new LongAdder();

  /** Counts that the page of {@code registry} shows from the start. */
  public PushMetrics(PrometheusRegistry registry) {
    counter(registry, "echo_push_published_total", "Publishes received.", published);
    counter(registry, "echo_push_messages_total", "Messages whose last byte the kernel took.", messages);
    counter(registry, "echo_push_dropped_total", "Messages that were handed to a connection and not written whole.", dropped);
    counter(registry, "echo_push_disconnected_total", "Connections ended because their queue was full.", disconnected);
    counter(registry, "echo_push_malformed_total", "Connections ended because they sent what is no frame.", malformed);
    gauge(registry, "echo_push_subscriptions", "Subscriptions of all connections.", subscriptions);
    gauge(registry, "echo_push_queued_bytes", "Bytes of frames that wait, or are being written.", queuedBytes);
  }

  /** A publish came. */
  public void published() {
    published.increment();
  }

  /** A frame is to be written. */
  public void queued(long bytes) {
    queuedBytes.add(bytes);
  }

  /** The kernel took so many bytes of whole frames, among them so many messages. */
  public void written(long bytes, int ofMessages) {
    queuedBytes.add(-bytes);
    messages.add(ofMessages);
  }

  /** Frames of so many bytes will not be written, among them so many messages. */
  public void dropped(long bytes, int ofMessages) {
    queuedBytes.add(-bytes);
    dropped.add(ofMessages);
  }

  /**
   * Nothing more will be written of frames that stand one behind the other: those are written whose last byte the kernel took.
   *
   * @param frames all of them, whole
   * @param bytesTaken how many bytes from their beginning the kernel took
   */
  public void brokenOff(byte[] frames, int bytesTaken) {
    for (int at = 0, end; at < frames.length; at = end) {
      end = PushFrames.end(frames, at);
      int ofMessages = PushFrames.isMessage(frames, at) ? 1 : 0;
      if (end <= bytesTaken) {
        written(end - at, ofMessages);
      } else {
        dropped(end - at, ofMessages);
      }
    }
  }

  /** A connection ended because its queue was full. */
  public void disconnected() {
    disconnected.increment();
  }

  /** A connection ended because it sent what is no frame. */
  public void malformed() {
    malformed.increment();
  }

  /** So many subscriptions more, or less. */
  public void subscriptions(int more) {
    subscriptions.add(more);
  }

  private static void counter(PrometheusRegistry registry, String name, String help, LongAdder sum) {
    CounterWithCallback.builder().name(name).help(help).callback(c -> c.call((double) sum.sum())).register(registry);
  }

  private static void gauge(PrometheusRegistry registry, String name, String help, LongAdder sum) {
    GaugeWithCallback.builder().name(name).help(help).callback(c -> c.call((double) sum.sum())).register(registry);
  }
}
