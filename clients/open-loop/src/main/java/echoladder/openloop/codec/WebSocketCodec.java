package echoladder.openloop.codec;

import echoladder.client.schedule.Mix;
import echoladder.client.websocket.FrameHeads;
import echoladder.client.websocket.Frames;
import echoladder.client.websocket.Violation;
import echoladder.openloop.result.Answer;
import echoladder.openloop.result.Failures;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * WebSocket (RFC 6455): a connection is upgraded, then each message goes out as one masked binary frame and comes back as a binary
 * message, whole or in fragments. What the server says in between is answered: a ping by a pong, a close by a close. A connection's
 * place in its answer is eleven bytes in arrays; a control frame and what answers one are kept aside while they last.
 */
final class WebSocketCodec implements Codec {
  // Stages of a connection.
  private static final byte ASKING = 0;
  private static final byte ASKED = 1;
  private static final byte OPEN = 2;
  private static final byte ENDED = 3;

  private static final byte STAGE = 0x03;
  private static final byte WRONG = 0x10;

  /** How a frame that a server must not send is counted, with what it was behind. */
  static final String FRAME = "WebSocket frame: ";

  /** How the close of a server is counted, with its code behind. */
  static final String CLOSED = "closed by the server with WebSocket code ";

  /** Keeps the draws of masks apart from the bytes of messages. */
  private static final long MASK_DRAWS = 0x3A5C_0B1E_77F2L;

  private final int messageBytes;
  private final Upgrades upgrades;
  private final Failures failures;
  private final FrameHeads heads;
  private final byte[] state;
  /** Bytes of the right message seen. */
  private final int[] seen;
  private final ControlFrames controls;
  /** The head of every request but for its mask. */
  private final MemorySegment head = MemorySegment.ofArray(new byte[Frames.MOST_HEAD_BYTES]);

  private final int headBytes;
  private boolean complete;
  private Answer answer = Answer.RIGHT;

  /** The codec of one loop; {@code seed} is that of the masks of control frames. */
  WebSocketCodec(int connections, int messageBytes, Upgrades upgrades, long seed, Failures failures) {
    this.messageBytes = messageBytes;
    this.upgrades = upgrades;
    this.failures = failures;
    controls = new ControlFrames(seed, failures);
    heads = new FrameHeads(connections, false);
    state = new byte[connections];
    seen = new int[connections];
    headBytes = Frames.maskedHead(head, 0, Frames.BINARY, messageBytes, 0);
  }

  // ---- requests ----

  /**
   * The mask of a message, never 0. It follows from the message's key, so that none has to be kept for a request that is written in
   * pieces. RFC 6455 wants masks that nobody foresees, so that a web page cannot choose the bytes on the wire (section 10.3); no page
   * chooses these. What matters here is the server's work: each frame has another mask, and none that could be skipped.
   */
  static int mask(long key) {
    int mask = (int) Mix.of(key, MASK_DRAWS);
    return mask == 0 ? 1 : mask;
  }

  @Override
  public int requestBytes(int c) {
    return headBytes + messageBytes;
  }

  @Override
  public void request(MemorySegment out, int c, long key, int from, int bytes) {
    int mask = mask(key);
    int ofHead = Math.clamp(headBytes - from, 0, bytes);
    if (ofHead > 0) {
      head.set(Frames.MASK, headBytes - Frames.MASK_BYTES, mask);
      MemorySegment.copy(head, from, out, 0, ofHead);
    }
    if (bytes > ofHead) {
      Payload.fill(out, ofHead, key, from + ofHead - headBytes, bytes - ofHead, Frames.overWord(mask));
    }
  }

  // ---- what is said beside requests ----

  @Override
  public boolean open(int c) {
    return (state[c] & STAGE) == OPEN;
  }

  @Override
  public boolean speaksUnasked(int c, MemorySegment in, int from, int to) {
    return true;
  }

  @Override
  public int ownBytes(int c) {
    if ((state[c] & STAGE) == ASKING) {
      controls.ask(c, upgrades.request(c));
      state[c] = ASKED;
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

  // ---- answers ----

  @Override
  public int take(int c, long key, MemorySegment in, int from, int to) {
    complete = false;
    // What a server says behind its close is nothing (RFC 6455, section 5.5.1).
    int at = (state[c] & STAGE) == ENDED ? to : from;
    while (at < to && !complete) {
      if (!open(c)) {
        at = takeUpgrade(c, in, at, to);
      } else if (heads.inHead(c)) {
        at = takeHead(c, in, at, to);
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
      case OPEN -> state[c] = OPEN;
      case REFUSED -> end(c, Answer.ENDED);
      case BROKEN -> end(c, Answer.BROKEN);
    }
    return next;
  }

  private int takeHead(int c, MemorySegment in, int at, int to) {
    int next = heads.take(c, in, at, to);
    Violation violation = heads.violation();
    if (violation != null) {
      broken(c, violation.words());
      return next;
    }
    if (!heads.complete()) {
      return next;
    }
    if (!heads.control(c)) {
      if (heads.opcode(c) == Frames.TEXT) {
        failures.count(FRAME + "text, in answer to a binary message");
        state[c] |= WRONG;
      }
      if (heads.left(c) > messageBytes - seen[c]) {
        state[c] |= WRONG;
      }
    }
    if (heads.left(c) == 0) {
      frameEnded(c);
    }
    return next;
  }

  private int takePayload(int c, long key, MemorySegment in, int at, int to) {
    int bytes = Math.min(to - at, heads.left(c));
    if (heads.control(c)) {
      controls.take(c, in, at, bytes);
    } else if ((state[c] & WRONG) == 0) {
      if (Payload.matches(in, at, key, seen[c], bytes)) {
        seen[c] += bytes;
      } else {
        state[c] |= WRONG;
      }
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
    } else if (heads.last(c)) {
      complete = true;
      answer = (state[c] & WRONG) != 0 || seen[c] != messageBytes ? Answer.WRONG : Answer.RIGHT;
      state[c] = OPEN;
      seen[c] = 0;
    }
  }

  private void end(int c, Answer how) {
    complete = true;
    answer = how;
    state[c] = ENDED;
  }

  private void broken(int c, String what) {
    failures.count(FRAME + what);
    end(c, Answer.BROKEN);
  }

  @Override
  public boolean complete() {
    return complete;
  }

  @Override
  public void restart(int c) {
    upgrades.restart(c);
    controls.restart(c);
    heads.restart(c);
    state[c] = ASKING;
    seen[c] = 0;
  }

  @Override
  public boolean endedBy(int c) {
    return false;
  }

  @Override
  public @Nullable String unended(int c) {
    if ((state[c] & STAGE) != OPEN) {
      return upgrades.unended(c);
    }
    boolean silent = seen[c] == 0 && state[c] == OPEN && heads.inHead(c);
    return silent ? Upgrades.CAUSE + "granted, and then nothing came back" : FRAME + "a message that has no end";
  }

  @Override
  public Answer answer() {
    return answer;
  }

  @Override
  public long arrayBytes() {
    return heads.arrayBytes() + 5L * state.length;
  }
}
