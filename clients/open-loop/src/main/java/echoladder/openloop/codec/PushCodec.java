package echoladder.openloop.codec;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import echoladder.client.LoadPlan;
import echoladder.client.Publish;
import echoladder.client.schedule.Slice;
import echoladder.openloop.result.Answer;
import echoladder.openloop.result.Failures;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * A subscriber: the first request of a connection subscribes to its topic, the next one leaves it, and what the server says of its own
 * accord is a {@link Delivery}. A connection that is to get nothing subscribes to a topic of which nothing is published.
 */
public final class PushCodec implements Codec {
  /** More than a server may send at once. */
  private static final int MOST_BODY_BYTES = 1 << 20;

  private final int[] topics;
  private final BitSet slow;
  private final BitSet subscribed = new BitSet();
  private final @Nullable Frame[] frames;
  private final ArrayDeque<Frame> spare = new ArrayDeque<>();
  private final int messageBytes;
  private final long salt;
  private final Failures failures;
  private Delivery last = new Delivery();
  private boolean delivered;
  private boolean complete;
  private Answer answer = Answer.RIGHT;

  /** A frame of which a part has come. */
  private static final class Frame {
    final byte[] bytes = new byte[PushFrames.HEAD_BYTES + PushFrames.WORDS_BYTES];
    Delivery of = new Delivery();
    int got;
    int total;
    long key;

    /** Takes bytes until there are {@code upTo} of the frame; how many. */
    int gather(MemorySegment in, int from, int to, int upTo) {
      int n = Math.min(upTo - got, to - from);
      MemorySegment.copy(in, JAVA_BYTE, from, bytes, got, n);
      got += n;
      return n;
    }
  }

  PushCodec(LoadPlan plan, Publish publish, Slice slice, Failures failures) {
    this.messageBytes = plan.messageBytes();
    this.salt = Payload.salt(plan.seed());
    this.failures = failures;
    this.topics = topics(publish, slice);
    this.slow = slow(publish, slice);
    this.frames = new Frame[topics.length];
  }

  /** The topic of each connection of a slice; the first one that has no message where it gets nothing. */
  public static int[] topics(Publish publish, Slice slice) {
    int[] topics = new int[slice.connections()];
    Arrays.setAll(
        topics,
        c -> {
          int subscriber = slice.sender(c);
          return subscriber < 0 ? publish.topics(slice.activeInLoad()) : publish.topic(subscriber, slice.activeInLoad());
        });
    return topics;
  }

  /** The connections of a slice that do not read as others do in the steady state. */
  public static BitSet slow(Publish publish, Slice slice) {
    return publish.slow().among(slice);
  }

  @Override
  public boolean reads(int connection) {
    return !slow.get(connection);
  }

  @Override
  public int requestBytes(int connection) {
    return PushFrames.HEAD_BYTES;
  }

  @Override
  public void request(MemorySegment out, int connection, long key, int from, int bytes) {
    MemorySegment.copy(request(connection), from, out, JAVA_BYTE, 0, bytes);
  }

  /** The frame that a connection sends next. */
  byte[] request(int connection) {
    return PushFrames.request(subscribed.get(connection) ? PushFrames.LEAVE : PushFrames.SUBSCRIBE, topics[connection]);
  }

  @Override
  public int take(int connection, long key, MemorySegment in, int from, int to) {
    complete = false;
    delivered = false;
    Frame frame = frames[connection];
    if (frame == null) {
      frame = spare.isEmpty() ? new Frame() : spare.pop();
      frames[connection] = frame;
    }
    int at = from;
    if (frame.got < PushFrames.HEAD_BYTES) {
      at += frame.gather(in, at, to, PushFrames.HEAD_BYTES);
      if (frame.got < PushFrames.HEAD_BYTES || !begun(connection, frame)) {
        return at;
      }
    }
    int words = Math.min(frame.total, frame.bytes.length);
    if (frame.got < words) {
      at += frame.gather(in, at, to, words);
      if (frame.got == words) {
        frame.of.right &= words == frame.bytes.length && PushFrames.words(frame.bytes, salt, frame.of);
        frame.key = PushFrames.key(salt, frame.of);
      }
    }
    int bytes = Math.min(to - at, frame.total - frame.got);
    if (bytes > 0) {
      frame.of.right = frame.of.right && Payload.matches(in, at, frame.key, frame.got - words, bytes);
      frame.got += bytes;
      at += bytes;
    }
    if (frame.got == frame.total) {
      delivered = true;
      ended(connection, frame);
    }
    return at;
  }

  /** The head of a frame is there; whether more of it is to come. */
  private boolean begun(int connection, Frame frame) {
    int body = PushFrames.bodyBytes(frame.bytes);
    int kind = frame.bytes[4];
    frame.of.topic = PushFrames.topic(frame.bytes);
    if (kind == PushFrames.MESSAGE && body >= 0 && body <= MOST_BODY_BYTES) {
      frame.total = PushFrames.HEAD_BYTES + body;
      frame.of.right = body == messageBytes;
      if (body == 0) {
        delivered = true;
        ended(connection, frame);
      }
      return body > 0;
    }
    complete = true;
    boolean subscribing = !subscribed.get(connection);
    if (body != 0 || kind != (subscribing ? PushFrames.SUBSCRIBED : PushFrames.LEFT)) {
      failures.count("a frame of kind %d that says it has %,d bytes, which no server sends a subscriber".formatted(kind, body + 5L));
      answer = Answer.BROKEN;
    } else {
      answer = frame.of.topic == topics[connection] ? Answer.RIGHT : Answer.WRONG;
      subscribed.set(connection, subscribing);
    }
    ended(connection, frame);
    return false;
  }

  private void ended(int connection, Frame frame) {
    Delivery of = frame.of;
    frame.of = last;
    last = of;
    frame.got = 0;
    frames[connection] = null;
    spare.push(frame);
  }

  @Override
  public boolean complete() {
    return complete;
  }

  @Override
  public @Nullable Delivery delivery() {
    return delivered ? last : null;
  }

  @Override
  public boolean speaksUnasked(int connection, MemorySegment in, int from, int to) {
    return true;
  }

  @Override
  public void restart(int connection) {
    Frame frame = frames[connection];
    if (frame != null) {
      ended(connection, frame);
    }
    subscribed.clear(connection);
  }

  @Override
  public boolean endedBy(int connection) {
    return false;
  }

  @Override
  public Answer answer() {
    return answer;
  }

  @Override
  public @Nullable String unended(int connection) {
    return frames[connection] == null ? null : "a part of a frame";
  }

  @Override
  public long arrayBytes() {
    return 8L * topics.length;
  }
}
