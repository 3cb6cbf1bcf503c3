package echoladder.servers.floor;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The head of a frame from a client (RFC 6455, 5.2), read where it lies, and the frames that are sent back. One for each loop, as
 * its fields are those of the last head alone. The client and the contract suite read and write frames by code of their own: with one
 * codec for all, nobody would see its errors.
 */
final class WebSocketFrame {
  static final int CONTINUATION = 0;
  static final int TEXT = 1;
  static final int BINARY = 2;
  static final int CLOSE = 8;
  static final int PING = 9;
  static final int PONG = 10;

  /** {@link #read}: the head goes on. */
  static final int INCOMPLETE = 0;

  /** {@link #read}: the head is there. Every other result is the close code that refuses it. */
  static final int WHOLE = 1;

  static final int PROTOCOL_ERROR = 1002;
  static final int TOO_LARGE = 1009;

  private static final int FIN = 0x80;
  private static final int RESERVED = 0x70;
  private static final int MASKED = 0x80;
  private static final int CONTROL_BYTES_MAX = 125;
  private static final int LENGTH_OF_16_BITS = 126;
  private static final int LENGTH_OF_64_BITS = 127;
  private static final int MASK_BYTES = 4;

  private static final VarHandle SHORT = view(short[].class);
  private static final VarHandle INT = view(int[].class);
  private static final VarHandle LONG = view(long[].class);

  private final byte[] answer = new byte[10];
  private boolean last;
  private int opcode;
  private int headBytes;
  private int payloadBytes;

  private static VarHandle view(Class<?> array) {
    return MethodHandles.byteArrayViewVarHandle(array, ByteOrder.BIG_ENDIAN);
  }

  /**
   * Reads the head that begins at {@code from}. Where it is incomplete, {@link #headBytes} are needed at least.
   *
   * @param mostBytes of a message's payload that may yet come
   * @param within whether a message has begun whose last frame is yet to come
   */
  int read(byte[] bytes, int from, int to, int mostBytes, boolean within) {
    headBytes = 2;
    if (to - from < headBytes) {
      return INCOMPLETE;
    }
    last = (bytes[from] & FIN) != 0;
    opcode = bytes[from] & 0xf;
    int length = bytes[from + 1] & 0x7f;
    if ((bytes[from] & RESERVED) != 0 || (bytes[from + 1] & MASKED) == 0 || !fits(length, within)) {
      return PROTOCOL_ERROR;
    }
    headBytes = 2 + MASK_BYTES + (length == LENGTH_OF_16_BITS ? 2 : length == LENGTH_OF_64_BITS ? 8 : 0);
    if (to - from < headBytes) {
      return INCOMPLETE;
    }
    long payload = length;
    if (length == LENGTH_OF_16_BITS) {
      payload = (short) SHORT.get(bytes, from + 2) & 0xffff;
    } else if (length == LENGTH_OF_64_BITS) {
      payload = (long) LONG.get(bytes, from + 2);
    }
    // The shortest form must be used, and the highest bit is 0.
    if (length == LENGTH_OF_16_BITS ? payload < LENGTH_OF_16_BITS : length == LENGTH_OF_64_BITS && payload < 1 << 16) {
      return PROTOCOL_ERROR;
    }
    if (!isControl() && payload > mostBytes) {
      return TOO_LARGE;
    }
    payloadBytes = (int) payload;
    return WHOLE;
  }

  /** Whether a frame of that opcode may stand here. */
  private boolean fits(int length, boolean within) {
    return switch (opcode) {
      case CONTINUATION -> within;
      case TEXT, BINARY -> !within;
      case CLOSE, PING, PONG -> last && length <= CONTROL_BYTES_MAX;
      default -> false;
    };
  }

  boolean isControl() {
    return opcode >= CLOSE;
  }

  /** Whether it ends its message. */
  boolean last() {
    return last;
  }

  int opcode() {
    return opcode;
  }

  int headBytes() {
    return headBytes;
  }

  int payloadBytes() {
    return payloadBytes;
  }

  /** Takes the mask off the payload of the frame that begins at {@code from}, which is there in whole. */
  void unmask(byte[] bytes, int from) {
    int at = from + headBytes;
    int end = at + payloadBytes;
    int mask = (int) INT.get(bytes, at - MASK_BYTES);
    long twice = ((long) mask << 32) | (mask & 0xffffffffL);
    for (; at + 8 <= end; at += 8) {
      LONG.set(bytes, at, (long) LONG.get(bytes, at) ^ twice);
    }
    for (int shift = 24; at < end; at++, shift = shift == 0 ? 24 : shift - 8) {
      bytes[at] ^= (byte) (mask >>> shift);
    }
  }

  /** Sends a frame, whole and without a mask. */
  void send(int code, byte[] payload, int from, int count, Outgoing out) {
    answer[0] = (byte) (FIN | code);
    int bytes = 2;
    if (count < LENGTH_OF_16_BITS) {
      answer[1] = (byte) count;
    } else if (count < 1 << 16) {
      answer[1] = LENGTH_OF_16_BITS;
      SHORT.set(answer, 2, (short) count);
      bytes = 4;
    } else {
      answer[1] = LENGTH_OF_64_BITS;
      LONG.set(answer, 2, (long) count);
      bytes = 10;
    }
    out.put(answer, 0, bytes);
    out.put(payload, from, count);
  }
}
