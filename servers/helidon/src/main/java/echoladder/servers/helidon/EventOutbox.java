package echoladder.servers.helidon;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What waits for a subscriber over HTTP: events, of which none is a reply. */
final class EventOutbox extends Outbox {
  private static final int BATCH_BYTES = 64 << 10;

  // Set by the one thread that writes, before it writes.
  private @Nullable EventSink sink;

  EventOutbox(Peer peer, Push push) {
    super(peer, push, BATCH_BYTES);
  }

  /** Writes what waits to the stream until nothing more will; for the thread of the answer. */
  void writeAll(EventSink to) {
    sink = to;
    run();
  }

  @Override
  protected boolean isMessage(byte[] event) {
    return true;
  }

  /** The head of the stream says what SUBSCRIBED says. */
  @Override
  public void reply(byte[] frame) {
    // There is none over HTTP.
  }

  @Override
  int send(List<byte[]> events, int bytes) {
    Objects.requireNonNull(sink).emit(events);
    return bytes;
  }
}
