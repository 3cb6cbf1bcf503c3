package echoladder.harness.incident;

import static echoladder.harness.incident.Amounts.count;

import echoladder.harness.probe.Figure;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A process looked at again and again: a line per look, which stays to be read, with what has changed since the look before. */
public final class WatchLines {
  /** After so many lines the head is written again, so that one is on the screen. */
  private static final int LINES_PER_HEAD = 20;

  private @Nullable ProcessExamination before;
  private long lines;

  /**
   * The line of a look; the head above it and the command below it where they are due.
   *
   * @param time of the look, as it is to be shown
   */
  public String next(String time, ProcessExamination now) {
    StringBuilder text = new StringBuilder();
    if (lines++ % LINES_PER_HEAD == 0) {
      text.append(head()).append('\n');
    }
    ProcessExamination last = before == null ? now : before;
    Bound first = now.first();
    boolean other = before == null || !Objects.equals(name(first), name(last.first()));
    text.append(line(time, now, last));
    if (first != null && (other || first.state() != Objects.requireNonNullElse(last.first(), first).state())) {
      text.append("\n         to lift it: ").append(first.lift());
    }
    before = now;
    return text.toString();
  }

  private static @Nullable String name(@Nullable Bound bound) {
    return bound == null ? null : bound.limit();
  }

  private static String head() {
    return form("time", "connections", "descriptors", "threads", "mappings", "resident", "queue", "dropped", "stops at", "first");
  }

  private static String line(String time, ProcessExamination now, ProcessExamination before) {
    ProcessLook look = now.process();
    Bound first = now.first();
    Listener fullest = look.sockets().listeners().stream().findFirst().orElse(null);
    return form(
        time,
        count(now.connections()) + change(now.connections() - before.connections()),
        count(look.descriptors()) + " / " + count(look.limits().nofileSoft()),
        count(look.threads()),
        count(look.mappings()),
        Amounts.bytes(look.rssBytes()),
        fullest == null ? "-" : count(fullest.waiting()) + " / " + count(fullest.backlog()),
        dropped(look, before.process()),
        first == null ? "-" : count(first.stopsAt()),
        first == null ? "none" : first.limit() + (first.state() == Bound.State.STOPS_NOW ? " STOPS IT NOW" : ""));
  }

  /** By its own listeners since the look before; by all of its network namespace where the kernel does not tell of each. */
  private static String dropped(ProcessLook now, ProcessLook before) {
    boolean told = now.sockets().listeners().stream().anyMatch(listener -> listener.drops() != null);
    long all = told ? drops(now) : now.counters().getOrDefault(Figure.LISTEN_DROPS.column(), 0L);
    long earlier = told ? drops(before) : before.counters().getOrDefault(Figure.LISTEN_DROPS.column(), 0L);
    return count(Math.max(0, all - earlier));
  }

  private static long drops(ProcessLook look) {
    return look.sockets().listeners().stream().mapToLong(Listener::dropped).sum();
  }

  private static String change(long by) {
    return by == 0 ? "" : String.format(Locale.ROOT, " (%+,d)", by);
  }

  private static String form(Object... cells) {
    return String.format(Locale.ROOT, "%-8s %20s %19s %8s %8s %11s %15s %9s %10s  %s", cells);
  }
}
