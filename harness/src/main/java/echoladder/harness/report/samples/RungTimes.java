package echoladder.harness.report.samples;

import echoladder.client.LoadResult;
import echoladder.harness.common.Units;
import echoladder.harness.results.RungRecord;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * What the interval log of one rung says, by kind of time.
 *
 * @param server times by the kernel's stamps; null where none were taken
 * @param response times from the intended send; null where none were recorded
 * @param service times from the actual send; null where none were recorded
 * @param lateness from the intended to the actual send; null where none was recorded
 * @param receiveDelay from the arrival to the read of the last echoed byte; null where no stamps were taken
 * @param startEpochMs beginning of the first interval that has times of the steady state, UTC; 0 where there is none
 * @param bins the log from there on, cut into equal pieces
 * @param damage why the log could not be read to its end; null where it could
 */
public record RungTimes(
    @Nullable Histogram server,
    @Nullable Histogram response,
    @Nullable Histogram service,
    @Nullable Histogram lateness,
    @Nullable Histogram receiveDelay,
    long startEpochMs,
    List<Bin> bins,
    @Nullable String damage) {
  /** What is said of a file that is missing; all else is damage, of which each has its own. */
  public static final String NOT_THERE = "it is not there";

  public RungTimes {
    bins = List.copyOf(bins);
  }

  /** These times, marked as damaged where they are fewer than run.json counts: a log that was cut between two lines reads well. */
  RungTimes of(RungRecord rung) {
    LoadResult load = rung.load();
    if (damage != null || load == null || rung.staged() != null) {
      return this;
    }
    // A load tool of others may have service times alone, which only what was answered has.
    boolean answeredAlone = response == null && service != null;
    long counted = load.messages().answered() + (answeredAlone ? 0 : load.messages().unanswered());
    Histogram all = response != null ? response : service;
    long read = all == null ? 0 : all.getTotalCount();
    return read >= counted
        ? this
        : new RungTimes(
            server, response, service, lateness, receiveDelay, startEpochMs, bins,
            "it has %s of the %s messages of the steady state that run.json counts, so a part of it is missing"
                .formatted(Units.count(read), Units.count(counted)));
  }

  /**
   * What was recorded in one piece of time: server times, without stamps response times, of a closed loop service times. A
   * percentile with too few samples beyond it is null.
   *
   * @param count recorded times
   * @param hiccupMaxNs the longest overrun of a timed wait of the client; null where none was recorded
   */
  public record Bin(
      long count,
      @Nullable Long p50Ns,
      @Nullable Long p90Ns,
      @Nullable Long p99Ns,
      @Nullable Long hiccupMaxNs) {}
}
