package echoladder.openloop.codec;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import echoladder.client.LoadPlan;
import echoladder.client.Publish;
import echoladder.client.PushPaths;
import echoladder.client.schedule.Slice;
import echoladder.client.websocket.FrameHeads;
import echoladder.client.websocket.Frames;
import echoladder.client.websocket.Violation;
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
final class TextSocketCodec implements Codec {
  // Stages of a connection.
  private static final byte ASKED = 0;
  private static final byte OPEN = 1;
  private static final byte ENDED = 2;

  private final PushPaths paths;
  private final int[] topics;
  private final int topicCount;
  private final BitSet slow;
  private final int messageBytes;
  private final long salt;
  private final Upgrades upgrades;
  private final Failures failures;
  private final FrameHeads heads;
  private final ControlFrames controls;
  private final byte[] stage;
  private final @Nullable BodyInPieces[] bodies;
  private final ArrayDeque<BodyInPieces> spare = new ArrayDeque<>();
  private Delivery last = new Delivery();
  private boolean delivered;
  private boolean complete;
  private Answer answer = Answer.RIGHT;

  /** The codec of one loop; {@code seed} is that of the masks of control frames. */
  TextSocketCodec(LoadPlan plan, Publish publish, Slice slice, Upgrades upgrades, long seed, Failures failures) {
    this.paths = plan.http().pushPaths();
    this.topics = PushCodec.topics(publish, slice);
    this.topicCount = publish.topics(slice.activeInLoad());
    this.slow = PushCodec.slow(publish, slice);
    this.messageBytes = plan.messageBytes();
    this.salt = Payload.salt(plan.seed());
    this.upgrades = upgrades;
    this.failures = failures;
    this.heads = new FrameHeads(topics.length, false);
    this.controls = new ControlFrames(seed, failures);
    this.stage = new byte[topics.length];
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

  @Override
  public int ownBytes(int c) {
    return controls.ownBytes(c);
  }

  @Override
  public void own(int c, MemorySegment out) {
    controls.own(c, out);
  }

  @Override
  public void ownSent(int c, int bytes) {
    controls.ownSent(c, bytes);
  }

  // ---- what comes ----

  @Override
  public boolean speaksUnasked(int c, MemorySegment in, int from, int to) {
    return true;
  }

  @Override
  public int take(int c, long key, MemorySegment in, int from, int to) {
    complete = false;
    delivered = false;
    // What a server says behind its close is nothing (RFC 6455, section 5.5.1).
    int at = stage[c] == ENDED ? to : from;
    while (at < to && !complete && !delivered) {
      if (stage[c] != OPEN) {
        at = takeUpgrade(c, in, at, to);
      } else if (heads.inHead(c)) {
        at = takeHead(c, in, at, to);
      } else {
        at = takePayload(c, in, at, to);
      }
    }
    return at;
  }

  private int takeUpgrade(int c, MemorySegment in, int at, int to) {
    int next = upgrades.take(c, in, at, to);
    switch (upgrades.came()) {
      case NOTHING_YET -> {}
      case OPEN -> {
        complete = true;
        answer = Answer.RIGHT;
        stage[c] = OPEN;
      }
      case REFUSED -> end(c, Answer.DECLINED);
      case BROKEN -> end(c, Answer.BROKEN);
    }
    return next;
  }

  private int takeHead(int c, MemorySegment in, int at, int to) {
    int next = heads.take(c, in, at, to);
    Violation violation = heads.violation();
    if (violation != null) {
      failures.count(WebSocketCodec.FRAME + violation.words());
      end(c, Answer.BROKEN);
    } else if (heads.complete()) {
      if (!heads.control(c) && heads.opcode(c) != Frames.CONTINUATION) {
        messageBegins(c);
      }
      if (heads.left(c) == 0) {
        frameEnded(c);
      }
    }
    return next;
  }

  private void messageBegins(int c) {
    BodyInPieces body = spare.isEmpty() ? new BodyInPieces(messageBytes, topicCount, salt) : spare.pop();
    body.begins();
    bodies[c] = body;
  }

  private int takePayload(int c, MemorySegment in, int at, int to) {
    int bytes = Math.min(to - at, heads.left(c));
    BodyInPieces body = bodies[c];
    if (heads.control(c)) {
      controls.take(c, in, at, bytes);
    } else if (body != null) {
      body.take(in, at, at + bytes);
    }
    heads.passed(c, bytes);
    if (heads.left(c) == 0) {
      frameEnded(c);
    }
    return at + bytes;
  }

  private void frameEnded(int c) {
    if (heads.control(c)) {
      switch (controls.ended(c, heads.opcode(c))) {
        case GOES_ON -> {}
        case CLOSED -> end(c, Answer.ENDED);
        case BROKEN -> end(c, Answer.BROKEN);
      }
      return;
    }
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

  private void end(int c, Answer how) {
    complete = true;
    answer = how;
    stage[c] = ENDED;
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
  public void restart(int c) {
    upgrades.restart(c);
    controls.restart(c);
    heads.restart(c);
    stage[c] = ASKED;
    BodyInPieces body = bodies[c];
    if (body != null) {
      release(c, body);
    }
  }

  @Override
  public boolean endedBy(int c) {
    return false;
  }

  @Override
  public Answer answer() {
    return answer;
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
