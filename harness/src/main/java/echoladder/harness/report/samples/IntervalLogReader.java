package echoladder.harness.report.samples;

import echoladder.client.figures.Percentiles;
import echoladder.harness.report.samples.RungTimes.Bin;
import echoladder.harness.results.IntervalLines;
import echoladder.harness.results.PlainFiles;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** Reads one *.hlog. A log that ends in the middle of a line gives what came before. */
final class IntervalLogReader {
  /** Pieces of time beyond which a log of two weeks is not followed. */
  private static final int MOST_BINS = 20_000;

  private final String timesTag;
  private final double binSeconds;
  private final List<Bin> bins = new ArrayList<>();
  private @Nullable Histogram server;
  private @Nullable Histogram response;
  private @Nullable Histogram service;
  private @Nullable Histogram lateness;
  private @Nullable Histogram receiveDelay;
  private long startEpochMs;
  private int bin = -1;
  private @Nullable Histogram binTimes;
  private @Nullable Long binHiccupNs;
  private @Nullable Histogram hiccupBefore;

  private IntervalLogReader(String timesTag, double binSeconds) {
    this.timesTag = timesTag;
    this.binSeconds = binSeconds;
  }

  /**
   * The log of a rung. A file that is not there is damage too, as run.json names it.
   *
   * @param timesTag what its line of time is of: {@code server-time}, {@code response} or {@code service}
   * @param binSeconds length of the pieces that its line of time is cut into
   */
  static RungTimes read(PlainFiles files, String name, String timesTag, double binSeconds) {
    IntervalLogReader log = new IntervalLogReader(timesTag, binSeconds);
    String damage;
    try (IntervalLines in = IntervalLines.open(files, name)) {
      for (Histogram next = in.next(); next != null; next = in.next()) {
        log.add(next);
      }
      damage = in.damage();
    } catch (NoSuchFileException e) {
      damage = RungTimes.NOT_THERE;
    } catch (IOException e) {
      damage = "it could not be read (" + e.getMessage() + ")";
    }
    log.closeBin();
    return new RungTimes(log.server, log.response, log.service, log.lateness, log.receiveDelay, log.startEpochMs, log.bins, damage);
  }

  private void add(Histogram histogram) {
    String tag = String.valueOf(histogram.getTag());
    switch (tag) {
      case "server-time" -> server = IntervalLines.sum(server, histogram);
      case "response" -> response = IntervalLines.sum(response, histogram);
      case "service" -> service = IntervalLines.sum(service, histogram);
      case "send-lateness" -> lateness = IntervalLines.sum(lateness, histogram);
      case "receive-delay" -> receiveDelay = IntervalLines.sum(receiveDelay, histogram);
      default -> {}
    }
    if (tag.equals(timesTag)) {
      moveTo(histogram);
      binTimes = IntervalLines.sum(binTimes, histogram);
    } else if (tag.equals("hiccup")) {
      hiccup(histogram);
    }
  }

  private void hiccup(Histogram histogram) {
    if (startEpochMs == 0) {
      hiccupBefore = histogram;
      return;
    }
    moveTo(histogram);
    long ns = histogram.getMaxValue();
    binHiccupNs = binHiccupNs == null ? ns : Math.max(binHiccupNs, ns);
  }

  private void moveTo(Histogram interval) {
    long fromMs = interval.getStartTimeStamp();
    if (startEpochMs == 0) {
      startEpochMs = fromMs;
      bin = 0;
      // Of one interval the hiccups may stand before the times.
      Histogram before = hiccupBefore;
      if (before != null && before.getStartTimeStamp() == fromMs) {
        binHiccupNs = before.getMaxValue();
      }
    }
    double middle = ((fromMs + interval.getEndTimeStamp()) / 2.0 - startEpochMs) / 1e3;
    int at = (int) Math.min(MOST_BINS, middle / binSeconds);
    while (bin < at) {
      closeBin();
    }
  }

  private void closeBin() {
    if (bin < 0) {
      return;
    }
    Histogram times = binTimes;
    bins.add(
        times == null || times.getTotalCount() == 0
            ? new Bin(0, null, null, null, binHiccupNs)
            : new Bin(times.getTotalCount(), given(times, 50), given(times, 90), given(times, 99), binHiccupNs));
    binTimes = null;
    binHiccupNs = null;
    bin++;
  }

  private static @Nullable Long given(Histogram histogram, double percent) {
    double beyond = histogram.getTotalCount() * (1 - percent / 100);
    return beyond + 1e-6 < Percentiles.SAMPLES_BEYOND ? null : (Long) histogram.getValueAtPercentile(percent);
  }
}
