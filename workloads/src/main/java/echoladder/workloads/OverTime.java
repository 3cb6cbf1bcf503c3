package echoladder.workloads;

import java.util.LinkedHashMap;
import java.util.Map;

/** Memory and threads over time, in arrays that were there before: it grows by nothing. One thread writes. */
final class OverTime {
  private static final int MOST = 600;

  private final long[] timeMs = new long[MOST];
  private final long[] rssBytes = new long[MOST];
  private final long[] osThreads = new long[MOST];
  private long everyMs = 50;
  private int count;

  /** Takes a point if one is due; where there is no room, every second point goes and the others come half as often. */
  synchronized void add(long ms, long rss, long threads) {
    if (count > 0 && ms < timeMs[count - 1] + everyMs) {
      return;
    }
    if (count == MOST) {
      for (int i = 0; i < MOST / 2; i++) {
        timeMs[i] = timeMs[2 * i];
        rssBytes[i] = rssBytes[2 * i];
        osThreads[i] = osThreads[2 * i];
      }
      count = MOST / 2;
      everyMs *= 2;
    }
    timeMs[count] = ms;
    rssBytes[count] = rss;
    osThreads[count] = threads;
    count++;
  }

  /** The points, as lists of equal length. */
  synchronized Map<String, long[]> points() {
    Map<String, long[]> points = new LinkedHashMap<>();
    points.put("time_ms", java.util.Arrays.copyOf(timeMs, count));
    points.put("rss_bytes", java.util.Arrays.copyOf(rssBytes, count));
    points.put("os_threads", java.util.Arrays.copyOf(osThreads, count));
    return points;
  }
}
