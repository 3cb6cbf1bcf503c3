package echoladder.harness.metric;

import echoladder.client.LoadResult;
import echoladder.client.figures.StagedFigures.RequestFigures;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Where a figure comes from. */
public sealed interface Source {
  /** From the rung itself. */
  record OfRung(Function<MeasuredRung, @Nullable Number> formula) implements Source {}

  /**
   * From what the client measured.
   *
   * @param always whether each result of a client has it
   */
  record OfLoad(Function<LoadResult, @Nullable Number> formula, boolean always) implements Source {}

  /**
   * From what the harness read beside the client; kept in {@link Figures}.
   *
   * @param falls whether it may be below 0
   */
  record Probed(Function<RungReadings, @Nullable Number> formula, boolean falls) implements Source {}

  /** From one kind of requests of users in stages. */
  record OfRequests(Function<RequestFigures, @Nullable Number> formula) implements Source {}

  /** It stands under that name in another record than a rung's: the line that a workload ends with, a search, a climb, a host. */
  record Written() implements Source {}
}
