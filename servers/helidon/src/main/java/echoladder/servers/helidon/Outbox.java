package echoladder.servers.helidon;

import echoladder.servers.kit.EchoMetrics;
import echoladder.servers.kit.PushQueue;
import java.io.IOException;
import java.util.List;

/** What waits for a connection, and goes out by Helidon, which tells not how much of a failed write the kernel has. Thread-safe. */
abstract class Outbox extends PushQueue {
  private final EchoMetrics metrics;

  /** An empty queue; {@code batchBytes} is up to which frames that wait are written together. */
  Outbox(Peer peer, Push push, int batchBytes) {
    super(peer.channel(), push.options(), push.context(), push.metrics(), batchBytes);
    this.metrics = push.context().metrics();
  }

  /**
   * Has Helidon write frames of so many bytes; returns when the kernel has all of them. A RuntimeException of Helidon's says that it will
   * not. Gives what they come to as the server counts sent bytes.
   */
  abstract int send(List<byte[]> frames, int bytes);

  @Override
  protected final void write(List<byte[]> frames, int bytes) throws IOException {
    int sent;
    try {
      sent = send(frames, bytes);
    } catch (RuntimeException e) {
      // Helidon has several exceptions for a client that has gone, or a channel that was closed.
      throw new IOException("Helidon did not write all of it", e);
    }
    metrics.sent(sent);
  }
}
