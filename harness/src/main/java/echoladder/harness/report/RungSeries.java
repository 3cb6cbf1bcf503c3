package echoladder.harness.report;

import echoladder.client.LoadResult;
import echoladder.harness.report.RungSamples.Sample;
import echoladder.harness.report.RungTimes.Bin;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * What happened in one rung over its time: the interval log beside the samples of the harness, in pieces of equal length
 * from the interval in which the steady state began. The two clocks are put together by the time of day, to within a
 * second.
 *
 * @param binSeconds length of a piece
 * @param times what the log says; nothing where a load tool left none
 * @param achievedPerS answers per second by piece, as the client said it; null where it did not
 * @param gcPauseNs pauses of the server's collector by piece; null where none could be read
 * @param serverHiccupNs the server's longest hiccup by piece, at the time of the sample that has it; null likewise
 */
record RungSeries(
    int binSeconds,
    RungTimes times,
    List<@Nullable Double> achievedPerS,
    List<@Nullable Double> gcPauseNs,
    List<@Nullable Double> serverHiccupNs) {
  /** More pieces than this are finer than a plot is wide. */
  private static final int MOST_BINS = 90;

  /** Two weeks; what a record says beyond that is cut off, as room is taken by it. */
  private static final double MOST_STEADY_S = 14 * 86_400;

  /** A sample is not farther from where the log says the steady state began; else one of the clocks was set. */
  private static final double MOST_APART_S = 3;

  private static final RungTimes NO_LOG = new RungTimes(null, null, 0, List.of(), null);

  /** Of a measured rung. */
  static RungSeries of(RunRecord run, RunFolder folder, Measurement m, RungSamples samples) {
    RungRecord rung = m.rung();
    LoadResult load = rung.load();
    double steady = load == null ? 0 : Math.min(load.pace().steadySeconds(), MOST_STEADY_S);
    int binSeconds = (int) Math.max(1, Math.ceil(steady / MOST_BINS));
    boolean closed = rung.staged() != null && StagedText.closed(rung.staged());
    RungTimes times =
        rung.histograms() == null
            ? NO_LOG
            : IntervalLogReader.read(folder.files(), rung.histograms(), closed, binSeconds).of(rung);
    List<Sample> of = samples.of(rung);
    int bins = times.bins().isEmpty() ? (int) Math.ceil(steady / binSeconds) : times.bins().size();
    double zero = zero(run, times, of);
    return new RungSeries(
        binSeconds, times, achieved(of, zero, binSeconds, bins), pauses(of, zero, binSeconds, bins),
        hiccups(of, zero, binSeconds, bins));
  }

  /** The beginning of the first piece, in seconds of the samples. */
  private static double zero(RunRecord run, RungTimes times, List<Sample> samples) {
    double steady =
        samples.stream().filter(s -> s.phase().equals("steady")).mapToDouble(Sample::seconds).findFirst().orElse(0);
    if (times.startEpochMs() == 0) {
      return steady;
    }
    double byClock = (times.startEpochMs() - Instant.parse(run.startedAt()).toEpochMilli()) / 1e3;
    return Math.abs(byClock - steady) < MOST_APART_S ? byClock : steady;
  }

  private static int bin(Sample sample, double zero, int binSeconds) {
    return (int) Math.floor((sample.seconds() - zero) / binSeconds);
  }

  private static List<@Nullable Double> achieved(List<Sample> samples, double zero, int binSeconds, int bins) {
    double[] sum = new double[bins];
    int[] count = new int[bins];
    for (Sample sample : samples) {
      int at = bin(sample, zero, binSeconds);
      OptionalDouble rate = sample.achievedPerS();
      if (sample.phase().equals("steady") && rate.isPresent() && at >= 0 && at < bins) {
        sum[at] += rate.getAsDouble();
        count[at]++;
      }
    }
    List<@Nullable Double> mean = new ArrayList<>();
    for (int i = 0; i < bins; i++) {
      mean.add(count[i] == 0 ? null : (Double) (sum[i] / count[i]));
    }
    return mean;
  }

  /** The growth from one sample to the next, at the time of the latter; the collection forced in the hold is left out. */
  private static List<@Nullable Double> pauses(List<Sample> samples, double zero, int binSeconds, int bins) {
    @Nullable Double[] pauses = new Double[bins];
    OptionalDouble before = OptionalDouble.empty();
    for (Sample sample : samples) {
      int at = bin(sample, zero, binSeconds);
      OptionalDouble now = sample.gcPauseNs();
      if (now.isEmpty() || sample.phase().equals("hold")) {
        continue;
      }
      if (before.isPresent() && at >= 0 && at < bins) {
        Double sum = pauses[at];
        pauses[at] = (sum == null ? 0 : sum) + Math.max(0, now.getAsDouble() - before.getAsDouble());
      }
      before = now;
    }
    return Arrays.asList(pauses);
  }

  /** As with pauses, the collection forced in the hold is left out. */
  private static List<@Nullable Double> hiccups(List<Sample> samples, double zero, int binSeconds, int bins) {
    @Nullable Double[] hiccups = new Double[bins];
    for (Sample sample : samples) {
      int at = bin(sample, zero, binSeconds);
      OptionalDouble ns = sample.serverHiccupNs();
      if (ns.isPresent() && !sample.phase().equals("hold") && at >= 0 && at < bins) {
        Double most = hiccups[at];
        hiccups[at] = most == null ? ns.getAsDouble() : Math.max(most, ns.getAsDouble());
      }
    }
    return Arrays.asList(hiccups);
  }

  /** The highest of p99, p90 and p50 that most pieces have enough samples for; p50 where none is. */
  String percentile() {
    List<Bin> bins = times.bins().stream().filter(b -> b.count() > 0).toList();
    int most = bins.size() / 2 + 1;
    if (bins.stream().filter(b -> b.p99Ns() != null).count() >= most) {
      return "p99";
    }
    return bins.stream().filter(b -> b.p90Ns() != null).count() >= most ? "p90" : "p50";
  }
}
