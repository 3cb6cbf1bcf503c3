package echoladder.openloop.codec;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import echoladder.client.schedule.Mix;
import echoladder.client.websocket.Upgrade;
import echoladder.openloop.result.Failures;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** How the connections of a loop become WebSocket: what each asks, and what came of it. Belongs to one event loop. */
final class Upgrades {
  /** What came of an upgrade. */
  enum Came {
    /** Not all of the answer. */
    NOTHING_YET,
    /** The right answer: frames follow. */
    OPEN,
    /** Another status. */
    REFUSED,
    /** What is no right answer. */
    BROKEN
  }

  /** How what is wrong with an answer is counted, with what it was behind. */
  static final String CAUSE = "WebSocket upgrade: ";

  private final String path;
  private final String authority;
  private final long seed;
  private final Failures failures;
  private final AnswerHeads heads = new AnswerHeads();
  private Came came = Came.NOTHING_YET;

  /**
   * Upgrades at one path.
   *
   * @param authority the server, as host and port
   * @param seed of the keys
   */
  Upgrades(String path, String authority, long seed, Failures failures) {
    this.path = path;
    this.authority = authority;
    this.seed = seed;
    this.failures = failures;
  }

  private String key(int c) {
    return Upgrade.key(Mix.of(seed, 2L * c), Mix.of(seed, 2L * c + 1));
  }

  /** What a connection asks at the path of all. */
  byte[] request(int c) {
    return request(c, path);
  }

  /** What a connection asks at a path of its own. */
  byte[] request(int c, String at) {
    return Upgrade.request(at, authority, key(c));
  }

  /** Takes bytes of an answer, up to its end or all; {@link #came} says what came of it. Returns the position behind them. */
  int take(int c, MemorySegment in, int at, int to) {
    came = Came.NOTHING_YET;
    int next = heads.take(c, in, at, to);
    String fault = heads.fault();
    if (fault != null) {
      broken("an answer " + fault);
    } else if (heads.whole()) {
      look(c, text(heads.segment(), heads.from(), heads.end()));
    }
    return next;
  }

  /** What of an answer has come and has no end, as words; null = nothing has come. */
  @Nullable String unended(int c) {
    return heads.begun(c) ? CAUSE + "an answer " + heads.unended(c) : null;
  }

  private static String text(MemorySegment in, int from, int end) {
    return new String(in.asSlice(from, end - from).toArray(JAVA_BYTE), StandardCharsets.ISO_8859_1);
  }

  private void look(int c, String head) {
    int status = Upgrade.status(head);
    if (status < 0) {
      broken("an answer " + AnswerHeads.OTHER_PROTOCOL);
    } else if (status == Upgrade.STATUS) {
      String complaint = Upgrade.complaint(head, key(c));
      if (complaint == null) {
        came = Came.OPEN;
      } else {
        broken(complaint);
      }
    } else if (status / 100 != 1) {
      failures.count(HttpCodec.STATUS + status + " to the upgrade");
      came = Came.REFUSED;
    }
    // Else it is 100 Continue or its like, which the answer proper follows.
  }

  private void broken(String what) {
    failures.count(CAUSE + what);
    came = Came.BROKEN;
  }

  /** What came of the upgrade of which the last {@link #take} took bytes. */
  Came came() {
    return came;
  }

  /** Forgets the answer that a connection was in, as another connection takes its place. */
  void restart(int c) {
    heads.restart(c);
  }
}
