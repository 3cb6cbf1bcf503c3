package echoladder.openloop.shard;

import echoladder.client.Publish;
import echoladder.openloop.loop.Subscribers;
import echoladder.openloop.publish.PublishLog;
import echoladder.openloop.result.Recorders;
import echoladder.openloop.result.TimeKind;
import echoladder.openloop.schedule.Timing;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * What all subscribers of a load together have of each message: its first delivery, its last one, and how many the server says that there
 * are. Known once the publisher and every loop have accounted for everything. Pure.
 *
 * @param subscribers of all topics together
 * @param log of what was published
 * @param loops those that hold the subscribers
 */
record Audiences(Publish publish, int subscribers, PublishLog log, List<Subscribers> loops, Timing timing) {
  boolean complete() {
    return log.closed() && loops.stream().allMatch(Subscribers::accounted);
  }

  /**
   * Adds the first and the last delivery of each message of the steady state. Where somebody has not got it, the last is recorded at the
   * message's age.
   */
  void addTo(Map<TimeKind, Histogram> into) {
    for (int number = 0; number < log.size(); number++) {
      long intended = log.intendedNs(number);
      if (!timing.counts(intended)) {
        continue;
      }
      int done = 0;
      long first = log.closedNs();
      long last = 0;
      for (Subscribers loop : loops) {
        if (loop.done(number) > 0) {
          done += loop.done(number);
          first = Math.min(first, loop.firstNs(number));
          last = Math.max(last, loop.lastNs(number));
        }
      }
      record(into, TimeKind.FIRST_DELIVERY, first - intended);
      record(into, TimeKind.LAST_DELIVERY, (done < audience(number) ? log.closedNs() : last) - intended);
    }
  }

  private static void record(Map<TimeKind, Histogram> into, TimeKind kind, long ns) {
    into.computeIfAbsent(kind, _ -> Recorders.emptyHistogram()).recordValue(Math.clamp(ns, 0, Recorders.HIGHEST_NS));
  }

  private int audience(int number) {
    return publish.audience(number % publish.topics(subscribers), subscribers);
  }

  /** Messages of the steady state that were due to subscribers who do not read, one for each of them. */
  long owedToSlow() {
    long owed = 0;
    for (int number = 0; number < log.size(); number++) {
      owed += timing.counts(log.intendedNs(number)) ? slow(number) : 0;
    }
    return owed;
  }

  private int slow(int number) {
    return publish.slowAudience(number % publish.topics(subscribers), subscribers);
  }

  /**
   * Messages that the server says it handed to more subscribers than there are, or to fewer, where not that many connections ended. It may
   * end those that do not read.
   */
  long differing(long ended) {
    long differing = 0;
    for (int number = 0; number < log.size(); number++) {
      differing += log.differs(number, audience(number) - ended, audience(number) + slow(number)) ? 1 : 0;
    }
    return differing;
  }
}
