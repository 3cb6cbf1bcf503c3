package echoladder.external;

import echoladder.client.Reason;
import echoladder.client.ReasonCode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What our own count says against a load, whatever the tool says. Pure. */
public final class OwnCount {
  private OwnCount() {}

  /**
   * Doubts about connections and server; none = all that were asked for were held from the beginning of the steady
   * state to its end.
   *
   * @param requested connections asked for
   * @param probes connections that the tool opens and closes by itself before its ramp
   * @param replacementsExpected whether the tool was told to close connections and open others
   */
  public static List<Reason> doubts(Course course, int requested, int probes, boolean replacementsExpected) {
    List<Reason> doubts = new ArrayList<>();
    if (course.serverGone()) {
      doubts.add(new Reason(ReasonCode.SERVER_DIED, "the server's process had ended when the load did"));
    }
    if (course.established() < requested) {
      doubts.add(
          new Reason(
              ReasonCode.CONNECTIONS_MISSING,
              "%,d of %,d connections were held %s"
                  .formatted(course.established(), requested, whoSaw(course.start(), course.before()))));
    }
    if (course.gone() > 0) {
      doubts.add(
          new Reason(
              ReasonCode.CONNECTIONS_LOST,
              "%,d of %,d connections were gone at the end of the steady state"
                  .formatted(course.gone(), course.established())));
    }
    int replaced = replaced(course, probes, replacementsExpected);
    if (replaced > 0) {
      doubts.add(
          new Reason(
              ReasonCode.CONNECTIONS_LOST,
              "%,d connections were closed and others opened in their place; the tool says nothing of it"
                  .formatted(replaced)));
    }
    Sighting start = course.start();
    Sighting end = course.end();
    if (!course.serverGone() && start != null && end != null && start.open() != null && end.open() == null) {
      doubts.add(
          new Reason(ReasonCode.METRICS_UNREACHABLE, "the server's page answered before the steady state only"));
    }
    return doubts;
  }

  /** Connections that ended before the load did, whether or not others took their place. */
  public static int lost(Course course, int probes, boolean replacementsExpected) {
    return course.gone() + replaced(course, probes, replacementsExpected);
  }

  private static int replaced(Course course, int probes, boolean expected) {
    Long replaced = course.replaced();
    return replaced == null || expected ? 0 : (int) Math.max(0, replaced - probes);
  }

  private static String whoSaw(@Nullable Sighting seen, Sighting before) {
    if (seen == null) {
      return "before the tool ended";
    }
    Integer now = seen.kernel();
    Integer then = before.kernel();
    Integer kernel = now == null || then == null ? null : (Integer) (now - then);
    Long server = Sighting.since(seen.open(), before.open());
    return "when the steady state began: established by the kernel %s, open at the server %s"
        .formatted(known(kernel), known(server));
  }

  private static String known(@Nullable Number count) {
    return count == null ? "unknown" : "%,d".formatted(count.longValue());
  }
}
