package echoladder.harness;

import echoladder.client.LoadResult;
import echoladder.harness.metric.Figures;
import echoladder.harness.results.RungRecord;

/** Records of rungs to begin with. */
public final class Rungs {
  private Rungs() {}

  /** A measured rung, on one host, of which nothing else is known. */
  public static RungRecord measured(RungRecord.Planned planned, LoadResult load, Figures figures) {
    return new RungRecord(
        planned, RungRecord.Status.MEASURED, null, "2026-01-01T00:00:00Z", 12.5, null, load, figures, null, null, null, null, null, null);
  }
}
