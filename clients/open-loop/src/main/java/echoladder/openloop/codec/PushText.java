package echoladder.openloop.codec;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import echoladder.client.Publish;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The body that this client publishes where bodies are text. It begins with the five words of {@link PushFrames}, each as eleven letters of
 * six bits, the lowest first; then come the letters of the low six bits of each byte of a {@link Payload}. Letters are those of
 * base64url, so that no server has to escape one. Pure.
 */
final class PushText {
  /** Letters of a word of 64 bits. */
  private static final int WORD_LETTERS = 11;

  /** The letters at the beginning of a body that hold its five words. */
  static final int WORDS_BYTES = Publish.LEAST_TEXT_BYTES;

  private static final int BITS = 6;
  private static final int LOW = (1 << BITS) - 1;

  /** The last letter of a word has the bits that are left: a higher one is of no word. */
  private static final int MOST_OF_LAST = (1 << (Long.SIZE - (WORD_LETTERS - 1) * BITS)) - 1;

  private static final byte[] LETTERS =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] VALUES = values();

  private PushText() {}

  private static byte[] values() {
    byte[] values = new byte[1 << Byte.SIZE];
    Arrays.fill(values, (byte) -1);
    for (int i = 0; i < LETTERS.length; i++) {
      values[LETTERS[i]] = (byte) i;
    }
    return values;
  }

  /** The letter that a byte of a payload becomes. */
  static byte letter(byte of) {
    return LETTERS[of & LOW];
  }

  /**
   * Puts a body at {@code at} of out.
   *
   * @param salt of the load, as {@link Payload#salt}
   * @param messageBytes {@link #WORDS_BYTES} or more
   */
  static void put(MemorySegment out, int at, long salt, Delivery of, int messageBytes) {
    word(out, at, of.sequence);
    word(out, at + WORD_LETTERS, of.intendedNs);
    word(out, at + 2 * WORD_LETTERS, of.freedNs);
    word(out, at + 3 * WORD_LETTERS, of.sentNs);
    word(out, at + 4 * WORD_LETTERS, PushFrames.check(salt, of));
    Payload.fillText(out, at + WORDS_BYTES, PushFrames.key(salt, of), messageBytes - WORDS_BYTES);
  }

  private static void word(MemorySegment out, int at, long word) {
    for (int i = 0; i < WORD_LETTERS; i++) {
      out.set(JAVA_BYTE, at + i, letter((byte) (word >>> (i * BITS))));
    }
  }

  /** Reads the words at the beginning of a body, whose topic {@code into} has once they are read; whether their check is right. */
  static boolean words(byte[] in, long salt, int topics, Delivery into) {
    boolean letters = true;
    for (int i = 0; i < WORDS_BYTES; i++) {
      int value = VALUES[in[i] & 0xFF];
      letters &= value >= 0 && (i % WORD_LETTERS < WORD_LETTERS - 1 || value <= MOST_OF_LAST);
    }
    if (!letters) {
      return false;
    }
    into.sequence = word(in, 0);
    into.intendedNs = word(in, WORD_LETTERS);
    into.freedNs = word(in, 2 * WORD_LETTERS);
    into.sentNs = word(in, 3 * WORD_LETTERS);
    into.topic = (int) Math.floorMod(into.sequence, (long) topics);
    return word(in, 4 * WORD_LETTERS) == PushFrames.check(salt, into);
  }

  private static long word(byte[] in, int at) {
    long word = 0;
    for (int i = WORD_LETTERS - 1; i >= 0; i--) {
      word = word << BITS | VALUES[in[at + i]];
    }
    return word;
  }
}
