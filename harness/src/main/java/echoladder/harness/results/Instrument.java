package echoladder.harness.results;

/**
 * What the ladder measures by, as one number that every run records: two runs of one number measure alike, so their figures
 * compare. docs/decisions/instrument-version.md says when it rises.
 */
public final class Instrument {
  /** The number of this ladder. */
  public static final int VERSION = 7;

  /** The number of runs from before it was recorded, which is more than one instrument: results/reference/README.md says which. */
  public static final int UNRECORDED = 1;

  private Instrument() {}
}
