package echoladder.harness.run;

import echoladder.client.Border;
import echoladder.client.StagedFigures;
import echoladder.harness.probe.Figure;
import echoladder.harness.probe.LiveHeap;
import echoladder.harness.probe.Reading;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The readings at the borders of one rung's phases, as far as it came. Written by one thread, read after its end. */
final class Borders {
  @Nullable Reading ready;
  @Nullable Reading steadyStart;
  @Nullable Reading steadyEnd;
  @Nullable Reading after;
  final Map<Figure, Long> peaks = new EnumMap<>(Figure.class);
  @Nullable LiveHeap liveHeap;
  @Nullable StagedFigures staged;
  String failure = "";
  final List<Border> steady = new ArrayList<>();
}
