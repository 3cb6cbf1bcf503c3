package echoladder.openloop.codec;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import echoladder.client.schedule.Mix;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * The bytes of a message, computed from its key instead of kept: 64-bit little-endian words {@code key + i * GOLDEN}.
 * A byte that belongs to another connection, another message, another client host or another place in this message differs,
 * but for one chance in 256 per byte and 2^-64 per word.
 */
public final class Payload {
  private static final ValueLayout.OfLong WORD =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  /** Keeps the bytes of messages apart from the draws of the schedule. */
  private static final long SALT = 0x0B17E5;

  private Payload() {}

  /**
   * What tells the messages of one load, or of one client host's part of a load, from those of another.
   *
   * @param seed of that plan: connections are numbered within it, so those of two parts have the same numbers
   */
  public static long salt(long seed) {
    return Mix.of(seed, SALT);
  }

  /** The key of message {@code sequence} on connection {@code global} of the load of that {@link #salt}. */
  public static long key(long salt, int global, int sequence) {
    return Mix.of(salt + global, sequence);
  }

  private static long word(long key, int i) {
    return key + i * Mix.GOLDEN;
  }

  private static byte byteOf(long word, int offset) {
    return (byte) (word >>> ((offset & 7) << 3));
  }

  private static byte byteAt(long key, int offset) {
    return byteOf(word(key, offset >>> 3), offset);
  }

  /** Puts bytes {@code offset} to {@code offset + bytes} of the message at {@code at} of {@code out}. */
  static void fill(MemorySegment out, int at, long key, int offset, int bytes) {
    fill(out, at, key, offset, bytes, 0);
  }

  /**
   * Puts bytes {@code offset} to {@code offset + bytes} of the message at {@code at} of {@code out}, each word of it masked by
   * exclusive or with {@code over}.
   */
  static void fill(MemorySegment out, int at, long key, int offset, int bytes, long over) {
    int i = 0;
    for (; i < bytes && ((offset + i) & 7) != 0; i++) {
      out.set(JAVA_BYTE, at + i, (byte) (byteAt(key, offset + i) ^ byteOf(over, offset + i)));
    }
    for (; i + 8 <= bytes; i += 8) {
      out.set(WORD, at + i, word(key, (offset + i) >>> 3) ^ over);
    }
    for (; i < bytes; i++) {
      out.set(JAVA_BYTE, at + i, (byte) (byteAt(key, offset + i) ^ byteOf(over, offset + i)));
    }
  }

  /** Whether {@code bytes} bytes at {@code at} of {@code in} are those of the message from {@code offset} on. */
  static boolean matches(MemorySegment in, int at, long key, int offset, int bytes) {
    int i = 0;
    boolean right = true;
    for (; i < bytes && ((offset + i) & 7) != 0; i++) {
      right &= in.get(JAVA_BYTE, at + i) == byteAt(key, offset + i);
    }
    for (; i + 8 <= bytes; i += 8) {
      right &= in.get(WORD, at + i) == word(key, (offset + i) >>> 3);
    }
    for (; i < bytes; i++) {
      right &= in.get(JAVA_BYTE, at + i) == byteAt(key, offset + i);
    }
    return right;
  }

  /** The letter at that place of the message as text, see {@link PushText}. */
  static byte letterAt(long key, int offset) {
    return PushText.letter(byteAt(key, offset));
  }

  /** Puts the first bytes of the message as text at {@code at} of {@code out}. */
  static void fillText(MemorySegment out, int at, long key, int bytes) {
    for (int i = 0; i < bytes; i++) {
      out.set(JAVA_BYTE, at + i, letterAt(key, i));
    }
  }

  /** Whether {@code bytes} bytes at {@code at} of {@code in} are those of the message as text from {@code offset} on. */
  static boolean textMatches(MemorySegment in, int at, long key, int offset, int bytes) {
    boolean right = true;
    for (int i = 0; i < bytes; i++) {
      right &= in.get(JAVA_BYTE, at + i) == letterAt(key, offset + i);
    }
    return right;
  }
}
