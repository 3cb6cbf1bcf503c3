package echoladder.openloop.shard;

import echoladder.openloop.loop.Waiting;
import java.io.IOException;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.LongUnaryOperator;

/**
 * Tells every shard when a phase begins. A shard that hears of it too late would count other messages than the rest, so
 * the announcement is made again, further ahead, until all were told in time.
 */
public final class PhaseAnnouncer {
  /** What is left when the last shard has been told, at least: a loop looks at the clock every {@link Waiting#MOST_NS}. */
  static final long MARGIN_NS = 2 * Waiting.MOST_NS;

  private static final int TRIES = 6;

  private final List<? extends Shard> shards;
  private final LongSupplier clock;

  public PhaseAnnouncer(List<? extends Shard> shards, LongSupplier clock) {
    this.shards = shards;
    this.clock = clock;
  }

  /** What a shard is told. */
  public interface Order {
    void give(Shard shard, long startNs) throws IOException;
  }

  /** Announces a beginning at any moment, see below. */
  public long make(long noticeNs, Order order) throws IOException {
    return make(noticeNs, at -> at, order);
  }

  /**
   * Announces a beginning.
   *
   * @param noticeNs how far ahead at least, above {@link #MARGIN_NS}; twice as far at each further try
   * @param fit the first moment from a given one on at which the phase may begin
   * @return the beginning that all of them know
   * @throws IOException where a shard is gone, or where they could not be told in time, however far ahead
   */
  public long make(long noticeNs, LongUnaryOperator fit, Order order) throws IOException {
    for (int i = 0; i < TRIES; i++) {
      long start = fit.applyAsLong(clock.getAsLong() + (noticeNs << i));
      for (Shard shard : shards) {
        order.give(shard, start);
      }
      if (clock.getAsLong() <= start - MARGIN_NS) {
        return start;
      }
    }
    throw new IOException(
        ("cannot tell %d client processes when the next phase begins: %d times it took longer than the notice, at last %.1f s; the host"
            + " is too busy; see runbooks/symptoms/late-sends.md")
            .formatted(shards.size(), TRIES, (noticeNs << (TRIES - 1)) / 1e9));
  }
}
