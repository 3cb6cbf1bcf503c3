package echoladder.openloop;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import echoladder.client.websocket.Upgrade;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

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

  private static final String VERSION = "HTTP/";
  private static final int MOST_BYTES = 16 << 10;

  private final String path;
  private final String authority;
  private final long seed;
  private final Failures failures;
  // Answers that came in pieces, by connection: rare, so no array.
  private final Map<Integer, HeadInPieces> pieces = new HashMap<>();
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

  byte[] request(int c) {
    return Upgrade.request(path, authority, key(c));
  }

  /** Takes bytes of an answer, up to its end or all; {@link #came} says what came of it. Returns the position behind them. */
  int take(int c, MemorySegment in, int at, int to) {
    came = Came.NOTHING_YET;
    HeadInPieces gathered = pieces.get(c);
    if (gathered == null) {
      int first = Math.min(to - at, VERSION.length());
      if (!text(in, at, at + first).equals(VERSION.substring(0, first))) {
        broken("an answer that is not of HTTP/1.1");
        return to;
      }
      int end = HttpHead.end(in, at, to);
      if (end > 0) {
        look(c, text(in, at, end));
        return end;
      }
      gathered = new HeadInPieces();
      pieces.put(c, gathered);
    }
    int next = gathered.take(in, at, to, MOST_BYTES);
    if (gathered.whole()) {
      pieces.remove(c);
      look(c, text(gathered.segment(), 0, gathered.size()));
    } else if (gathered.size() == MOST_BYTES) {
      pieces.remove(c);
      broken("an answer whose head is over " + MOST_BYTES + " bytes");
    }
    return next;
  }

  private static String text(MemorySegment in, int from, int end) {
    return new String(in.asSlice(from, end - from).toArray(JAVA_BYTE), StandardCharsets.ISO_8859_1);
  }

  private void look(int c, String head) {
    int status = Upgrade.status(head);
    if (status < 0) {
      broken("an answer that is not of HTTP/1.1");
    } else if (status == Upgrade.STATUS) {
      String complaint = Upgrade.complaint(head, key(c));
      if (complaint == null) {
        came = Came.OPEN;
      } else {
        broken(complaint);
      }
    } else if (status / 100 != 1) {
      failures.count(HttpWire.STATUS + status + " to the upgrade");
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
    pieces.remove(c);
  }
}
