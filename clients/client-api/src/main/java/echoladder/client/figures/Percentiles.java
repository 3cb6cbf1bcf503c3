package echoladder.client.figures;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * Quantiles of one kind of time, in nanoseconds. A quantile with fewer than 20 samples beyond it is null: it would
 * be the luck of a few messages. The maximum is null only when nothing was recorded.
 *
 * @param p50Ns median
 * @param p90Ns 90th percentile
 * @param p99Ns 99th percentile
 * @param p999Ns 99.9th percentile
 * @param p9999Ns 99.99th percentile
 * @param maxNs the largest recorded value
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record Percentiles(
    @Nullable Long p50Ns,
    @Nullable Long p90Ns,
    @Nullable Long p99Ns,
    @Nullable Long p999Ns,
    @Nullable Long p9999Ns,
    @Nullable Long maxNs) {

  /** Samples that must lie beyond a quantile for it to be given. */
  public static final int SAMPLES_BEYOND = 20;

  /** Nothing recorded. */
  public static final Percentiles NONE = new Percentiles(null, null, null, null, null, null);
}
