package echoladder.needs;

/** What a study of a test allows, so that its rungs are valid however busy the host is that the tests share. */
public final class BusyHost {
  /** The last part of a study's text; nearly nothing of the rate has to be achieved. */
  public static final String THRESHOLDS = thresholds(0.01);

  private BusyHost() {}

  /**
   * The last part of a study's text.
   *
   * @param achieved the least share of the rate that has to be achieved, 0 to 1
   */
  public static String thresholds(double achieved) {
    return """
        thresholds: {achieved_share_least: %s, hiccup_most: 1h, late_share_most: 0.99, host_idle_share_least: 0,
                     steal_share_most: 0.99, foreign_cpu_share_most: 0.999, cpu_drift_share_most: 0.99, p99_drift_share_most: 0.99}
        """
        .formatted(achieved);
  }
}
