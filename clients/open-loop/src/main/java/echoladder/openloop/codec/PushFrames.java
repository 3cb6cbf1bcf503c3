package echoladder.openloop.codec;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import echoladder.client.Publish;
import echoladder.client.schedule.Mix;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The frames of a server that pushes (servers/README.md, "Push"), and the body that this client publishes. A frame is a length of four
 * bytes, a kind, a topic of four bytes, and what the kind has: numbers are big-endian. A body begins with five words of eight bytes,
 * little-endian: its number, when it was intended, from when on it could go, when it went, and a check of these; then come bytes as of
 * any {@link Payload}. Each byte of a body depends on the load's seed, its topic and its number. The servers have frames of
 * their own: a mistake that both ends shared would not be seen. Pure.
 */
public final class PushFrames {
  /** Client to server: from its answer on every message of the topic is due. */
  static final int SUBSCRIBE = 1;
  /** Client to server: no message of the topic is due any more. */
  static final int LEAVE = 2;
  /** Client to server: a message for all who have subscribed to its topic. */
  static final int PUBLISH = 3;
  /** Server to client: a message that was published. */
  static final int MESSAGE = 4;
  /** Server to client: the answer to {@link #SUBSCRIBE}. */
  static final int SUBSCRIBED = 5;
  /** Server to client: the answer to {@link #LEAVE}. */
  static final int LEFT = 6;
  /** Server to client: the answer to {@link #PUBLISH}, with the number of subscribers that it was handed to. */
  public static final int PUBLISHED = 7;

  /** Length, kind and topic. */
  static final int HEAD_BYTES = 9;
  /** A whole {@link #PUBLISHED}. */
  public static final int PUBLISHED_BYTES = 13;

  /** Bytes of kind and topic, which the length counts. */
  private static final int COUNTED = HEAD_BYTES - 4;

  /** The words at the beginning of a body. */
  static final int WORDS_BYTES = Publish.LEAST_MESSAGE_BYTES;

  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle WORDS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private PushFrames() {}

  /** Bytes of the frame that publishes a message of so many. */
  public static int publishBytes(int messageBytes) {
    return HEAD_BYTES + messageBytes;
  }

  /**
   * Puts the frame that publishes a message at 0 of out.
   *
   * @param salt of the load, as {@link Payload#salt}
   * @param messageBytes {@link Publish#LEAST_MESSAGE_BYTES} or more
   */
  public static void publish(MemorySegment out, long salt, Delivery of, int messageBytes) {
    out.set(INT, 0, COUNTED + messageBytes);
    out.set(JAVA_BYTE, 4, (byte) PUBLISH);
    out.set(INT, 5, of.topic);
    out.set(WORD, HEAD_BYTES, of.sequence);
    out.set(WORD, HEAD_BYTES + 8, of.intendedNs);
    out.set(WORD, HEAD_BYTES + 16, of.freedNs);
    out.set(WORD, HEAD_BYTES + 24, of.sentNs);
    out.set(WORD, HEAD_BYTES + 32, check(salt, of));
    Payload.fill(out, HEAD_BYTES + WORDS_BYTES, key(salt, of), 0, messageBytes - WORDS_BYTES);
  }

  /** A frame without body, as a subscriber sends it. */
  static byte[] request(int kind, int topic) {
    byte[] frame = new byte[HEAD_BYTES];
    INTS.set(frame, 0, COUNTED);
    frame[4] = (byte) kind;
    INTS.set(frame, 5, topic);
    return frame;
  }

  /** The bytes of a frame's body by its head; negative = the length is none. */
  static int bodyBytes(byte[] head) {
    return (int) INTS.get(head, 0) - COUNTED;
  }

  static int topic(byte[] head) {
    return (int) INTS.get(head, 5);
  }

  /** The number in a {@link #PUBLISHED} at that place; negative where another frame is there, or another topic. */
  public static int audience(byte[] in, int at, int topic) {
    boolean is = (int) INTS.get(in, at) == PUBLISHED_BYTES - 4 && in[at + 4] == PUBLISHED && (int) INTS.get(in, at + 5) == topic;
    return is ? (int) INTS.get(in, at + HEAD_BYTES) : -1;
  }

  /** Reads the words of a body behind a frame's head; whether their check is right. */
  static boolean words(byte[] in, long salt, Delivery into) {
    into.sequence = (long) WORDS.get(in, HEAD_BYTES);
    into.intendedNs = (long) WORDS.get(in, HEAD_BYTES + 8);
    into.freedNs = (long) WORDS.get(in, HEAD_BYTES + 16);
    into.sentNs = (long) WORDS.get(in, HEAD_BYTES + 24);
    return (long) WORDS.get(in, HEAD_BYTES + 32) == check(salt, into);
  }

  /** The key of the bytes behind the words. */
  static long key(long salt, Delivery of) {
    return Payload.key(salt, of.topic, (int) of.sequence);
  }

  /** What the words of a body are checked by. */
  static long check(long salt, Delivery of) {
    long mixed = Mix.of(Mix.of(salt, of.topic), of.sequence);
    return Mix.of(Mix.of(Mix.of(mixed, of.intendedNs), of.freedNs), of.sentNs);
  }
}
