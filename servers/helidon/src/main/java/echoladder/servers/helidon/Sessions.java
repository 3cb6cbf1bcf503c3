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
   * Has no connection.
   *
   * @param peers all connections, where those that do not speak WebSocket yet have to be ended; null = they end with the process
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
      // It is told by a close frame.
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
    for (EchoListener listener : open) {
      // A thread for each, as a client that does not read keeps its listener in a write.
      Thread.ofVirtual().start(() -> goodbye(listener));
    }
    if (peers != null) {
      peers.say();
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
