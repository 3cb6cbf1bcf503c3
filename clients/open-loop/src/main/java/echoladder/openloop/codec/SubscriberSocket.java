package echoladder.openloop.codec;

import echoladder.client.websocket.FrameHeads;
import echoladder.client.websocket.Violation;
import echoladder.openloop.result.Answer;
import echoladder.openloop.result.Failures;
import java.lang.foreign.MemorySegment;

/**
 * A subscriber over WebSocket: a connection is upgraded, then messages come unasked, and control frames between them. What is in the
 * messages is for whoever extends this. Belongs to one loop.
 */
abstract sealed class SubscriberSocket implements Codec permits PushSocketCodec, TextSocketCodec {
  // Stages of a connection.
  static final byte ASKING = 0;
  static final byte ASKED = 1;
  static final byte OPEN = 2;
  static final byte ENDED = 3;

  final Upgrades upgrades;
  final FrameHeads heads;
  final ControlFrames controls;
  final byte[] stage;

  /** Whether the last take ended with a message. */
  boolean delivered;

  private final Failures failures;
  private boolean complete;
  private Answer answer = Answer.RIGHT;

  /** Makes room for so many connections; {@code seed} is that of the masks of control frames. */
  SubscriberSocket(int connections, Upgrades upgrades, long seed, Failures failures) {
    this.upgrades = upgrades;
    this.failures = failures;
    this.heads = new FrameHeads(connections, false);
    this.controls = new ControlFrames(seed, failures);
    this.stage = new byte[connections];
  }

  /** The server has granted the upgrade. */
  abstract void granted(int c);

  /** The server has answered the upgrade by something else. */
  abstract void declined(int c);

  /** The head of a frame that is no control frame is over. */
  abstract void messageHead(int c, long key);

  /** Takes the payload of such a frame, up to {@code to} at most, which is no more than the frame has; gives the end of what it took. */
  abstract int messagePayload(int c, long key, MemorySegment in, int at, int to);

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
      case OPEN -> {
        stage[c] = OPEN;
        granted(c);
      }
      case REFUSED -> declined(c);
      case BROKEN -> end(c, Answer.BROKEN);
    }
    return next;
  }

  private int takeHead(int c, long key, MemorySegment in, int at, int to) {
    int next = heads.take(c, in, at, to);
    Violation violation = heads.violation();
    if (violation != null) {
      broken(c, violation.words());
    } else if (heads.complete() && !heads.control(c)) {
      messageHead(c, key);
    } else if (heads.complete() && heads.left(c) == 0) {
      controlEnded(c);
    }
    return next;
  }

  private int takePayload(int c, long key, MemorySegment in, int at, int to) {
    int most = Math.min(to, at + heads.left(c));
    if (!heads.control(c)) {
      return messagePayload(c, key, in, at, most);
    }
    controls.take(c, in, at, most - at);
    heads.passed(c, most - at);
    if (heads.left(c) == 0) {
      controlEnded(c);
    }
    return most;
  }

  private void controlEnded(int c) {
    switch (controls.ended(c, heads.opcode(c))) {
      case GOES_ON -> {}
      case CLOSED -> end(c, Answer.ENDED);
      case BROKEN -> end(c, Answer.BROKEN);
    }
  }

  /** Ends a connection whose server broke the protocol. */
  final void broken(int c, String what) {
    failures.count(WebSocketCodec.FRAME + what);
    end(c, Answer.BROKEN);
  }

  /** Ends a connection of which nothing more is taken. */
  final void end(int c, Answer how) {
    answered(how);
    stage[c] = ENDED;
  }

  /** A request, or the connection, is over. */
  final void answered(Answer how) {
    complete = true;
    answer = how;
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
}
