package echoladder.openloop.codec;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;

/** A body of {@link PushText} of which a part has come, in pieces of any size. Nothing of it is kept but its words. One thread. */
final class BodyInPieces {
  private final int messageBytes;
  private final int topics;
  private final long salt;
  private final byte[] words = new byte[PushText.WORDS_BYTES];
  /** Bytes of the body so far. */
  private int got;
  private long key;
  /** The message that the body is, known once it has {@link #ended}; its codec puts another one in its place. */
  Delivery of = new Delivery();

  /**
   * Bodies of the messages of a load.
   *
   * @param messageBytes of a right body, {@link PushText#WORDS_BYTES} or more
   * @param salt of the load, as {@link Payload#salt}
   */
  BodyInPieces(int messageBytes, int topics, long salt) {
    this.messageBytes = messageBytes;
    this.topics = topics;
    this.salt = salt;
  }

  /** A body begins. */
  void begins() {
    got = 0;
    of.right = true;
  }

  /** Takes a byte of it. */
  void take(byte b) {
    if (got < words.length) {
      words[got++] = b;
      if (got == words.length) {
        of.right &= PushText.words(words, salt, topics, of);
        key = PushFrames.key(salt, of);
      }
    } else {
      of.right = of.right && got < messageBytes && b == Payload.letterAt(key, got - words.length);
      got = Math.min(Integer.MAX_VALUE - 1, got) + 1;
    }
  }

  /** Takes the bytes of it from {@code from} to before {@code to}. */
  void take(MemorySegment in, int from, int to) {
    int at = from;
    while (at < to && got < words.length) {
      take(in.get(JAVA_BYTE, at++));
    }
    if (at < to) {
      of.right = of.right && to - at <= messageBytes - got && Payload.textMatches(in, at, key, got - words.length, to - at);
      got = (int) Math.min(Integer.MAX_VALUE, (long) got + to - at);
    }
  }

  /** The body is whole: {@link #of} says whether it is right. */
  void ended() {
    of.right &= got == messageBytes;
  }
}
