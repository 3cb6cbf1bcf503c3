package echoladder.harness.report.plot;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * The scale of a plot's edge: where values lie between 0 and 1, and which of them get a line. A logarithmic one ends at 1, 2 or 5 times a
 * power of ten; a linear one begins at 0, so that lengths compare.
 *
 * @param from its beginning
 * @param to its end, above {@code from}
 */
record Scale(boolean logarithmic, double from, double to, List<Double> ticks) {
  private static final double[] STEPS = {1, 2, 5};
  /** Within less than a decade there is room for all of them. */
  private static final double[] DENSE = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  private static final double DENSE_BELOW = 5;
  private static final int MOST_TICKS = 8;

  Scale {
    ticks = List.copyOf(ticks);
  }

  /** For these values, of which those that the scale cannot show (0 on a logarithmic one) are left out. */
  static Scale of(boolean logarithmic, List<Double> values) {
    List<Double> shown = values.stream().filter(v -> Double.isFinite(v) && (!logarithmic || v > 0)).toList();
    double low = shown.stream().mapToDouble(v -> v).min().orElse(1);
    double high = shown.stream().mapToDouble(v -> v).max().orElse(1);
    return logarithmic ? logarithmic(low, high) : linear(high);
  }

  /** For counts that are themselves the ticks, with some room at both ends. */
  static Scale ofCounts(List<Integer> counts) {
    double room = counts.size() == 1 ? 2 : 1.15;
    return new Scale(
        true,
        counts.getFirst() / room,
        counts.getLast() * room,
        counts.stream().map(c -> (Double) (double) c).toList());
  }

  /** For so many places that stand evenly spaced, counted from 0. */
  static Scale ofPlaces(int places) {
    return new Scale(false, -0.5, places - 0.5, IntStream.range(0, places).mapToObj(i -> (Double) (double) i).toList());
  }

  /** For ratios about 1, which lies in the middle: to {@code farthest} above 1 and as far below, with some room at both ends. */
  static Scale ofRatios(double farthest) {
    double end = Math.exp(Math.log(farthest) * 1.05);
    return new Scale(true, 1 / end, end, List.of(1 / farthest, 1.0, farthest));
  }

  /** For the points of a spectrum, with the nines as ticks. */
  static Scale ofNines(int last) {
    List<Double> ticks =
        DoubleStream.of(0, 50, 90, 99, 99.9, 99.99, 99.999, 99.9999)
            .map(percent -> -Spectrum.PER_DECADE * Math.log10(1 - percent / 100) + 0.0)
            .filter(tick -> tick <= last + 0.1)
            .boxed()
            .toList();
    return new Scale(false, 0, Math.max(1, last), ticks);
  }

  /** For places of which so many make a decade: from the decade below the first to that above the last, with decades as ticks. */
  static Scale ofDecades(int first, int last, int each) {
    int from = Math.floorDiv(first, each);
    int to = Math.max(from + 1, Math.ceilDiv(last, each));
    List<Double> ticks = IntStream.rangeClosed(from, to).mapToObj(i -> (Double) ((double) i * each)).toList();
    return new Scale(false, ticks.getFirst(), ticks.getLast(), ticks);
  }

  private static Scale logarithmic(double low, double high) {
    List<Double> ticks = new ArrayList<>();
    int decade = (int) Math.floor(Math.log10(low)) - 1;
    double[] steps = high / low < DENSE_BELOW ? DENSE : STEPS;
    double last;
    do {
      for (double step : steps) {
        ticks.add(step * Math.pow(10, decade));
      }
      last = ticks.getLast();
      decade++;
    } while (last < high * 2);
    double from = ticks.stream().filter(t -> t <= low * 0.97).reduce((a, b) -> b).orElse(ticks.getFirst());
    double to = ticks.stream().filter(t -> t >= high * 1.03).findFirst().orElse(last);
    List<Double> within = ticks.stream().filter(t -> t >= from && t <= to).toList();
    // Over many decades their powers are enough.
    List<Double> few = within.stream().filter(t -> Math.abs(Math.log10(t) - Math.rint(Math.log10(t))) < 1e-9).toList();
    return new Scale(true, from, to, within.size() > MOST_TICKS && few.size() > 1 ? few : within);
  }

  private static Scale linear(double high) {
    double top = high <= 0 ? 1 : high * 1.05;
    double step = step(top);
    List<Double> ticks = new ArrayList<>();
    for (int i = 0; i * step < top + step; i++) {
      ticks.add(i * step);
    }
    return new Scale(false, 0, ticks.getLast(), ticks);
  }

  private static double step(double top) {
    double power = Math.pow(10, Math.floor(Math.log10(top / 5)));
    for (double step : STEPS) {
      if (top / (step * power) <= 6) {
        return step * power;
      }
    }
    return 10 * power;
  }

  /** 0 at the beginning, 1 at the end; outside of both for what lies outside. */
  double at(double value) {
    return logarithmic
        ? Math.log(Math.max(value, from / 2) / from) / Math.log(to / from)
        : (value - from) / (to - from);
  }
}
