package echoladder.harness.report;

/** Where labels go that would lie upon each other. */
final class Labels {
  private Labels() {}

  /**
   * Places at least {@code gap} apart, each as near to where it is wanted as the others allow.
   *
   * @param wanted ascending
   * @param from the least place
   * @param to the greatest, exceeded only where there is no room for all
   */
  static double[] apart(double[] wanted, double gap, double from, double to) {
    double[] at = wanted.clone();
    for (int i = 0; i < at.length; i++) {
      at[i] = Math.max(at[i], i == 0 ? from : at[i - 1] + gap);
    }
    double limit = Math.max(to, from + gap * (at.length - 1));
    for (int i = at.length - 1; i >= 0; i--) {
      at[i] = Math.min(at[i], limit);
      limit = at[i] - gap;
    }
    return at;
  }

  /** At most so many characters, with … in place of the rest. */
  static String shortened(String text, int most) {
    return text.length() <= most ? text : text.substring(0, most - 1) + "…";
  }
}
