package echoladder.openloop.codec;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import echoladder.client.schedule.Mix;
import echoladder.client.websocket.CloseCode;
import echoladder.client.websocket.Frames;
import echoladder.client.websocket.Violation;
import echoladder.openloop.result.Failures;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;

/**
 * What is said on the WebSocket connections of a loop beside messages: upgrades, pings with their pongs, closes. Rare, so it is kept aside
 * and not in arrays. Belongs to one event loop.
 */
final class ControlFrames {
  /** What the end of a control frame comes to. */
  enum Ended {
    GOES_ON,
    CLOSED,
    BROKEN
  }

  private final Map<Integer, ByteArrayOutputStream> payloads = new HashMap<>();
  private final Map<Integer, Replies> replies = new HashMap<>();
  private final long seed;
  private final Failures failures;
  private long replied;

  /** With masks that are drawn by {@code seed}. */
  ControlFrames(long seed, Failures failures) {
    this.seed = seed;
    this.failures = failures;
  }

  /** Has an upgrade asked for. */
  void ask(int c, byte[] request) {
    replies.put(c, new Replies(request));
  }

  /** Bytes to be sent before the next request. */
  int ownBytes(int c) {
    Replies owed = replies.isEmpty() ? null : replies.get(c);
    return owed == null ? 0 : owed.left();
  }

  void own(int c, MemorySegment out) {
    Replies owed = replies.get(c);
    if (owed != null) {
      owed.copyTo(out);
    }
  }

  void ownSent(int c, int bytes) {
    Replies owed = replies.get(c);
    if (owed != null && owed.sent(bytes)) {
      replies.remove(c);
    }
  }

  /** Takes bytes of a control frame's payload. */
  void take(int c, MemorySegment in, int at, int bytes) {
    payloads.computeIfAbsent(c, k -> new ByteArrayOutputStream()).writeBytes(in.asSlice(at, bytes).toArray(JAVA_BYTE));
  }

  /** A control frame is whole. A close or a violation is counted here. */
  Ended ended(int c, int opcode) {
    ByteArrayOutputStream taken = payloads.remove(c);
    byte[] payload = taken == null ? new byte[0] : taken.toByteArray();
    if (opcode == Frames.PING) {
      reply(c, Frames.PONG, payload);
    } else if (opcode == Frames.CLOSE) {
      int code = CloseCode.of(payload);
      if (code < 0) {
        failures.count(WebSocketCodec.FRAME + Violation.BAD_CLOSE.words());
        return Ended.BROKEN;
      }
      failures.count(WebSocketCodec.CLOSED + (code == CloseCode.NONE ? "none" : "" + code));
      reply(c, Frames.CLOSE, code == CloseCode.NONE ? new byte[0] : CloseCode.body(code));
      return Ended.CLOSED;
    }
    // A pong that nobody asked for only says that the server is there (section 5.5.3).
    return Ended.GOES_ON;
  }

  private void reply(int c, int opcode, byte[] payload) {
    byte[] frame = Frames.masked(opcode, payload, WebSocketCodec.mask(Mix.of(seed, replied++)));
    Replies owed = replies.get(c);
    if (owed == null) {
      replies.put(c, new Replies(frame));
    } else {
      owed.next(frame);
    }
  }

  /** Forgets what a connection was in, as another connection takes its place. */
  void restart(int c) {
    payloads.remove(c);
    replies.remove(c);
  }
}
