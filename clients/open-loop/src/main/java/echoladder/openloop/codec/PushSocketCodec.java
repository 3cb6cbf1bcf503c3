package echoladder.openloop.codec;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import echoladder.client.LoadPlan;
import echoladder.client.Publish;
import echoladder.client.schedule.Slice;
import echoladder.client.websocket.Frames;
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
final class PushSocketCodec extends SubscriberSocket {
  private static final ValueLayout.OfInt LENGTH = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final int LENGTH_BYTES = Integer.BYTES;
  private static final int LEAST_BYTES = PushFrames.HEAD_BYTES - LENGTH_BYTES;

  private final PushCodec push;
  private final MemorySegment length = MemorySegment.ofArray(new byte[LENGTH_BYTES]);

  /** The codec of one loop; {@code seed} is that of the masks of control frames. */
  PushSocketCodec(LoadPlan plan, Publish publish, Slice slice, Upgrades upgrades, long seed, Failures failures) {
    super(slice.connections(), upgrades, seed, failures);
    this.push = new PushCodec(plan, publish, slice, failures);
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
    return super.ownBytes(c);
  }

  // ---- what comes ----

  @Override
  void granted(int c) {}

  @Override
  void declined(int c) {
    end(c, Answer.ENDED);
  }

  @Override
  void messageHead(int c, long key) {
    if (heads.opcode(c) != Frames.BINARY || !heads.last(c) || heads.left(c) < LEAST_BYTES) {
      broken(c, "what is no frame of push in one binary message");
    } else {
      length.set(LENGTH, 0, heads.left(c));
      var _ = push.take(c, key, length, 0, LENGTH_BYTES);
    }
  }

  @Override
  int messagePayload(int c, long key, MemorySegment in, int at, int to) {
    int next = push.take(c, key, in, at, to);
    heads.passed(c, next - at);
    delivered = push.delivery() != null;
    if (push.complete() && push.answer() == Answer.BROKEN) {
      end(c, Answer.BROKEN);
    } else if (push.complete()) {
      answered(push.answer());
    }
    return next;
  }

  @Override
  public @Nullable Delivery delivery() {
    return delivered ? push.delivery() : null;
  }

  @Override
  public void restart(int c) {
    super.restart(c);
    push.restart(c);
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
