package echoladder.client.websocket;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The heads of the frames that arrive on many connections (RFC 6455, section 5.2), in pieces of any size: flat arrays, no sockets,
 * no allocation. The payload behind a head is the caller's, who asks how much of it is {@link #left} and says how much has
 * {@link #passed}. Behind a violation there are no frames any more. Belongs to one thread. No server reads by this code: an error in a
 * codec that both ends share would be seen by neither.
 */
public final class FrameHeads {
  // What the next byte of a connection is. The lower bits of the last two are how many such bytes are still to come.
  private static final byte FIRST = 0;
  private static final byte SECOND = 1;
  private static final byte PAYLOAD = 2;
  private static final byte LENGTH = 0x10;
  private static final byte MASK = 0x20;
  private static final byte TO_COME = 0x0f;

  private static final int RESERVED = 0x70;
  private static final int OPCODE = 0x0f;
  // In place of reserved bits, which are 0 in what is kept of a first byte.
  private static final int IN_MESSAGE = 0x40;
  private static final int LONG_FORM = 0x20;

  private static final int TWO_BYTES = 126;
  private static final int EIGHT_BYTES = 127;

  private final boolean masked;
  private final byte[] place;
  private final byte[] first;
  /** Bytes of payload that have not passed; within a head, the length as far as it has been read. */
  private final int[] left;
  /** Masks, where there are any, turned so that the lowest byte is that of the next byte of payload. */
  private final int[] masks;
  private boolean complete;
  private @Nullable Violation violation;

  /**
   * The heads of {@code connections} peers.
   *
   * @param masked whether they are clients, which mask every frame; servers mask none
   */
  public FrameHeads(int connections, boolean masked) {
    this.masked = masked;
    place = new byte[connections];
    first = new byte[connections];
    left = new int[connections];
    masks = new int[masked ? connections : 0];
  }

  /**
   * Takes bytes of a head: up to its end, or all. Only where {@link #inHead}.
   *
   * @param c the connection
   * @param in the bytes received, from {@code from} to before {@code to}
   * @return the position after the last byte taken
   */
  public int take(int c, MemorySegment in, int from, int to) {
    complete = false;
    violation = null;
    int at = from;
    while (at < to && !complete && violation == null) {
      byte b = in.get(JAVA_BYTE, at++);
      byte here = place[c];
      if (here == FIRST) {
        first(c, b);
      } else if (here == SECOND) {
        second(c, b);
      } else if ((here & LENGTH) != 0) {
        length(c, b);
      } else if ((here & MASK) != 0) {
        mask(c, b);
      } else {
        throw new IllegalStateException("%,d bytes of payload have not passed".formatted(left[c]));
      }
    }
    return at;
  }

  private void first(int c, byte b) {
    int opcode = b & OPCODE;
    boolean last = b < 0;
    int within = first[c] & IN_MESSAGE;
    if ((b & RESERVED) != 0) {
      violation = Violation.RESERVED_BITS;
    } else if ((opcode > Frames.BINARY && opcode < Frames.CLOSE) || opcode > Frames.PONG) {
      violation = Violation.UNKNOWN_OPCODE;
    } else if (opcode >= Frames.CLOSE) {
      violation = last ? null : Violation.FRAGMENTED_CONTROL;
    } else if (opcode == Frames.CONTINUATION) {
      violation = within != 0 ? null : Violation.NOTHING_TO_CONTINUE;
    } else if (within != 0) {
      violation = Violation.MESSAGE_WITHIN_MESSAGE;
    }
    first[c] = (byte) ((b & ~RESERVED) | within);
    place[c] = SECOND;
  }

  private void second(int c, byte b) {
    int length = b & 0x7f;
    if (b < 0 != masked) {
      violation = masked ? Violation.UNMASKED : Violation.MASKED;
    } else if (control(c) && length > Frames.MOST_CONTROL_BYTES) {
      violation = Violation.CONTROL_TOO_LONG;
    } else if (length < TWO_BYTES) {
      left[c] = length;
      lengthKnown(c);
    } else {
      left[c] = 0;
      place[c] = (byte) (LENGTH | (length == TWO_BYTES ? 2 : 8));
      first[c] = (byte) (first[c] | (length == EIGHT_BYTES ? LONG_FORM : 0));
    }
  }

  private void length(int c, byte b) {
    int toCome = place[c] & TO_COME;
    boolean longForm = (first[c] & LONG_FORM) != 0;
    if (toCome == 8 && b < 0) {
      violation = Violation.LENGTH_BIT;
      return;
    }
    if (left[c] >= 1 << 23) {
      violation = Violation.TOO_LONG;
      return;
    }
    left[c] = left[c] << 8 | (b & 0xff);
    if (toCome > 1) {
      place[c] = (byte) (LENGTH | (toCome - 1));
    } else if (left[c] < (longForm ? 65_536 : TWO_BYTES)) {
      violation = Violation.LENGTH_NOT_SHORTEST;
    } else {
      first[c] = (byte) (first[c] & ~LONG_FORM);
      lengthKnown(c);
    }
  }

  private void lengthKnown(int c) {
    if (masked) {
      place[c] = MASK | Frames.MASK_BYTES;
    } else {
      ended(c);
    }
  }

  private void mask(int c, byte b) {
    int toCome = place[c] & TO_COME;
    // From the top down, so that the first byte ends as the lowest.
    masks[c] = masks[c] >>> 8 | b << 24;
    if (toCome > 1) {
      place[c] = (byte) (MASK | (toCome - 1));
    } else {
      ended(c);
    }
  }

  private void ended(int c) {
    if (!control(c)) {
      first[c] = (byte) (last(c) ? first[c] & ~IN_MESSAGE : first[c] | IN_MESSAGE);
    }
    complete = true;
    place[c] = left[c] == 0 ? FIRST : PAYLOAD;
  }

  /** Whether the last {@link #take} ended a head. */
  public boolean complete() {
    return complete;
  }

  /** What of the head that the last {@link #take} took a peer must not send; null = nothing. */
  public @Nullable Violation violation() {
    return violation;
  }

  /** Whether the next byte of a connection belongs to a head; false = to the payload of the frame whose head was the last. */
  public boolean inHead(int c) {
    return place[c] != PAYLOAD;
  }

  /** The opcode of the frame whose head was the last. */
  public int opcode(int c) {
    return first[c] & OPCODE;
  }

  /** Whether that frame is a control frame, which is no part of a message and may lie within one. */
  public boolean control(int c) {
    return opcode(c) >= Frames.CLOSE;
  }

  /** Whether that frame is the last or only one of its message. */
  public boolean last(int c) {
    return first[c] < 0;
  }

  /** Bytes of its payload that have not passed. */
  public int left(int c) {
    return left[c];
  }

  /** The mask of what is left of its payload; only of clients. */
  public int mask(int c) {
    return masks[c];
  }

  /** So many bytes of its payload have passed, {@link #left} at most. */
  public void passed(int c, int bytes) {
    left[c] -= bytes;
    if (masked) {
      masks[c] = Integer.rotateRight(masks[c], (bytes & 3) << 3);
    }
    if (left[c] == 0) {
      place[c] = FIRST;
    }
  }

  /** Forgets what a connection was in, as another takes its place. */
  public void restart(int c) {
    place[c] = FIRST;
    first[c] = 0;
    left[c] = 0;
  }

  /** Bytes this keeps in arrays. */
  public long arrayBytes() {
    return 6L * place.length + 4L * masks.length;
  }
}
