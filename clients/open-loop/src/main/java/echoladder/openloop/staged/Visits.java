package echoladder.openloop.staged;

import echoladder.client.StagedLoad;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * When each user of a staged load is there: user {@code u} while more than {@code u + 1/2} users are planned, so that
 * those present are the planned number, rounded. Pure arithmetic.
 */
final class Visits {
  private Visits() {}

  /** Beginning and end of each visit of a user in turn, ns since the beginning of the first stage. */
  static long[] of(StagedLoad load, int user) {
    double level = user + 0.5;
    List<Long> borders = new ArrayList<>();
    long fromNs = 0;
    for (int s = 0; s < load.stages().size(); s++) {
      int before = load.usersBefore(s);
      int after = load.stages().get(s).users();
      long overNs = load.stages().get(s).over().toNanos();
      if (before < level != after < level) {
        borders.add(fromNs + (long) ((level - before) / (after - before) * overNs));
      }
      fromNs += overNs;
    }
    if (borders.size() % 2 == 1) {
      borders.add(fromNs);
    }
    return borders.stream().mapToLong(Long::longValue).toArray();
  }

  /** The visits of all users. */
  static long[][] of(StagedLoad load) {
    long[][] all = new long[load.peakUsers()][];
    Arrays.setAll(all, user -> of(load, user));
    return all;
  }
}
