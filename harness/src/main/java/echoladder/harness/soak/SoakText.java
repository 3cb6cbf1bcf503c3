package echoladder.harness.soak;

import echoladder.harness.common.TextTable;
import echoladder.harness.common.Units;
import echoladder.harness.metric.Unit;
import echoladder.harness.report.page.Page;
import echoladder.harness.report.plot.Across;
import echoladder.harness.report.plot.Panel.Line;
import echoladder.harness.report.plot.Panel.Mark;
import echoladder.harness.report.plot.Panel.Style;
import echoladder.harness.report.plot.Panel;
import echoladder.harness.report.plot.Series;
import echoladder.harness.report.table.Table;
import echoladder.harness.stats.Spread;
import java.util.ArrayList;
import java.util.List;

/** A soak in words, tables and a plot per server. Pure. */
public final class SoakText {
  private SoakText() {}

  static String plotFile(ServerSoak server) {
    return server.server() + ".svg";
  }

  /** A line for each figure over the time, and its bound. */
  static String plot(ServerSoak server) {
    List<Panel> panels = new ArrayList<>();
    for (Drift drift : server.drifts()) {
      Watched watched = drift.watched();
      List<Mark> marks = new ArrayList<>();
      for (SoakSample sample : server.samples()) {
        Long value = watched.of(sample);
        if (value != null) {
          marks.add(mark(sample, value));
        }
      }
      List<Mark> bound = List.of(mark(server.samples().getFirst(), drift.bound()), mark(server.samples().getLast(), drift.bound()));
      List<Line> lines = List.of(new Line(0, "", Style.CURVE, marks), new Line(1, "", Style.DASHED, bound));
      panels.add(new Panel(Character.toUpperCase(watched.words().charAt(0)) + watched.words().substring(1), watched.unit(), false,
          Across.time(), lines));
    }
    return Page.svg("What " + server.server() + " held over its soak", panels, Series.named(List.of(server.server(), "bound")));
  }

  private static Mark mark(SoakSample at, double value) {
    return Mark.of((int) Math.round(at.seconds() * 1e3), Spread.of(List.of(value)));
  }

  static String markdown(Soak soak) {
    StringBuilder out = new StringBuilder("# Soak: %s each%n%n".formatted(soak.length()));
    if (soak.servers().stream().anyMatch(name -> !name.equals(SoakRun.LADDER))) {
      out.append("Each server carried %s connections of the embedded client, ".formatted(Unit.COUNT.text(soak.connections())))
          .append("of which a tenth sent and a hundredth per second was replaced.\n")
          .append("Beside them came slow readers, resets, half-closes and scrapes. ");
    }
    out.append("`start` and `end` are the medians of the first and the last\n")
        .append("quarter of the samples; each sample comes after a collection.\n");
    soak.done().stream().filter(server -> server.rungs() != null)
        .map(server -> "%nThe ladder itself climbed %s short rungs, and was sampled after each of them.%n".formatted(text(server.rungs())))
        .forEach(out::append);
    Table table = new Table().words("server", "figure").figures("start", "end", "bound", "samples").words("held");
    for (ServerSoak server : soak.done()) {
      for (Drift drift : server.drifts()) {
        Unit unit = drift.watched().unit();
        table.row(
            server.server(), drift.watched().words(), unit.text(drift.start()), unit.text(drift.end()), unit.text(drift.bound()),
            String.valueOf(drift.samples()), drift.held() ? "yes" : "**no**");
      }
    }
    out.append("\n## What grew\n\n").append(table.markdown()).append('\n');
    Table visits = new Table().words("server").figures("slow readers", "resets", "half-closes", "scrapes", "failed");
    for (ServerSoak server : soak.done().stream().filter(of -> of.rungs() == null).toList()) {
      ServerSoak.Visits of = server.visits();
      visits.row(
          server.server(), text(of.slowReaders()), text(of.resets()),
          of.halfCloses() == null ? Units.NONE : text(of.halfCloses()), text(of.scrapes()), text(of.failed()));
    }
    if (soak.done().stream().anyMatch(server -> server.rungs() == null)) {
      out.append("\n## Visits beside the load\n\n").append(visits.markdown()).append('\n');
    }
    if (soak.done().stream().anyMatch(server -> server.visits().halfCloses() == null)) {
      out.append("\nNobody half-closed where server.yaml says that bytes before a FIN may be lost (`cannot`).\n");
    }
    List<String> wrong = wrong(soak);
    if (!wrong.isEmpty()) {
      out.append("\n## What went wrong\n\n");
      wrong.forEach(line -> out.append("- ").append(line).append('\n'));
    }
    if (!soak.left().isEmpty()) {
      out.append("\nNot soaked yet: ").append(String.join(", ", soak.left())).append(".\n");
    }
    out.append("\n## Over time\n\n");
    soak.done().stream().filter(server -> !server.drifts().isEmpty())
        .forEach(server -> out.append("![%s](%s)%n".formatted(server.server(), plotFile(server))));
    return out.append("\nAgain: `").append(soak.reproduce()).append("`\n").toString();
  }

  private static String text(long count) {
    return Units.count(count);
  }

  private static List<String> wrong(Soak soak) {
    List<String> all = new ArrayList<>();
    for (ServerSoak server : soak.done()) {
      server.wrong().forEach(line -> all.add(server.server() + ": " + line));
    }
    return all;
  }

  /** For the terminal: a row for each server, then what grew beyond its bound or went wrong. */
  public static String terminal(Soak soak) {
    TextTable table = new TextTable().row(List.of("server", "samples", "visits", "held"));
    List<String> lines = new ArrayList<>();
    for (ServerSoak server : soak.done()) {
      ServerSoak.Visits visits = server.visits();
      Integer rungs = server.rungs();
      String what = rungs == null ? text(visits.paid()) : text(rungs) + " rungs";
      table.row(List.of(server.server(), text(server.samples().size()), what, server.held() ? "yes" : "no"));
      server.drifts().stream().filter(drift -> !drift.held()).forEach(drift -> lines.add(server.server() + ": " + drift.text()));
    }
    lines.addAll(wrong(soak));
    List<String> out = new ArrayList<>(table.lines());
    out.addAll(lines);
    if (!soak.left().isEmpty()) {
      out.add("not soaked yet: " + String.join(", ", soak.left()));
    }
    return String.join("\n", out) + "\n";
  }
}
