package echoladder.harness.metric;

import echoladder.client.LoadResult;
import echoladder.harness.lab.Quotable;
import org.jspecify.annotations.Nullable;

/**
 * A row of the catalogue: all that is known of one figure.
 *
 * @param name in run.json and results.csv; it ends in the unit
 * @param claim what a run must be quotable for, so that the figure may be quoted (see the lab)
 * @param family the start of the names of all percentiles of one kind of time; empty = the figure is none
 * @param percentile of times in which the unanswered count at their age, 0 to 100: a lower bound where a part of the
 *     messages below it was never answered; 0 = never a lower bound
 */
public record Metric(
    String name, Unit unit, Words words, Quotable claim, Better better, Source source, String family, double percentile) {

  /** As in a table. */
  public String label() {
    return words.label();
  }

  /** Above a column of a wide table: of a percentile without the kind of time. */
  public String column() {
    return family.isEmpty() ? words.label() : words.brief();
  }

  /** The figure of a rung; null where the rung has none that may be quoted. */
  public @Nullable Number of(MeasuredRung rung) {
    LoadResult load = rung.load();
    return switch (source) {
      case Source.OfRung of -> of.formula().apply(rung);
      case Source.OfLoad of -> load == null || Quoting.withheld(this, rung) ? null : of.formula().apply(load);
      case Source.Probed _ -> Quoting.withheld(this, rung) ? null : rung.figures().get(this);
      case Source.OfRequests _, Source.Written _ -> null;
    };
  }

  /** The figure of a rung as a double; null where the rung has none that may be quoted. */
  public @Nullable Double value(MeasuredRung rung) {
    Number value = of(rung);
    return value == null ? null : (Double) value.doubleValue();
  }

  /** Whether a rung's value is a lower bound, as a part of the messages was never answered. */
  public boolean atLeast(MeasuredRung rung) {
    return rung.load() != null && atLeast(rung.load().responseTimeLowerBoundBeyond());
  }

  /** Whether values are lower bounds where percentiles beyond that are; null = none is. */
  public boolean atLeast(@Nullable Double beyond) {
    return beyond != null && percentile > beyond;
  }
}
