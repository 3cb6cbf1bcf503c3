package echoladder.harness.metric;

import echoladder.client.LoadResult;
import echoladder.client.figures.StagedFigures.RequestFigures;
import echoladder.harness.lab.Quotable;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Takes the rows of one group, in the order of run.json, while its class is loaded. Views of the same group for figures of
 * another kind add to the same rows.
 */
record Rows(List<Metric> rows, Quotable claim, Better better) {
  /** A group without rows, whose figures belong to that. */
  static Rows of(Quotable claim, Better better) {
    return new Rows(new ArrayList<>(), claim, better);
  }

  /** A view of this group for figures that belong to something else. */
  Rows with(Quotable other, Better direction) {
    return new Rows(rows, other, direction);
  }

  /** What was added so far. */
  List<Metric> all() {
    return List.copyOf(rows);
  }

  Metric rung(String name, Words words, Function<MeasuredRung, @Nullable Number> formula) {
    return add(name, words, new Source.OfRung(formula), "", 0);
  }

  /** A figure that each client gives. */
  Metric load(String name, Words words, Function<LoadResult, @Nullable Number> formula) {
    return add(name, words, new Source.OfLoad(formula, true), "", 0);
  }

  /** A figure that not every client has, or not always. */
  Metric loadIfKnown(String name, Words words, Function<LoadResult, @Nullable Number> formula) {
    return add(name, words, new Source.OfLoad(formula, false), "", 0);
  }

  Metric probed(String name, Words words, Function<RungReadings, @Nullable Number> formula) {
    return add(name, words, new Source.Probed(formula, false), "", 0);
  }

  /** A difference that may be below 0. */
  Metric difference(String name, Words words, Function<RungReadings, @Nullable Number> formula) {
    return add(name, words, new Source.Probed(formula, true), "", 0);
  }

  /** A figure of users in stages. */
  Metric requests(String name, Words words, double percentile, Function<RequestFigures, @Nullable Number> formula) {
    return add(name, words, new Source.OfRequests(formula), "", percentile);
  }

  Metric written(String name, Words words) {
    return add(name, words, new Source.Written(), "", 0);
  }

  Metric percentile(String family, Percentile at, Words words, double boundedAt, Function<LoadResult, @Nullable Number> formula) {
    return add("%s_%s_ns".formatted(family, at.id()), words, new Source.OfLoad(formula, false), family, boundedAt);
  }

  private Metric add(String name, Words words, Source source, String family, double percentile) {
    Metric row = new Metric(name, Unit.ofName(name), words, claim, better, source, family, percentile);
    rows.add(row);
    return row;
  }
}
