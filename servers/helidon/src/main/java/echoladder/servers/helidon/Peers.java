package echoladder.servers.helidon;

import echoladder.servers.kit.EchoMetrics;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.ConnectionContext;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketAddress;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Connections that the server has to end one by one, as it pushes or speaks TLS. Thread-safe. */
final class Peers implements Farewell {
  private final EchoMetrics metrics;

  /** Channels whose connection has not begun, by both their addresses: Helidon hands the connection no channel. */
  private final Map<Ends, SocketChannel> accepted = new ConcurrentHashMap<>();

  private final Set<Peer> open = ConcurrentHashMap.newKeySet();
  private volatile boolean stopping;
  private volatile boolean saying;

  private record Ends(SocketAddress here, SocketAddress there) {}

  Peers(EchoMetrics metrics) {
    this.metrics = metrics;
  }

  /** Helidon's listener has accepted one. */
  void accepted(SocketChannel channel) {
    try {
      accepted.put(new Ends(channel.getLocalAddress(), channel.getRemoteAddress()), channel);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The peer of a connection that begins; null where connections end by themselves, or with the process. */
  static @Nullable Peer of(ConnectionContext context) {
    return context.listenerContext().config().connectionOptions() instanceof Accepted options ? options.peers().begun(context) : null;
  }

  private Peer begun(ConnectionContext context) {
    SocketChannel channel = accepted.remove(new Ends(context.localPeer().address(), context.remotePeer().address()));
    if (channel == null) {
      throw new CloseConnectionException("no channel was accepted with these addresses");
    }
    Peer peer = new Peer(channel, this);
    open.add(peer);
    if (saying) {
      peer.sayGoodbye();
    }
    return peer;
  }

  /** Its connection has ended. */
  void ended(Peer peer) {
    open.remove(peer);
  }

  /** Whether the server was told to stop. */
  boolean stopping() {
    return stopping;
  }

  @Override
  public void begin() {
    stopping = true;
  }

  @Override
  public Duration quietMost(Duration limit) {
    return limit.dividedBy(2);
  }

  @Override
  public long inFlight() {
    // What was read of a connection is dealt with before the end of its input is seen.
    return 0;
  }

  @Override
  public void say() {
    saying = true;
    open.forEach(Peer::sayGoodbye);
  }

  @Override
  public long left() {
    return metrics.open();
  }
}
