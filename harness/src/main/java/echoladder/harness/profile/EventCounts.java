package echoladder.harness.profile;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/** What {@code perf stat -x,} printed: a line for each event, its value first. Pure. */
public final class EventCounts {
  private static final Pattern VALUE = Pattern.compile("\\d{1,18}(\\.\\d{1,9})?");

  private EventCounts() {}

  /**
   * Reads it.
   *
   * @return the events that this host counts, by their names in perf's order; a time is in ms, as perf gives it
   * @throws IllegalArgumentException where no line is of an event
   */
  public static Map<String, Double> parse(String text) {
    Map<String, Double> counts = new LinkedHashMap<>();
    boolean any = false;
    for (String line : text.lines().toList()) {
      String[] cells = line.split(",", -1);
      if (line.startsWith("#") || cells.length < 4) {
        continue;
      }
      any = true;
      // <not counted> or <not supported> in place of a value: this host has no such counter.
      if (VALUE.matcher(cells[0]).matches()) {
        counts.merge(cells[2], Double.valueOf(cells[0]), Double::sum);
      }
    }
    if (!any) {
      throw new IllegalArgumentException("perf stat printed no event: " + text.lines().findFirst().orElse("nothing"));
    }
    return counts;
  }
}
