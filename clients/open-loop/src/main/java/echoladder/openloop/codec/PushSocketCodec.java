package echoladder.openloop.codec;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import echoladder.client.LoadPlan;
import echoladder.client.Publish;
import echoladder.client.schedule.Slice;
import echoladder.client.websocket.FrameHeads;
import echoladder.client.websocket.Frames;
import echoladder.client.websocket.Violation;
import echoladder.openloop.result.Answer;
import echoladder.openloop.result.Failures;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * A subscriber over WebSocket: a connection is upgraded, then each binary message is a frame of push without its length, as a
 * {@link PushCodec} understands it. A server sends a message in one frame.
 */
final class PushSocketCodec implements Codec {
  // Stages of a connection.
  private static final byte ASKING = 0;
  private static final byte ASKED = 1;
  private static final byte OPEN = 2;
  private static final byte ENDED = 3;

  private static final ValueLayout.OfInt LENGTH = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final int LENGTH_BYTES = Integer.BYTES;
  private static final int LEAST_BYTES = PushFrames.HEAD_BYTES - LENGTH_BYTES;

  private final PushCodec push;
  private final Upgrades upgrades;
  private final Failures failures;
  private final FrameHeads heads;
  private final ControlFrames controls;
  private final byte[] stage;
  private final MemorySegment length = MemorySegment.ofArray(new byte[LENGTH_BYTES]);
  private boolean complete;
  private boolean delivered;
  private Answer answer = Answer.RIGHT;

  /** The codec of one loop; {@code seed} is that of the masks of control frames. */
  PushSocketCodec(LoadPlan plan, Publish publish, Slice slice, Upgrades upgrades, long seed, Failures failures) {
    this.push = new PushCodec(plan, publish, slice, failures);
    this.upgrades = upgrades;
    this.failures = failures;
    this.controls = new ControlFrames(seed, failures);
    this.heads = new FrameHeads(slice.connections(), false);
    this.stage = new byte[slice.connections()];
  }

  // ---- requests ----

  private byte[] frame(int c, long key) {
    byte[] whole = push.request(c);
    byte[] payload = new byte[whole.length - LENGTH_BYTES];
    System.arraycopy(whole, LENGTH_BYTES, payload, 0, payload.length);
    return Frames.masked(Frames.BINARY, payload, WebSocketCodec.mask(key));
  }

  @Override
  public int requestBytes(int c) {
    return Frames.headBytes(LEAST_BYTES, true) + LEAST_BYTES;
  }

  @Override
  public void request(MemorySegment out, int c, long key, int from, int bytes) {
    MemorySegment.copy(frame(c, key), from, out, JAVA_BYTE, 0, bytes);
  }

  @Override
  public boolean reads(int c) {
    return push.reads(c);
  }

  @Override
  public boolean open(int c) {
    return stage[c] == OPEN;
  }

  @Override
  public int ownBytes(int c) {
    if (stage[c] == ASKING) {
      controls.ask(c, upgrades.request(c));
      stage[c] = ASKED;
    }
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
        at = takeHead(c, key, in, at, to);
      } else {
        at = takePayload(c, key, in, at, to);
      }
    }
    return at;
  }

  private int takeUpgrade(int c, MemorySegment in, int at, int to) {
    int next = upgrades.take(c, in, at, to);
    switch (upgrades.came()) {
      case NOTHING_YET -> {}
      case OPEN -> stage[c] = OPEN;
      case REFUSED -> end(c, Answer.ENDED);
      case BROKEN -> end(c, Answer.BROKEN);
    }
    return next;
  }

  private int takeHead(int c, long key, MemorySegment in, int at, int to) {
    int next = heads.take(c, in, at, to);
    Violation violation = heads.violation();
    if (violation != null) {
      broken(c, violation.words());
    } else if (heads.complete() && heads.control(c)) {
      if (heads.left(c) == 0) {
        controlEnded(c);
      }
    } else if (heads.complete()) {
      if (heads.opcode(c) != Frames.BINARY || !heads.last(c) || heads.left(c) < LEAST_BYTES) {
        broken(c, "what is no frame of push in one binary message");
      } else {
        length.set(LENGTH, 0, heads.left(c));
        var _ = push.take(c, key, length, 0, LENGTH_BYTES);
      }
    }
    return next;
  }

  private int takePayload(int c, long key, MemorySegment in, int at, int to) {
    int most = Math.min(to, at + heads.left(c));
    if (heads.control(c)) {
      controls.take(c, in, at, most - at);
      heads.passed(c, most - at);
      if (heads.left(c) == 0) {
        controlEnded(c);
      }
      return most;
    }
    int next = push.take(c, key, in, at, most);
    heads.passed(c, next - at);
    delivered = push.delivery() != null;
    if (push.complete()) {
      complete = true;
      answer = push.answer();
      if (answer == Answer.BROKEN) {
        stage[c] = ENDED;
      }
    }
    return next;
  }

  private void controlEnded(int c) {
    switch (controls.ended(c, heads.opcode(c))) {
      case GOES_ON -> {}
      case CLOSED -> end(c, Answer.ENDED);
      case BROKEN -> end(c, Answer.BROKEN);
    }
  }

  private void broken(int c, String what) {
    failures.count(WebSocketCodec.FRAME + what);
    end(c, Answer.BROKEN);
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
    return delivered ? push.delivery() : null;
  }

  @Override
  public void restart(int c) {
    upgrades.restart(c);
    controls.restart(c);
    heads.restart(c);
    push.restart(c);
    stage[c] = ASKING;
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
    if (stage[c] != OPEN) {
      return upgrades.unended(c);
    }
    String part = push.unended(c);
    return part == null ? Upgrades.CAUSE + "granted, and then nothing came back" : part;
  }

  @Override
  public long arrayBytes() {
    return heads.arrayBytes() + stage.length + push.arrayBytes();
  }
}
