package echoladder.servers.floor;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What one connection says and is answered, message by message. A message that came whole is answered out of the loop's buffer;
 * what came in part is held here until the rest is there. For the loop's thread.
 */
abstract class Conversation {
  /** What {@link #one} gives where the message goes on. */
  static final int INCOMPLETE = -1;

  /** What {@link #dueNs} gives where nothing is due. */
  static final long NEVER = -1;

  private static final byte[] NOTHING = {};
  private static final int HELD_BYTES_LEAST = 256;

  private final int fd;
  private byte[] held = NOTHING;
  private int heldBytes;
  private int neededBytes;
  private int limit;
  private boolean progressed;
  private boolean ends;
  private boolean dropping;
  private int droppedBytes;
  private byte @Nullable [] owed;
  private int paidBytes;
  private int receivedBytes;
  private int answeredBytes;
  private long waitNs;
  private long dueNs = NEVER;

  Conversation(int fd) {
    this.fd = fd;
  }

  /**
   * Answers the message that begins at {@code from} and ends before {@link #limit}; it may change the bytes. Called again with
   * the same beginning, though perhaps in another array, after {@link #INCOMPLETE}.
   *
   * @return the position behind the message, or INCOMPLETE, before which {@link #need} was called
   */
  abstract int one(byte[] bytes, int from, Outgoing out);

  /** The time is up that it asked for by {@link #await}: the answer. */
  void timeUp(Outgoing out) {
    throw new IllegalStateException("no answer was waited for");
  }

  /** The peer has sent its last, or the server has stopped: a last word, where the protocol has one. */
  void farewell(Outgoing out) {}

  /** Whether the rest of a message that has begun must come in time. */
  boolean hurries() {
    return true;
  }

  /** The position behind the last byte that came. */
  final int limit() {
    return limit;
  }

  /** Some bytes before the limit are of no use any more. */
  final void shrink(int newLimit) {
    limit = newLimit;
  }

  /** It is of no use to call {@link #one} again before so many bytes of the message are there. */
  final void need(int bytes) {
    neededBytes = bytes;
  }

  /** So many bytes of a message were received, and are on their way back. */
  final void echoed(int bytes) {
    receivedBytes += bytes;
    answeredBytes += bytes;
  }

  /** Nothing is read after this message, and the connection ends when it is answered. */
  final void endAfterThis() {
    ends = true;
  }

  /** Nothing more is read for so long; {@link #timeUp} follows. */
  final void await(long ns) {
    waitNs = ns;
  }

  /** Takes what came into a buffer that is used again at once. */
  final void received(byte[] in, int count, Outgoing out) {
    if (heldBytes == 0) {
      int used = use(in, 0, count, out);
      heldBytes = limit - used;
      held = heldBytes == 0 ? NOTHING : Arrays.copyOfRange(in, used, limit);
    } else {
      append(in, count);
      goOn(out);
    }
  }

  /** Takes what is held, as far as it is worth a look. */
  final void goOn(Outgoing out) {
    if (heldBytes == 0 || heldBytes < neededBytes) {
      return;
    }
    int used = use(held, 0, heldBytes, out);
    heldBytes = limit - used;
    if (heldBytes == 0) {
      held = NOTHING;
    } else if (used > 0) {
      held = Arrays.copyOfRange(held, used, limit);
    }
  }

  private int use(byte[] bytes, int from, int to, Outgoing out) {
    limit = to;
    neededBytes = 0;
    int at = from;
    while (at < limit && !ends && waitNs == 0 && !out.blocked()) {
      int next = one(bytes, at, out);
      if (next == INCOMPLETE) {
        return at;
      }
      at = next;
      progressed = true;
    }
    return ends ? limit : at;
  }

  private void append(byte[] in, int count) {
    int least = heldBytes + count;
    if (least > held.length) {
      // As much again, but no more than is known to be needed: what a head announces is not there yet.
      int again = Math.max(HELD_BYTES_LEAST, 2 * held.length);
      held = Arrays.copyOf(held, Math.max(least, neededBytes > least ? Math.min(again, neededBytes) : again));
    }
    System.arraycopy(in, 0, held, heldBytes, count);
    heldBytes = least;
  }

  final int fd() {
    return fd;
  }

  /** Whether a part of a message is held. */
  final boolean partial() {
    return heldBytes > 0;
  }

  /** Whether a message was answered since this was last asked. */
  final boolean progressed() {
    boolean did = progressed;
    progressed = false;
    return did;
  }

  /** Whether nothing is read any more. */
  final boolean ends() {
    return ends;
  }

  /** How long the answer is to wait; 0 = it need not. */
  final long waitNs() {
    return waitNs;
  }

  /** The time that was waited for is over. */
  final void waited() {
    waitNs = 0;
  }

  /** Bytes of messages received since this was last asked. */
  final int takeReceived() {
    int bytes = receivedBytes;
    receivedBytes = 0;
    return bytes;
  }

  /** Bytes of messages in answers since this was last asked. */
  final int takeAnswered() {
    int bytes = answeredBytes;
    answeredBytes = 0;
    return bytes;
  }

  /** The peer has yet to take this. */
  final void owe(byte[] bytes) {
    owed = bytes;
    paidBytes = 0;
  }

  /** What the peer has yet to take, of which {@link #paidBytes} are gone; null = nothing. */
  final byte @Nullable [] owed() {
    return owed;
  }

  final int paidBytes() {
    return paidBytes;
  }

  /** The peer took so much. */
  final void paid(int bytes) {
    paidBytes += bytes;
    if (owed != null && paidBytes == owed.length) {
      owed = null;
    }
  }

  /** From here on what comes is dropped. */
  final void drop() {
    dropping = true;
    held = NOTHING;
    heldBytes = 0;
  }

  final boolean dropping() {
    return dropping;
  }

  /** How much was dropped, these bytes included. */
  final int dropped(int bytes) {
    droppedBytes += bytes;
    return droppedBytes;
  }

  /** When the loop looks at it again although nothing comes, on the loop's clock, or NEVER. */
  final long dueNs() {
    return dueNs;
  }

  final void dueAt(long ns) {
    dueNs = ns;
  }
}
