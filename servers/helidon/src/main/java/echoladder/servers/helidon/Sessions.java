package echoladder.servers.helidon;

import echoladder.servers.kit.EchoMetrics;
import io.helidon.common.socket.SocketWriterException;
import java.io.UncheckedIOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The connections that speak WebSocket. Thread-safe. */
final class Sessions implements Farewell {
  private final EchoMetrics metrics;
  private final InFlight inProgress = new InFlight();
  private final @Nullable Peers peers;
  private final Set<EchoListener> open = ConcurrentHashMap.newKeySet();

  /**
   * Begins without a connection.
   *
   * @param peers all connections over TLS, also those that do not speak WebSocket yet; null = without TLS these end with the process
   */
  Sessions(EchoMetrics metrics, @Nullable Peers peers) {
    this.metrics = metrics;
    this.peers = peers;
  }

  /** It leaves by itself when its connection ends. */
  void add(EchoListener listener) {
    open.add(listener);
    CountedConnection connection = CountedConnection.current();
    connection.asked();
    connection.whenClosed(() -> open.remove(listener));
    if (peers != null) {
      // A close frame tells it of the end.
      connection.peer().goodbye(() -> {});
    }
  }

  /** The messages that are being echoed. */
  InFlight inProgress() {
    return inProgress;
  }

  @Override
  public void begin() {
    // Messages that have arrived are echoed as ever.
  }

  @Override
  public long inFlight() {
    return inProgress.count();
  }

  @Override
  public void say() {
    if (peers != null) {
      // First: a connection that speaks WebSocket only now is told here, or stands among the open ones below.
      peers.say();
    }
    for (EchoListener listener : open) {
      // A thread for each, as a client that does not read keeps its listener in a write.
      Thread.ofVirtual().start(() -> goodbye(listener));
    }
  }

  private static void goodbye(EchoListener listener) {
    try {
      listener.goAway();
    } catch (UncheckedIOException | SocketWriterException e) {
      // The client has gone before it could be told.
    }
  }

  @Override
  public long left() {
    return metrics.open();
  }
}
