package echoladder.harness.engine;

import echoladder.client.LoadResult;
import echoladder.client.PhaseBoundary;
import echoladder.client.figures.StagedFigures;
import echoladder.harness.metric.CutReading;
import echoladder.harness.metric.RungReadings;
import echoladder.harness.metric.StormReading;
import echoladder.harness.probe.Figure;
import echoladder.harness.probe.HostGaps;
import echoladder.harness.probe.LiveHeap;
import echoladder.harness.probe.Reading;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The readings at the borders of one rung's phases, as far as it came. Written by one thread, read after its end. */
final class BorderReadings {
  @Nullable Reading ready;
  @Nullable Reading steadyStart;
  @Nullable Reading steadyEnd;
  @Nullable Reading after;
  final Map<Figure, Long> peaks = new EnumMap<>(Figure.class);
  @Nullable LiveHeap liveHeap;
  @Nullable StagedFigures staged;
  @Nullable StormReading storm;
  @Nullable CutReading cut;
  /** Null = the load did not begin. */
  @Nullable SideSpeeds speeds;
  String failure = "";
  final List<PhaseBoundary> steady = new ArrayList<>();

  /** What figures are made of; the parameters are those of {@link RungReadings}. */
  RungReadings readings(LoadResult load, boolean attached, boolean elsewhere, boolean oneProcess, @Nullable HostGaps gaps,
      boolean clientsAfar) {
    return new RungReadings(
        orNone(ready), orNone(steadyStart), orNone(steadyEnd), oneProcess ? liveHeap : null, load, attached, elsewhere, oneProcess, gaps,
        storm, clientsAfar);
  }

  private static Reading orNone(@Nullable Reading reading) {
    return reading == null ? new Reading(0) : reading;
  }
}
