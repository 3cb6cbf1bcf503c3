package echoladder.harness.probe;

import echoladder.client.page.GarbledPageException;
import echoladder.client.page.MetricsPage;
import echoladder.client.page.PageSample;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The overruns of a server's hiccup meter since it started, as the histogram on its page has them.
 *
 * @param atMost how many were no longer than so many seconds, for each of the histogram's bounds, all overruns last
 */
public record Hiccups(NavigableMap<Double, Long> atMost) {
  private static final String BUCKETS = "echo_hiccup_seconds_bucket";

  /** Overruns that a page tells; null where its server has no such meter. A bound that is no number is left out. */
  static @Nullable Hiccups on(MetricsPage page) throws GarbledPageException {
    NavigableMap<Double, Long> atMost = new TreeMap<>();
    for (Map.Entry<String, Long> bucket : page.byLabel(BUCKETS, "le").entrySet()) {
      Double bound = PageSample.number(bucket.getKey());
      if (bound != null && !bound.isNaN()) {
        atMost.put(bound, bucket.getValue());
      }
    }
    return atMost.isEmpty() ? null : new Hiccups(atMost);
  }

  /**
   * The bound that so large a share of the overruns since an earlier reading did not exceed: above the true value by the
   * width of a bucket at most. What is beyond the last bound counts as that.
   *
   * @param share above 0, at most 1, which asks for the longest
   * @return null where there was none since
   */
  public @Nullable Long mostNs(Hiccups earlier, double share) {
    long all = grown(earlier, atMost.lastKey());
    if (all <= 0) {
      return null;
    }
    long rank = (long) Math.ceil(share * all - 1e-9);
    double last = 0;
    for (Map.Entry<Double, Long> bound : atMost.entrySet()) {
      last = Double.isInfinite(bound.getKey()) ? last : bound.getKey();
      if (grown(earlier, bound.getKey()) >= rank) {
        break;
      }
    }
    return Math.round(last * 1e9);
  }

  /** Bounds with nothing in them may be left out of a page: then it is what the next lower one has. */
  private long grown(Hiccups earlier, double bound) {
    return at(bound) - earlier.at(bound);
  }

  private long at(double bound) {
    Map.Entry<Double, Long> entry = atMost.floorEntry(bound);
    return entry == null ? 0 : entry.getValue();
  }
}
