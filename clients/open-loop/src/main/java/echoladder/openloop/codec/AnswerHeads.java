package echoladder.openloop.codec;

import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The heads of HTTP answers that arrive on the connections of a loop, whole or in pieces. Belongs to one event loop. */
final class AnswerHeads {
  /** A head longer than this is not an answer to us. */
  static final int MOST_BYTES = 16 << 10;

  /** What is wrong with what is no answer over HTTP. */
  static final String OTHER_PROTOCOL = "that is not of HTTP/1.1";

  private static final MemorySegment NONE = MemorySegment.ofArray(new byte[0]);

  // Heads that came in pieces, by connection: rare, so no array.
  private final Map<Integer, HeadInPieces> pieces = new HashMap<>();
  private MemorySegment segment = NONE;
  private int from;
  private int end;
  private @Nullable String fault;

  /** Takes bytes of a head, up to its end or all. Returns the position behind them. */
  int take(int c, MemorySegment in, int at, int to) {
    end = -1;
    fault = null;
    HeadInPieces gathered = pieces.isEmpty() ? null : pieces.get(c);
    if (gathered == null) {
      if (!HttpHead.begins(in, at, to)) {
        fault = OTHER_PROTOCOL;
        return to;
      }
      int whole = HttpHead.end(in, at, to);
      if (whole > 0 && whole - at <= MOST_BYTES) {
        segment = in;
        from = at;
        end = whole;
        return whole;
      }
      gathered = new HeadInPieces();
      pieces.put(c, gathered);
    }
    int next = gathered.take(in, at, to, MOST_BYTES);
    if (gathered.whole()) {
      segment = gathered.segment();
      from = 0;
      end = gathered.size();
    }
    if (!HttpHead.begins(gathered.segment(), 0, gathered.size())) {
      fault = OTHER_PROTOCOL;
    } else if (end < 0 && gathered.size() == MOST_BYTES) {
      fault = "with a head over %,d bytes".formatted(MOST_BYTES);
    }
    if (fault != null || end > 0) {
      pieces.remove(c);
    }
    return next;
  }

  /** What is wrong with what the last {@link #take} took, as the end of a sentence; null = nothing. */
  @Nullable String fault() {
    return fault;
  }

  /** Whether the last {@link #take} ended a head: the one from {@link #from} to before {@link #end} of {@link #segment}. */
  boolean whole() {
    return end > 0;
  }

  MemorySegment segment() {
    return segment;
  }

  int from() {
    return from;
  }

  int end() {
    return end;
  }

  /** Whether a part of a head has come. */
  boolean begun(int c) {
    return !pieces.isEmpty() && pieces.containsKey(c);
  }

  /** Why the head that has begun has no end, as far as that can be told. */
  String unended(int c) {
    HeadInPieces gathered = pieces.get(c);
    return gathered != null && gathered.endsInLineFeedsAlone() ? "whose lines end in LF without CR" : "whose head has no end";
  }

  /** Forgets the head that a connection was in, as another connection takes its place. */
  void restart(int c) {
    pieces.remove(c);
  }
}
