package echoladder.harness.incident;

import static echoladder.harness.incident.Amounts.count;

import echoladder.harness.common.TextTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What was found of a process, for people: the first line has what stops it, at how many connections, and the command. */
public final class ProcessText {
  /** Rows of a kind that a screen has room for. */
  private static final int MOST_ROWS = 5;

  private ProcessText() {}

  /**
   * The whole answer.
   *
   * @param explain whether the arithmetic and the page stand below each limit
   */
  public static List<String> lines(ProcessExamination found, boolean explain) {
    List<String> lines = new ArrayList<>();
    found.answer().forEach(sentence -> lines.addAll(sentence.lines().map(line -> lines.isEmpty() ? line : "  " + line).toList()));
    lines.add("");
    limits(found, explain, lines);
    ProcessLook look = found.process();
    lines.add("");
    lines.add("per connection: " + found.perConnection().words(look));
    lines.add("descriptors: " + kinds(look.descriptorKinds()));
    SocketUse sockets = look.sockets();
    lines.add(
        "TCP: %s accepted, %s connected out; %s; %s in TIME-WAIT in its network namespace"
            .formatted(count(sockets.accepted()), count(sockets.connecting()), kinds(sockets.states()), count(sockets.timeWait())));
    lines.add(
        "memory: %s resident, %s in the queues of its sockets; threads: %s; mappings: %s"
            .formatted(
                Amounts.bytes(look.rssBytes()), Amounts.bytes(sockets.memoryBytes()), count(look.threads()), count(look.mappings())));
    lines.add("control groups: " + String.join("; ", look.groups()));
    if (!look.identity().foreignNamespaces().isEmpty()) {
      lines.add("in namespaces of its own: " + String.join(", ", look.identity().foreignNamespaces()));
    }
    listeners(sockets, lines);
    destinations(sockets, lines);
    lines.add("");
    lines.add("a bound of the program itself is not seen from outside: runbooks/outside/programs.md");
    return lines;
  }

  private static void limits(ProcessExamination found, boolean explain, List<String> lines) {
    TextTable table = new TextTable().row(List.of("limit", "used", "of", "per connection", "stops at", "stops it"));
    for (Bound row : found.rows()) {
      table.row(
          List.of(
              row.limit(), Amounts.of(row.unit(), row.used()), Amounts.of(row.unit(), row.most()), each(row), stopsAt(row),
              row.state().words));
    }
    List<String> rows = table.lines();
    lines.add(rows.getFirst());
    for (int i = 0; i < found.rows().size(); i++) {
      lines.add(rows.get(i + 1));
      if (explain) {
        Bound row = found.rows().get(i);
        lines.add("    " + row.unit() + (row.subject() == null ? "" : ", " + row.subject()) + ": " + row.arithmetic());
        lines.add("    runbooks/symptoms/" + row.page() + ".md" + (row.lift().equals(Remedy.NONE) ? "" : "; to lift it: " + row.lift()));
      }
    }
  }

  private static String each(Bound row) {
    Double each = row.perConnection();
    if (each == null || row.unit().equals("bytes")) {
      return Amounts.bytes(each == null ? null : (Long) each.longValue());
    }
    return each < 0.1 && each > 0 ? "< 0.1" : PerConnection.number(each);
  }

  private static String stopsAt(Bound row) {
    return row.stopsAt() != null && row.stopsAt() == Amounts.ANY ? "-" : count(row.stopsAt());
  }

  private static String kinds(Map<String, Long> counts) {
    return counts.isEmpty()
        ? "none"
        : counts.entrySet().stream()
            .sorted(Map.Entry.<String, Long>comparingByValue().reversed().thenComparing(Map.Entry.comparingByKey()))
            .map(kind -> count(kind.getValue()) + " " + kind.getKey())
            .collect(Collectors.joining(", "));
  }

  private static void listeners(SocketUse sockets, List<String> lines) {
    List<Listener> shown = sockets.listeners().stream().limit(MOST_ROWS).toList();
    if (shown.isEmpty()) {
      return;
    }
    TextTable table = new TextTable().row(List.of("listens at", "waiting", "backlog", "dropped", ""));
    shown.forEach(
        listener ->
            table.row(
                List.of(
                    listener.address(), count(listener.waiting()), count(listener.backlog()), count(listener.drops()),
                    listener.full() ? "FULL" : "")));
    lines.add("");
    lines.addAll(table.lines());
    more(sockets.listeners().size(), shown.size(), lines);
  }

  private static void destinations(SocketUse sockets, List<String> lines) {
    List<Destination> shown = sockets.destinations().stream().limit(MOST_ROWS).toList();
    if (shown.isEmpty()) {
      return;
    }
    TextTable table = new TextTable().row(List.of("connects to", "connections", "ports taken", "from"));
    shown.forEach(to -> table.row(List.of(to.destination(), count(to.connections()), count(to.portsTaken()), to.source())));
    lines.add("");
    lines.addAll(table.lines());
    more(sockets.allDestinations(), shown.size(), lines);
  }

  private static void more(long all, int shown, List<String> lines) {
    if (all > shown) {
      lines.add("and " + count(all - shown) + " more, see --json");
    }
  }
}
