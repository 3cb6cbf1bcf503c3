package echoladder.openloop.codec;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import echoladder.client.LoadPlan;
import echoladder.client.Publish;
import echoladder.client.PushPaths;
import echoladder.client.schedule.Slice;
import echoladder.client.websocket.Frames;
import echoladder.openloop.result.Answer;
import echoladder.openloop.result.Failures;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * A subscriber over WebSocket to a server that knows no frames of push: the only request of a connection is the upgrade at the path of its
 * topic, and each message of text or bytes behind it, whole or in fragments, is a {@link Delivery}. Between messages, a ping gets its pong
 * and a close its close. A connection that is to get nothing subscribes to a topic of which nothing is published.
 */
final class TextSocketCodec extends SubscriberSocket {
  private final PushPaths paths;
  private final int[] topics;
  private final int topicCount;
  private final BitSet slow;
  private final int messageBytes;
  private final long salt;
  private final @Nullable BodyInPieces[] bodies;
  private final ArrayDeque<BodyInPieces> spare = new ArrayDeque<>();
  private Delivery last = new Delivery();

  /** The codec of one loop; {@code seed} is that of the masks of control frames. */
  TextSocketCodec(LoadPlan plan, Publish publish, Slice slice, Upgrades upgrades, long seed, Failures failures) {
    super(slice.connections(), upgrades, seed, failures);
    this.paths = plan.http().pushPaths();
    this.topics = PushCodec.topics(publish, slice);
    this.topicCount = publish.topics(slice.activeInLoad());
    this.slow = PushCodec.slow(publish, slice);
    this.messageBytes = plan.messageBytes();
    this.salt = Payload.salt(plan.seed());
    this.bodies = new BodyInPieces[topics.length];
  }

  // ---- requests ----

  private byte[] upgrade(int c) {
    return upgrades.request(c, paths.subscribePath(topics[c]));
  }

  @Override
  public int requestBytes(int c) {
    return upgrade(c).length;
  }

  @Override
  public void request(MemorySegment out, int c, long key, int from, int bytes) {
    MemorySegment.copy(upgrade(c), from, out, JAVA_BYTE, 0, bytes);
  }

  @Override
  public boolean reads(int c) {
    return !slow.get(c);
  }

  // ---- what comes ----

  @Override
  void granted(int c) {
    answered(Answer.RIGHT);
  }

  @Override
  void declined(int c) {
    end(c, Answer.DECLINED);
  }

  @Override
  void messageHead(int c, long key) {
    if (heads.opcode(c) != Frames.CONTINUATION) {
      messageBegins(c);
    }
    if (heads.left(c) == 0) {
      frameEnded(c);
    }
  }

  private void messageBegins(int c) {
    BodyInPieces body = spare.isEmpty() ? new BodyInPieces(messageBytes, topicCount, salt) : spare.pop();
    body.begins();
    bodies[c] = body;
  }

  @Override
  int messagePayload(int c, long key, MemorySegment in, int at, int to) {
    BodyInPieces body = bodies[c];
    if (body != null) {
      body.take(in, at, to);
    }
    heads.passed(c, to - at);
    if (heads.left(c) == 0) {
      frameEnded(c);
    }
    return to;
  }

  private void frameEnded(int c) {
    BodyInPieces body = bodies[c];
    if (body != null && heads.last(c)) {
      body.ended();
      if (!body.of.right) {
        // Whose it is, is not known.
        body.of.topic = topics[c];
      }
      delivered = true;
      release(c, body);
    }
  }

  private void release(int c, BodyInPieces body) {
    Delivery of = body.of;
    body.of = last;
    last = of;
    bodies[c] = null;
    spare.push(body);
  }

  @Override
  public @Nullable Delivery delivery() {
    return delivered ? last : null;
  }

  @Override
  public void restart(int c) {
    super.restart(c);
    BodyInPieces body = bodies[c];
    if (body != null) {
      release(c, body);
    }
  }

  @Override
  public @Nullable String unended(int c) {
    return stage[c] == OPEN ? WebSocketCodec.FRAME + "a message that has no end" : upgrades.unended(c);
  }

  @Override
  public long arrayBytes() {
    return heads.arrayBytes() + 9L * stage.length;
  }
}
