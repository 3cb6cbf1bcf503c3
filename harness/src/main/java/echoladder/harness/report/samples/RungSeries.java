package echoladder.harness.report.samples;

import echoladder.client.LoadResult;
import echoladder.harness.metric.ServerTimes;
import echoladder.harness.report.samples.RungSamples.Sample;
import echoladder.harness.report.samples.RungTimes.Bin;
import echoladder.harness.report.words.Measurement;
import echoladder.harness.report.words.StagedText;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord;
import java.time.Instant;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
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
public record RungSeries(
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

  private static final RungTimes NO_LOG = new RungTimes(null, null, null, null, null, 0, List.of(), null);

  /** What happened in a measured rung. */
  public static RungSeries of(RunRecord run, RunFolder folder, Measurement m, RungSamples samples) {
    RungRecord rung = m.rung();
    LoadResult load = rung.load();
    double steady = load == null ? 0 : Math.min(load.pace().steadySeconds(), MOST_STEADY_S);
    int binSeconds = (int) Math.max(1, Math.ceil(steady / MOST_BINS));
    boolean closed = rung.staged() != null && StagedText.closed(rung.staged());
    String tag = closed ? "service" : ServerTimes.stamped(rung) ? "server-time" : "response";
    RungTimes times =
        rung.histograms() == null
            ? NO_LOG
            : IntervalLogReader.read(folder.files(), rung.histograms(), tag, binSeconds).of(rung);
    List<Sample> of = samples.of(rung);
    int bins = times.bins().isEmpty() ? (int) Math.ceil(steady / binSeconds) : times.bins().size();
    Pieces pieces = new Pieces(zero(run, times, of), binSeconds, bins);
    return new RungSeries(binSeconds, times, pieces.achieved(of), pieces.pauses(of), pieces.hiccups(of));
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

  /** Pieces of time: values of samples by piece, those of a piece as one, null where it has none. */
  private record Pieces(double zero, int seconds, int count) {
    private List<@Nullable Double> of(List<Sample> samples, ToDoubleFunction<Sample> value, Function<DoubleStream, OptionalDouble> asOne) {
      Map<Integer, List<Sample>> byPiece =
          samples.stream().collect(Collectors.groupingBy(sample -> (int) Math.floor((sample.seconds() - zero) / seconds)));
      List<@Nullable Double> all = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        OptionalDouble one = asOne.apply(byPiece.getOrDefault(i, List.of()).stream().mapToDouble(value));
        all.add(one.isPresent() ? (Double) one.getAsDouble() : null);
      }
      return all;
    }

    /** Before the hold, in which a collection is forced. */
    private static boolean underLoad(Sample sample) {
      return !sample.phase().equals("hold") && !sample.phase().equals("roll-call");
    }

    private List<@Nullable Double> achieved(List<Sample> samples) {
      List<Sample> steady =
          samples.stream().filter(s -> s.phase().equals("steady") && s.achievedPerS().isPresent()).toList();
      return of(steady, s -> s.achievedPerS().getAsDouble(), DoubleStream::average);
    }

    /** The growth from one sample to the next, at the time of the latter; the collection forced in the hold is left out. */
    private List<@Nullable Double> pauses(List<Sample> samples) {
      List<Sample> read = samples.stream().filter(s -> underLoad(s) && s.gcPauseNs().isPresent()).toList();
      IdentityHashMap<Sample, Double> growth = new IdentityHashMap<>();
      for (int i = 1; i < read.size(); i++) {
        double before = read.get(i - 1).gcPauseNs().getAsDouble();
        growth.put(read.get(i), Math.max(0, read.get(i).gcPauseNs().getAsDouble() - before));
      }
      return of(read.stream().skip(1).toList(), s -> growth.getOrDefault(s, 0.0), stream -> stream.reduce(Double::sum));
    }

    /** As with pauses, the collection forced in the hold is left out. */
    private List<@Nullable Double> hiccups(List<Sample> samples) {
      List<Sample> read = samples.stream().filter(s -> underLoad(s) && s.serverHiccupNs().isPresent()).toList();
      return of(read, s -> s.serverHiccupNs().getAsDouble(), DoubleStream::max);
    }
  }

  /** The highest of p99, p90 and p50 that most pieces have enough samples for; p50 where none is. */
  public String percentile() {
    List<Bin> bins = times.bins().stream().filter(b -> b.count() > 0).toList();
    int most = bins.size() / 2 + 1;
    if (bins.stream().filter(b -> b.p99Ns() != null).count() >= most) {
      return "p99";
    }
    return bins.stream().filter(b -> b.p90Ns() != null).count() >= most ? "p90" : "p50";
  }
}
