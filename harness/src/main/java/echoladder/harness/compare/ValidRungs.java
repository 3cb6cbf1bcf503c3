package echoladder.harness.compare;

import echoladder.harness.lab.LabMark;
import echoladder.harness.lab.Quotable;
import echoladder.harness.metric.LoadMetrics;
import echoladder.harness.metric.Metric;
import echoladder.harness.metric.Quoting;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungKey;
import echoladder.harness.results.RungRecord;
import echoladder.harness.study.StudyLoad;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The valid rungs of a run by their keys, and the figures by which they compare. Checks for drift are none of them. Pure. */
public final class ValidRungs {
  private final RunRecord run;
  private final @Nullable LabMark lab;
  private final Map<RungKey, RungRecord> valid = new HashMap<>();

  public ValidRungs(RunRecord run) {
    this.run = run;
    this.lab = LabMark.in(run.environment());
    run.rungs().stream().filter(rung -> rung.valid() && !rung.driftCheck()).forEach(rung -> valid.put(rung.key(), rung));
  }

  /** Each rung of a server, of its first repeat, ascending, whether it was climbed or not. */
  public List<RungKey> rungs(String label) {
    StudyLoad load = run.study().load(run.study().entry(label).orElseThrow());
    List<RungKey> keys = new ArrayList<>();
    for (int connections : run.study().rungs()) {
      for (Double rate : load.ratesPerS(connections)) {
        keys.add(new RungKey(label, connections, load.severalRates() ? rate : null, 1, false));
      }
    }
    return keys;
  }

  /** A figure of a rung; null where the rung is not valid, does not give the figure, or gives one by which servers do not compare. */
  public @Nullable Double value(Metric figure, RungKey at) {
    RungRecord rung = valid.get(at);
    if (rung == null || !Quoting.compares(figure, rung) || (ofNetwork(figure) && !Quoting.overNetwork(figure, rung))) {
      return null;
    }
    return figure.value(rung);
  }

  /** Whether a lab's run may be quoted for a figure only as a time over its network. */
  public boolean ofNetwork(Metric figure) {
    return !LabMark.mayClaim(lab, figure.claim()) && LabMark.mayClaim(lab, Quotable.NETWORK_TIMES) && LoadMetrics.SERVER_TIME.has(figure);
  }

  /**
   * Whether the host's own gaps may explain most of what lies beyond a percentile of that rung: the server's own time is at most the value,
   * and nobody knows how much less.
   */
  boolean gaps(Metric figure, RungKey at) {
    RungRecord rung = valid.get(at);
    return rung != null && Quoting.mark(figure, rung) == Quoting.Mark.GAPS;
  }

  /** All of them. */
  public Stream<RungRecord> all() {
    return valid.values().stream();
  }

  /**
   * One figure of two servers at one rung, in the repeats in which both have one.
   *
   * @param first by pair
   * @param second by pair, as many
   */
  public record Paired(List<Double> first, List<Double> second) {
    public Paired {
      first = List.copyOf(first);
      second = List.copyOf(second);
    }

    /** First to second, of each pair in which both are above 0. */
    public List<Double> ratios() {
      List<Double> ratios = new ArrayList<>();
      for (int i = 0; i < first.size(); i++) {
        if (first.get(i) > 0 && second.get(i) > 0) {
          ratios.add(first.get(i) / second.get(i));
        }
      }
      return ratios;
    }

    /** How many pairs have no ratio, as not both are above 0. */
    public int without() {
      return first.size() - ratios().size();
    }
  }

  /** The pairs of a server and another one at that rung of the first, of any repeat. */
  public Paired pairs(Metric figure, RungKey at, String other) {
    return pairs(figure, at, other, true);
  }

  /** Pairs of which those that the host's gaps may explain are left out where they are not wanted. */
  Paired pairs(Metric figure, RungKey at, String other, boolean withGaps) {
    List<Double> first = new ArrayList<>();
    List<Double> second = new ArrayList<>();
    for (int repeat = 1; repeat <= run.study().repeats(); repeat++) {
      RungKey ours = at.repeat(repeat);
      RungKey theirs = ours.of(other);
      Double a = value(figure, ours);
      Double b = value(figure, theirs);
      if (a != null && b != null && (withGaps || !(gaps(figure, ours) || gaps(figure, theirs)))) {
        first.add(a);
        second.add(b);
      }
    }
    return new Paired(first, second);
  }

  /** A figure of a server at that rung, over all repeats that give it; those that the host's gaps may explain are left out likewise. */
  List<Double> values(Metric figure, RungKey at, boolean withGaps) {
    List<Double> values = new ArrayList<>();
    for (int repeat = 1; repeat <= run.study().repeats(); repeat++) {
      Double value = value(figure, at.repeat(repeat));
      if (value != null && (withGaps || !gaps(figure, at.repeat(repeat)))) {
        values.add(value);
      }
    }
    return values;
  }

  /** What keeps a figure of that rung of a server out of repeats, counted: {@code 3 saturated, 2 invalid}; empty = nothing does. */
  String missing(Metric figure, RungKey at) {
    int notClimbed = 0;
    int saturated = 0;
    int invalid = 0;
    int notGiven = 0;
    int gaps = 0;
    for (int repeat = 1; repeat <= run.study().repeats(); repeat++) {
      RungKey key = at.repeat(repeat);
      RungRecord rung = run.rungs().stream().filter(of -> of.key().equals(key)).findFirst().orElse(null);
      if (rung == null || rung.load() == null) {
        notClimbed++;
      } else if (rung.saturated()) {
        saturated++;
      } else if (!rung.valid()) {
        invalid++;
      } else if (value(figure, key) == null) {
        notGiven++;
      } else if (gaps(figure, key)) {
        gaps++;
      }
    }
    List<String> parts = new ArrayList<>();
    add(parts, notClimbed, "not measured");
    add(parts, saturated, "saturated");
    add(parts, invalid, "invalid");
    add(parts, notGiven, "without the figure");
    add(parts, gaps, "in which the host's own gaps may explain it");
    return String.join(", ", parts);
  }

  private static void add(List<String> parts, int count, String what) {
    if (count > 0) {
      parts.add(count + " " + what);
    }
  }
}
