package echoladder.client.figures;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * The part of the messages beyond each percentile of the response time that would not be there but for send lateness, 0 to 1. Only
 * results from before there were stamps have it. With q the percentile: 1 - N(response time less lateness > q) / N(response time > q).
 * Lateness is never negative, so the first count is of messages in the second. Null where the percentile is, and in all other results.
 *
 * @param p50LateShare beyond the median
 * @param p90LateShare beyond the 90th percentile
 * @param p99LateShare beyond the 99th percentile
 * @param p999LateShare beyond the 99.9th percentile
 * @param p9999LateShare beyond the 99.99th percentile
 * @param lessLatenessP99Ns the 99th percentile that the response time had been had the client sent on time, in ns
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record LateShares(
    @Nullable Double p50LateShare,
    @Nullable Double p90LateShare,
    @Nullable Double p99LateShare,
    @Nullable Double p999LateShare,
    @Nullable Double p9999LateShare,
    @Nullable Long lessLatenessP99Ns) {
  /** Nothing is known. */
  public static final LateShares UNKNOWN = new LateShares(null, null, null, null, null, null);
}
