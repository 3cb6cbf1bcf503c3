package echoladder.external;

import echoladder.client.Reason;
import echoladder.client.ReasonCode;
import org.jspecify.annotations.Nullable;

/**
 * How a load went, by what was counted beside the tool at the borders of its phases.
 *
 * @param before ahead of the tool's start
 * @param rampStartNs when the tool was started
 * @param rampEnd when it said, or the arithmetic said, that its ramp was over; null where that never came
 * @param start the beginning of the steady state; null where that never came
 * @param end its end, or the last moment seen of it; null where the tool ended before anything could be counted
 * @param serverGone whether the server's process had ended by then
 */
public record Course(
    Sighting before,
    long rampStartNs,
    @Nullable Sighting rampEnd,
    @Nullable Sighting start,
    @Nullable Sighting end,
    boolean serverGone) {

  public double rampSeconds() {
    return rampEnd == null ? 0 : (rampEnd.monotonicNs() - rampStartNs) / 1e9;
  }

  public double warmUpSeconds() {
    return rampEnd == null || start == null ? 0 : (start.monotonicNs() - rampEnd.monotonicNs()) / 1e9;
  }

  public double steadySeconds() {
    return start == null || end == null ? 0 : (end.monotonicNs() - start.monotonicNs()) / 1e9;
  }

  /**
   * Why a load that was stopped has only a part of its steady state.
   *
   * @param plannedSeconds length of the whole of it
   */
  public Reason stopped(double plannedSeconds) {
    return new Reason(
        ReasonCode.INTERRUPTED, "stopped after %.1f of %.1f s of steady state".formatted(steadySeconds(), plannedSeconds));
  }

  /** Connections held when the steady state began, or at the last moment seen before it; 0 where none was seen. */
  public int established() {
    Sighting seen = start != null ? start : rampEnd;
    Integer held = seen == null ? null : seen.held(before);
    return held == null ? 0 : Math.max(0, held);
  }

  /** Established connections that were gone at the end of the steady state; 0 where one of the two counts was not taken. */
  public int gone() {
    Integer held = start == null || end == null ? null : end.held(before);
    return held == null ? 0 : Math.max(0, established() - Math.max(0, held));
  }

  /**
   * Connections that the server accepted beyond those that it had open at the end: the tool, or the server, closed and
   * the tool opened others in their place. Null where the server has no page.
   */
  public @Nullable Long replaced() {
    Sighting last = end != null ? end : start;
    if (last == null) {
      return null;
    }
    Long accepted = last.acceptedSince(before);
    Long open = Sighting.since(last.open(), before.open());
    // Those that are gone for good are told apart: nothing took their place.
    return accepted == null || open == null ? null : (Long) Math.max(0, accepted - open - gone());
  }
}
