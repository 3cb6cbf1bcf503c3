package echoladder.client.websocket;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * Frames of RFC 6455, section 5.2, as they are written. A mask is four bytes as a little-endian number: its lowest byte is on the
 * first byte of the payload.
 */
public final class Frames {
  public static final int CONTINUATION = 0;
  public static final int TEXT = 1;
  public static final int BINARY = 2;
  public static final int CLOSE = 8;
  public static final int PING = 9;
  public static final int PONG = 10;

  /** Bytes of payload that a control frame has at most. */
  public static final int MOST_CONTROL_BYTES = 125;

  /** Bytes of a mask, the last ones of a head that has one. */
  public static final int MASK_BYTES = 4;

  /** Bytes of the longest head. */
  public static final int MOST_HEAD_BYTES = 10 + MASK_BYTES;

  /** How a mask lies in a head. */
  public static final ValueLayout.OfInt MASK = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final int LAST = 0x80;
  private static final int MASKED = 0x80;

  private Frames() {}

  /** Bytes of the head of a frame with so many bytes of payload, in its shortest form. */
  public static int headBytes(long payloadBytes, boolean masked) {
    return 2 + (payloadBytes < 126 ? 0 : payloadBytes < 65_536 ? 2 : 8) + (masked ? MASK_BYTES : 0);
  }

  /**
   * Puts the head of an unmasked frame at {@code at}.
   *
   * @param last whether it ends its message
   * @return the position behind it
   */
  public static int head(MemorySegment out, int at, int opcode, boolean last, long payloadBytes) {
    return head(out, at, (last ? LAST : 0) | opcode, payloadBytes, 0);
  }

  /** Puts the head of the last or only frame of a message at {@code at}, with its mask; the position behind it. */
  public static int maskedHead(MemorySegment out, int at, int opcode, long payloadBytes, int mask) {
    int behind = head(out, at, LAST | opcode, payloadBytes, MASKED);
    out.set(MASK, behind, mask);
    return behind + MASK_BYTES;
  }

  private static int head(MemorySegment out, int at, int first, long payloadBytes, int maskBit) {
    out.set(JAVA_BYTE, at, (byte) first);
    int extended = headBytes(payloadBytes, false) - 2;
    int second = extended == 0 ? (int) payloadBytes : extended == 2 ? 126 : 127;
    out.set(JAVA_BYTE, at + 1L, (byte) (maskBit | second));
    for (int i = 0; i < extended; i++) {
      out.set(JAVA_BYTE, at + 2L + i, (byte) (payloadBytes >>> (8 * (extended - 1 - i))));
    }
    return at + 2 + extended;
  }

  /** A mask over eight bytes of payload, the first of which is at a multiple of four. */
  public static long overWord(int mask) {
    return (mask & 0xffff_ffffL) * 0x1_0000_0001L;
  }

  /** Masks bytes where they lie, or unmasks them: the same. The first one is under the mask's lowest byte. */
  public static void mask(MemorySegment bytes, int at, int length, int mask) {
    long word = overWord(mask);
    int i = 0;
    for (; i + 8 <= length; i += 8) {
      bytes.set(WORD, at + i, bytes.get(WORD, at + i) ^ word);
    }
    for (; i < length; i++) {
      bytes.set(JAVA_BYTE, at + i, (byte) (bytes.get(JAVA_BYTE, at + i) ^ word >>> ((i & 7) << 3)));
    }
  }

  /** The only frame of a message, masked, as a client sends it. */
  public static byte[] masked(int opcode, byte[] payload, int mask) {
    byte[] frame = new byte[headBytes(payload.length, true) + payload.length];
    MemorySegment out = MemorySegment.ofArray(frame);
    int at = maskedHead(out, 0, opcode, payload.length, mask);
    System.arraycopy(payload, 0, frame, at, payload.length);
    mask(out, at, payload.length, mask);
    return frame;
  }

  /** A frame, unmasked, as a server sends it. */
  public static byte[] plain(int opcode, boolean last, byte[] payload) {
    byte[] frame = new byte[headBytes(payload.length, false) + payload.length];
    int at = head(MemorySegment.ofArray(frame), 0, opcode, last, payload.length);
    System.arraycopy(payload, 0, frame, at, payload.length);
    return frame;
  }
}
