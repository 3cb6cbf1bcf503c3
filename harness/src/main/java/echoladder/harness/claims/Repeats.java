package echoladder.harness.claims;

import echoladder.harness.claims.Claim.Effort;

/**
 * How often the steps of a claim are run. In a full run as often as the claim says. A quick run repeats as often as its {@code
 * quick_repeats} say, which are three for claims of sentences and one for others; and up to three times what is over soon enough
 * for that, so that most of its rows have a spread.
 */
record Repeats(Effort effort, Claim claim) {
  /** All repeats of what a quick run repeats unasked take no longer together. */
  private static final long QUICK_NS = 6_000_000_000L;

  private static final int QUICK = 3;

  /**
   * Whether there is a repeat of that number.
   *
   * @param number from 1
   * @param spentNs by those before it
   */
  boolean again(int number, long spentNs) {
    int sure = effort == Effort.FULL ? claim.repeats() : claim.quickRepeats();
    return number <= sure || (effort == Effort.QUICK && number <= QUICK && spentNs / (number - 1) * number <= QUICK_NS);
  }

  /** How many there are where each takes so long. */
  int of(long eachNs) {
    int number = 0;
    while (again(number + 1, number * eachNs)) {
      number++;
    }
    return number;
  }
}
