package echoladder.harness.explain;

import echoladder.harness.explain.Topic.NumberRule;
import echoladder.harness.explain.Topic.Stop;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Which limits stop at a number: the rules of the table, with this host's values and with known ones. */
final class Walls {
  /** A number that people give is rounded, or some connections failed on the way: 28,000 is 0.8 % below 28,232. */
  private static final double ROUNDED = 0.025;

  /** Somebody who waits for an idle connection to die finds it dead later than it died. */
  private static final double LATE = 0.1;

  private static final Comparator<Wall> NEAREST =
      Comparator.comparingDouble(Wall::distance).thenComparing(wall -> !wall.here());

  private final HostNumbers host;

  Walls(HostNumbers host) {
    this.host = host;
  }

  /** Those of a topic that explain one of the numbers, the nearest first, one for each thing that is counted. */
  List<Wall> of(Topic topic, List<Asked> asked) {
    List<Wall> met = new ArrayList<>();
    for (NumberRule rule : topic.numbers()) {
      List<Values> known = values(rule);
      for (Stop stop : rule.at()) {
        asked.stream()
            .filter(number -> number.seconds() == stop.isTime())
            .flatMap(number -> known.stream().map(values -> wall(stop, number, values)))
            .filter(wall -> explains(wall, stop.besides()))
            .forEach(met::add);
      }
    }
    met.sort(NEAREST);
    List<Wall> once = new ArrayList<>();
    for (Wall wall : met) {
      if (once.stream().noneMatch(other -> other.is().equals(wall.is()))) {
        once.add(wall);
      }
    }
    return once;
  }

  private record Values(Map<String, Long> of, String whose, boolean here) {}

  /** One for this host's values, one for each known set of values. */
  private List<Values> values(NumberRule rule) {
    List<Values> all = new ArrayList<>();
    Map<String, Long> here = here(rule);
    for (Values known : elsewhere(rule)) {
      boolean same = known.of.equals(here);
      all.add(new Values(known.of, known.whose + (same ? "; so is this host" : ""), same));
    }
    if (here != null && all.stream().noneMatch(Values::here)) {
      all.add(new Values(here, "this host", true));
    }
    return all;
  }

  private static List<Values> elsewhere(NumberRule rule) {
    List<Values> all = new ArrayList<>();
    for (Map<String, String> set : rule.elsewhere()) {
      Map<String, Long> values = new HashMap<>(rule.with());
      set.forEach(
          (name, value) -> {
            if (!name.equals(NumberRule.OF)) {
              values.put(name, Long.parseLong(value));
            }
          });
      all.add(new Values(values, set.getOrDefault(NumberRule.OF, "elsewhere"), false));
    }
    return all;
  }

  /**
   * The limits of a topic with known values alone, for a reader whose host is not known.
   *
   * @param besides as in {@link Stop}
   */
  record Known(long at, String arithmetic, String is, String of, String unit, boolean threads, long besides) {}

  static List<Known> known(Topic topic) {
    List<Known> all = new ArrayList<>();
    for (NumberRule rule : topic.numbers()) {
      for (Stop stop : rule.at()) {
        for (Values values : elsewhere(rule)) {
          Wall wall = wall(stop, new Asked(1, stop.isTime(), false), values);
          all.add(new Known(wall.at(), wall.arithmetic(), wall.is(), wall.of(), wall.unit(), stop.isOfThreads(), stop.besides()));
        }
      }
    }
    return all;
  }

  private @Nullable Map<String, Long> here(NumberRule rule) {
    Map<String, Long> values = new HashMap<>(rule.with());
    for (Map.Entry<String, String> source : rule.here().entrySet()) {
      Long value = host.read(source.getValue());
      if (value == null) {
        return null;
      }
      values.put(source.getKey(), value);
    }
    return rule.here().isEmpty() ? null : values;
  }

  private static Wall wall(Stop stop, Asked number, Values values) {
    return new Wall(
        number.value(), Formula.value(stop.stopsAt(), values.of), Formula.shown(stop.stopsAt(), values.of), stop.is(), values.whose,
        values.here,
        stop.isTime() ? "s" : "", number.threads() == stop.isOfThreads());
  }

  private static boolean explains(Wall wall, long besides) {
    long below = wall.at() - wall.asked();
    long rounded = (long) (wall.at() * ROUNDED);
    double above = wall.unit().isEmpty() ? 1 + wall.at() / 1_000.0 : 5 + wall.at() * LATE;
    return wall.at() > 0 && -below <= above && below <= Math.max(rounded, Math.min(besides, wall.at() / 8));
  }

  /**
   * A number that was given.
   *
   * @param value at least 1
   * @param seconds whether it is a time
   * @param threads whether threads were spoken of
   */
  record Asked(long value, boolean seconds, boolean threads) {}
}
