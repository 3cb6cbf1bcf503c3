package echoladder.servers.kit;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The frames of push (servers/README.md, "Push"), and what puts the frames of one connection together, however its bytes are
 * cut. A frame that is incomplete takes memory as its bytes come, and none for what its head announces. The client has
 * frames of its own: a mistake that both ends shared would not be seen. For one thread at a time.
 */
public final class PushFrames {
  public static final byte SUBSCRIBE = 1;
  public static final byte LEAVE = 2;
  public static final byte PUBLISH = 3;
  public static final byte MESSAGE = 4;
  public static final byte SUBSCRIBED = 5;
  public static final byte LEFT = 6;
  public static final byte PUBLISHED = 7;

  /** Where a frame has its kind, behind its length. */
  public static final int KIND_AT = 4;

  private static final int LENGTH_BYTES = KIND_AT;
  private static final int TOPIC_AT = KIND_AT + 1;

  /** Length, kind and topic, which every frame of a client has. */
  private static final int HEAD_BYTES = 9;

  private static final int MOST_BODY_BYTES = 1 << 20;
  private static final int FIRST_BYTES = 4 << 10;
  private static final byte[] NOTHING = {};
  private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

  private byte[] frame = NOTHING;
  private int filled;

  /** What a client sent is no frame: its connection ends. */
  public static final class Malformed extends IOException {
    private static final long serialVersionUID = 1;

    Malformed(String message) {
      super(message);
    }
  }

  /**
   * The next frame whose last byte is in {@code in}, with its length in front; null where more bytes must come, and all of
   * {@code in} is taken.
   */
  public byte @Nullable [] next(ByteBuffer in) throws Malformed {
    if (filled < HEAD_BYTES) {
      if (!in.hasRemaining()) {
        return null;
      }
      if (filled == 0) {
        frame = new byte[HEAD_BYTES];
      }
      take(in);
      check();
      if (filled < HEAD_BYTES) {
        return null;
      }
    }
    int total = LENGTH_BYTES + length();
    grow(total, in.remaining());
    take(in);
    if (filled < total) {
      return null;
    }
    byte[] whole = frame;
    frame = NOTHING;
    filled = 0;
    return whole;
  }

  private void take(ByteBuffer in) {
    int n = Math.min(in.remaining(), frame.length - filled);
    in.get(frame, filled, n);
    filled += n;
  }

  /** Makes room for what is there, or for twice as much as before, and never for more than the frame has. */
  private void grow(int total, int there) {
    int least = Math.min(total, filled + there);
    if (least > frame.length) {
      frame = Arrays.copyOf(frame, Math.min(total, Math.max(least, Math.max(FIRST_BYTES, 2 * frame.length))));
    }
  }

  private int length() {
    return (int) INT.get(frame, 0);
  }

  private void check() throws Malformed {
    int least = HEAD_BYTES - LENGTH_BYTES;
    if (filled >= LENGTH_BYTES && (length() < least || length() > least + MOST_BODY_BYTES)) {
      throw new Malformed("a frame of length " + length() + "; " + least + " to " + (least + MOST_BODY_BYTES) + " are allowed");
    }
    if (filled > KIND_AT) {
      byte kind = kind(frame);
      if (kind < SUBSCRIBE || kind > PUBLISH) {
        throw new Malformed("a frame of kind " + kind + "; a client sends " + SUBSCRIBE + " to " + PUBLISH);
      }
      if (kind != PUBLISH && length() != least) {
        throw new Malformed("a frame of kind " + kind + " and length " + length() + "; its length is " + least);
      }
    }
    if (filled == HEAD_BYTES && topic(frame) < 0) {
      throw new Malformed("a topic beyond " + Integer.MAX_VALUE);
    }
  }

  /** Which kind a frame is. */
  public static byte kind(byte[] frame) {
    return frame[KIND_AT];
  }

  /** Whether it is a message, and no reply. */
  public static boolean isMessage(byte[] frame) {
    return isMessage(frame, 0);
  }

  /** Whether the frame that begins there is a message, and no reply. */
  static boolean isMessage(byte[] frames, int at) {
    return frames[at + KIND_AT] == MESSAGE;
  }

  /** Where the frame ends that begins there. */
  static int end(byte[] frames, int at) {
    return at + LENGTH_BYTES + (int) INT.get(frames, at);
  }

  /** Which topic a frame is about, 0 or more. */
  public static int topic(byte[] frame) {
    return (int) INT.get(frame, TOPIC_AT);
  }

  /** Makes a PUBLISH the MESSAGE that its subscribers get, in place: the two differ in their kind alone. */
  public static byte[] toMessage(byte[] publish) {
    publish[KIND_AT] = MESSAGE;
    return publish;
  }

  /** A SUBSCRIBED or LEFT. */
  public static byte[] reply(byte kind, int topic) {
    return head(new byte[HEAD_BYTES], kind, topic);
  }

  /** A PUBLISHED: so many connections were handed the message. */
  public static byte[] published(int topic, int count) {
    byte[] frame = head(new byte[HEAD_BYTES + Integer.BYTES], PUBLISHED, topic);
    INT.set(frame, HEAD_BYTES, count);
    return frame;
  }

  private static byte[] head(byte[] frame, byte kind, int topic) {
    INT.set(frame, 0, frame.length - LENGTH_BYTES);
    frame[KIND_AT] = kind;
    INT.set(frame, TOPIC_AT, topic);
    return frame;
  }
}
