package echoladder.servers.helidon;

import echoladder.servers.kit.EchoMetrics;
import io.helidon.common.buffers.BufferData;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.websocket.WsCloseCodes;
import io.helidon.websocket.WsListener;
import io.helidon.websocket.WsSession;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * One connection that speaks WebSocket: each fragment goes back as it came. Helidon calls it on the connection's virtual
 * thread; {@link #goAway} comes from another, so whoever sends holds the monitor.
 */
final class EchoListener implements WsListener {
  private final Sessions sessions;
  private final EchoMetrics metrics;
  private final int maxMessageBytes;
  private @Nullable WsSession session;
  private long messageBytes;

  EchoListener(Sessions sessions, EchoMetrics metrics, int maxMessageBytes) {
    this.sessions = sessions;
    this.metrics = metrics;
    this.maxMessageBytes = maxMessageBytes;
  }

  @Override
  public synchronized void onOpen(WsSession opened) {
    session = opened;
    sessions.add(this);
  }

  @Override
  public synchronized void onMessage(WsSession from, BufferData buffer, boolean last) {
    echo(from, buffer.available(), last, () -> from.send(buffer, last));
  }

  @Override
  public synchronized void onMessage(WsSession from, String text, boolean last) {
    echo(from, text.getBytes(StandardCharsets.UTF_8).length, last, () -> from.send(text, last));
  }

  private void echo(WsSession from, int bytes, boolean last, Runnable sending) {
    metrics.received(bytes);
    messageBytes += bytes;
    if (messageBytes > maxMessageBytes) {
      from.close(WsCloseCodes.TOO_BIG, "a message is at most " + maxMessageBytes + " bytes");
      throw new CloseConnectionException("a message in fragments was too large");
    }
    messageBytes = last ? 0 : messageBytes;
    sessions.inProgress().begin();
    try {
      sending.run();
      metrics.sent(bytes);
    } finally {
      sessions.inProgress().end();
    }
  }

  @Override
  public synchronized void onPing(WsSession from, BufferData buffer) {
    from.pong(buffer);
  }

  /** Says goodbye; waits while an echo is being sent. */
  synchronized void goAway() {
    WsSession open = session;
    if (open != null) {
      open.close(WsCloseCodes.GOING_AWAY, "stopping");
    }
  }
}
