package echoladder.openloop.codec;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import echoladder.client.schedule.Mix;
import echoladder.client.websocket.FrameHeads;
import echoladder.client.websocket.Frames;
import echoladder.openloop.codec.Upgrades.Came;
import echoladder.openloop.result.Failures;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * Publishing over WebSocket. Each message is a frame of push without its length, which the server answers, or text, to which no answer is
 * expected: what comes then is passed over, as a server may send what is published to everybody. A ping is answered before the next
 * message.
 */
final class SocketPublishTalk implements PublishTalk {
  private static final int LENGTH_BYTES = Integer.BYTES;
  private static final String NO_ANSWER = "bytes that answer no publish";

  private final Upgrades upgrades;
  private final boolean text;
  private final long salt;
  private final int messageBytes;
  private final FrameHeads heads = new FrameHeads(1, false);
  private final ByteArrayOutputStream payload = new ByteArrayOutputStream();
  private final MemorySegment frame;
  private final ControlFrames controls;
  private boolean open;

  /**
   * Publishes on one connection.
   *
   * @param text whether a message is the body alone, as text; else it is a frame of push
   * @param salt of the load, as {@link Payload#salt}
   */
  SocketPublishTalk(Upgrades upgrades, boolean text, long salt, int messageBytes, Failures failures) {
    this.upgrades = upgrades;
    this.text = text;
    this.salt = salt;
    this.messageBytes = messageBytes;
    this.frame = MemorySegment.ofArray(new byte[PushFrames.publishBytes(messageBytes)]);
    this.controls = new ControlFrames(~salt, failures);
  }

  @Override
  public int mostBytes() {
    return Frames.MOST_HEAD_BYTES + PushFrames.publishBytes(messageBytes);
  }

  @Override
  public byte[] opening() {
    return upgrades.request(0);
  }

  @Override
  public boolean answered() {
    return !text;
  }

  @Override
  public boolean open() {
    return open;
  }

  @Override
  public int ownBytes() {
    return controls.ownBytes(0);
  }

  @Override
  public void own(MemorySegment out) {
    controls.own(0, out);
  }

  @Override
  public void ownSent(int bytes) {
    controls.ownSent(0, bytes);
  }

  @Override
  public int publish(MemorySegment out, Delivery of) {
    int bytes = text ? messageBytes : PushFrames.publishBytes(messageBytes) - LENGTH_BYTES;
    int mask = WebSocketCodec.mask(Mix.of(salt, of.sequence));
    int at = Frames.maskedHead(out, 0, text ? Frames.TEXT : Frames.BINARY, bytes, mask);
    if (text) {
      PushText.put(out, at, salt, of, messageBytes);
    } else {
      PushFrames.publish(frame, salt, of, messageBytes);
      MemorySegment.copy(frame, LENGTH_BYTES, out, at, bytes);
    }
    Frames.mask(out, at, bytes, mask);
    return at + bytes;
  }

  @Override
  public void take(MemorySegment in, int n, Answers into) {
    for (int at = 0; at < n; ) {
      if (!open) {
        at = upgrades.take(0, in, at, n);
        open = upgrades.came() == Came.OPEN;
        if (upgrades.came() == Came.REFUSED || upgrades.came() == Came.BROKEN) {
          into.broken("no upgrade to WebSocket");
          return;
        }
        continue;
      }
      if (heads.inHead(0)) {
        at = heads.take(0, in, at, n);
        if (heads.violation() != null) {
          into.broken("a frame that no server may send");
          return;
        }
        if (heads.complete() && answers() && heads.left(0) > PushFrames.PUBLISHED_BYTES) {
          into.broken(NO_ANSWER);
          return;
        }
      } else {
        int bytes = Math.min(n - at, heads.left(0));
        if (heads.control(0) || answers()) {
          payload.writeBytes(in.asSlice(at, bytes).toArray(JAVA_BYTE));
        }
        heads.passed(0, bytes);
        at += bytes;
      }
      if (heads.complete() && heads.inHead(0) && !ended(into)) {
        return;
      }
    }
  }

  /** Whether the frame whose head was the last is to answer a publish. */
  private boolean answers() {
    return !text && !heads.control(0);
  }

  /** A frame is whole; whether the connection goes on. */
  private boolean ended(Answers into) {
    byte[] got = payload.toByteArray();
    payload.reset();
    if (heads.opcode(0) == Frames.PING || heads.opcode(0) == Frames.PONG) {
      controls.take(0, MemorySegment.ofArray(got), 0, got.length);
      var _ = controls.ended(0, heads.opcode(0));
      return true;
    }
    if (text && heads.opcode(0) != Frames.CLOSE) {
      return true;
    }
    int topic = into.topic();
    byte[] whole = ByteBuffer.allocate(LENGTH_BYTES + got.length).putInt(got.length).put(got).array();
    boolean answers = heads.opcode(0) == Frames.BINARY && heads.last(0) && whole.length == PushFrames.PUBLISHED_BYTES && topic >= 0;
    int subscribers = answers ? PushFrames.audience(whole, 0, topic) : -1;
    if (subscribers < 0) {
      into.broken(heads.opcode(0) == Frames.CLOSE ? "closed by the server" : NO_ANSWER);
      return false;
    }
    into.published(subscribers);
    return true;
  }
}
