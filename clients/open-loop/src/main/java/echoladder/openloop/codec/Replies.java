package echoladder.openloop.codec;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** What a codec has to say on a connection beside its requests: one thing that has begun, and one behind it, which a later one replaces. */
final class Replies {
  private byte[] bytes;
  private int sent;
  private byte @Nullable [] next;

  Replies(byte[] bytes) {
    this.bytes = bytes;
  }

  /** Bytes to be sent of what has begun. */
  int left() {
    return bytes.length - sent;
  }

  void copyTo(MemorySegment out) {
    MemorySegment.copy(MemorySegment.ofArray(bytes), sent, out, 0, left());
  }

  /** Adds one: of several pings only the last needs a pong (RFC 6455, section 5.5.3). */
  void next(byte[] frame) {
    if (sent == 0) {
      bytes = frame;
    } else {
      next = frame;
    }
  }

  /** Notes bytes as sent; whether nothing is left. */
  boolean sent(int some) {
    sent += some;
    if (left() == 0 && next != null) {
      bytes = next;
      next = null;
      sent = 0;
    }
    return left() == 0;
  }
}
