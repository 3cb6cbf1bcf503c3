package echoladder.servers.helidon;

import echoladder.servers.kit.PushQueue;
import java.io.IOException;
import java.util.List;

/** What waits for a connection, and goes out by Helidon. Thread-safe. */
abstract class Outbox extends PushQueue {
  private final Peer peer;
  private final Push push;

  /** An empty queue; {@code batchBytes} is up to which frames that wait are written together. */
  Outbox(Peer peer, Push push, int batchBytes) {
    super(push.options(), push.context(), push.metrics(), batchBytes);
    this.peer = peer;
    this.push = push;
  }

  /** Has Helidon write frames; returns when the kernel has all of them. A RuntimeException of Helidon's says that it will not. */
  abstract void send(List<byte[]> frames);

  /** What frames come to as the server counts sent bytes. */
  abstract int sentBytes(List<byte[]> frames, int bytes);

  @Override
  protected final void write(List<byte[]> frames, int bytes) throws IOException {
    try {
      send(frames);
    } catch (RuntimeException e) {
      // Helidon has several exceptions for a client that has gone, or a channel that was closed.
      throw new IOException("Helidon did not write all of it", e);
    }
    push.context().metrics().sent(sentBytes(frames, bytes));
  }

  /** Helidon does not tell. */
  @Override
  protected final int takenBytes() {
    return 0;
  }

  @Override
  protected final void close() {
    peer.close();
  }

  @Override
  protected final void reset() {
    peer.reset();
  }
}
