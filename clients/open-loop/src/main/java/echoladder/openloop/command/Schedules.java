package echoladder.openloop.command;

import echoladder.client.Schedule;
import java.util.Arrays;
import java.util.Iterator;

/** The ids of all schedules, for help and completion. */
final class Schedules implements Iterable<String> {
  @Override
  public Iterator<String> iterator() {
    return Arrays.stream(Schedule.values()).map(Schedule::id).iterator();
  }
}
