package echoladder.harness.metric;

import echoladder.client.LoadResult;
import echoladder.client.Reason;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a rung's figures are read from. The record of a rung implements it, so that records may depend on figures. */
public interface MeasuredRung {
  /** Offered by the plan, in messages per second. */
  double ratePerS();

  /** From start to stop of the server; null where not measured. */
  @Nullable Double seconds();

  /** The client's figures; null where not measured. */
  @Nullable LoadResult load();

  /** What speaks against some of its figures alone; none = nothing does. */
  List<Reason> aside();

  /** What the harness measured beside the client. */
  Figures figures();
}
