package echoladder.harness.report.table;

import echoladder.client.Reason;
import echoladder.harness.common.Units;
import echoladder.harness.metric.HostMetrics;
import echoladder.harness.metric.LoadMetrics;
import echoladder.harness.metric.Metric;
import echoladder.harness.metric.RecordMetrics;
import echoladder.harness.metric.ServerTimes;
import echoladder.harness.metric.Shown;
import echoladder.harness.metric.Times;
import echoladder.harness.report.words.RungText;
import echoladder.harness.results.CapacityRecord;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord;
import echoladder.harness.study.Study;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What a report says of the highest rates that servers held. */
public final class CapacityText {
  private CapacityText() {}

  /** A run as its tables and plots show it: of a capacity search the tries at the highest rate held alone, one for each search. */
  public static RunRecord shown(RunRecord run) {
    return run.study().capacity() == null
        ? run
        : run.with(run.capacity().stream().flatMap(row -> held(run, row).stream()).toList());
  }

  private static Optional<RungRecord> held(RunRecord run, CapacityRecord row) {
    return row.held().flatMap(one -> row.rung(one, run.rungs()));
  }

  /** By server, ascending, as a ladder is read. */
  private static List<CapacityRecord> rows(RunRecord run) {
    List<CapacityRecord> rows = new ArrayList<>();
    run.servers().forEach(server -> run.capacity().stream().filter(row -> row.server().equals(server.label())).forEach(rows::add));
    return rows;
  }

  /** The interval of each search with figures of the try at its lower end; no rows of any other study. */
  public static Table table(RunRecord run, boolean brief) {
    Table table =
        new Table()
            .words("server")
            .figures(
                "connections", RecordMetrics.CAPACITY_HELD.words().brief(), RecordMetrics.CAPACITY_NOT_HELD.words().brief(),
                Shown.P99.column(),
                LoadMetrics.SERVER_CPU.words().brief(), "server's idle CPU")
            .words(brief ? "gave way" : "what gave way");
    for (CapacityRecord row : rows(run)) {
      RungRecord held = held(run, row).orElse(null);
      table.row(
          row.server(), Units.count(row.connections()), heldText(row), notHeldText(row), figure(held, Shown.P99),
          figure(held, LoadMetrics.SERVER_CPU), idle(held), why(row, !brief));
    }
    return table;
  }

  private static @Nullable String figure(@Nullable RungRecord rung, Metric figure) {
    return rung == null ? null : new RungText(rung).of(figure);
  }

  /** Idle share of the server's own processors; where both sides share them, of the host's. */
  private static @Nullable String idle(@Nullable RungRecord rung) {
    if (rung == null) {
      return null;
    }
    Double own = HostMetrics.SERVER_CPUS_IDLE_SHARE.value(rung);
    Double host = HostMetrics.IDLE_SHARE.value(rung);
    return own != null ? Units.percent(own) : host == null ? null : Units.percent(host) + " of the host's";
  }

  private static @Nullable String heldText(CapacityRecord row) {
    return row.capacityHeldPerS() == null
        ? null
        : (row.atLeast() == null ? "" : "≥ ") + perS(row.capacityHeldPerS()) + (row.confirmed() ? "" : " (not confirmed)");
  }

  private static @Nullable String notHeldText(CapacityRecord row) {
    String undecided = row.undecidedPerS() == null ? "" : " (undecided at " + perS(row.undecidedPerS()) + ")";
    return row.capacityNotHeldPerS() == null
        ? undecided.isEmpty() ? null : Units.NONE + undecided
        : perS(row.capacityNotHeldPerS()) + undecided;
  }

  private static String perS(double rate) {
    return "%s/s".formatted(rate >= 100 ? Units.count(Math.round(rate)) : Units.plain(rate));
  }

  private static String why(CapacityRecord row, boolean details) {
    String gave = row.gaveWay().stream().map(doubt -> details ? said(doubt) : doubt.reason().id())
        .collect(Collectors.joining(details ? "; " : ", "));
    String behind = gave.isEmpty() ? "" : ": " + gave;
    return switch (row.end()) {
      case FOUND, FIRST_RATE -> gave;
      case MOST_RATE -> "nothing up to the study's most rate";
      case UNDECIDED -> "undecided" + behind;
      case MOST_TRIES -> "the study's most tries were made" + behind;
      case UNFINISHED -> "the search did not come to its end" + behind;
    };
  }

  private static String said(Reason doubt) {
    return doubt.reason().id() + ": " + doubt.detail();
  }

  /** What "held" means in a run: of server times, in one without stamps of response times. */
  public static String bound(RunRecord run) {
    return bound(run.study(), ServerTimes.of(run.rungs()));
  }

  /** What "held" means in a run that is to be made. */
  public static String bound(Study study) {
    return bound(study, LoadMetrics.SERVER_TIME);
  }

  private static String bound(Study study, Times kind) {
    return "A rate%s is held where %s p99 is at most %s, nothing is lost and %s %% of the rate is achieved."
        .formatted(
            study.pushes() ? ", in " + study.rateUnit() + "," : "", kind.label(), Units.time(study.bounds().responseTimeP99Ns()),
            Units.plain(100 * study.thresholds().achievedShareLeast()));
  }

  /** Each rate that is a lower bound, with why. */
  public static List<String> lowerBounds(RunRecord run) {
    return rows(run).stream()
        .filter(row -> row.atLeast() != null)
        .map(row -> "%s, %s connections: at least, as %s.".formatted(row.server(), Units.count(row.connections()), row.atLeast()))
        .toList();
  }

  /** Every try of every search. */
  static Table tries(RunRecord run) {
    Table table = new Table().words("server").figures("connections", "try", "rate", "steady state").words("showed", "why");
    long steadyNs = run.study().phases().steadyNs();
    for (CapacityRecord row : rows(run)) {
      int number = 0;
      for (CapacityRecord.Try one : row.tries()) {
        table.row(
            row.server(), Units.count(row.connections()), String.valueOf(++number), perS(one.ratePerS()),
            Units.time(steadyNs * one.length()), one.outcome().name().toLowerCase(Locale.ROOT).replace('_', ' '),
            one.why().stream().map(CapacityText::said).collect(Collectors.joining("; ")));
      }
    }
    return table;
  }

  /** The answer in sentences. */
  public static String summary(RunRecord run) {
    List<String> sentences = new ArrayList<>();
    for (CapacityRecord row : rows(run)) {
      sentences.add("**%s** at %s connections %s.".formatted(row.server(), Units.count(row.connections()), found(row)));
    }
    return sentences.isEmpty() ? "Nothing was measured." : String.join(" ", sentences);
  }

  private static String found(CapacityRecord row) {
    Double not = row.capacityNotHeldPerS();
    if (row.capacityHeldPerS() == null) {
      return not == null ? "has no rate that was decided" : "did not hold the first rate, " + perS(not);
    }
    return "held %s%s%s"
        .formatted(
            row.atLeast() == null ? "" : "at least ", perS(row.capacityHeldPerS()),
            row.atLeast() != null || not == null ? "" : " and not " + perS(not));
  }

  /** The line of a try, for a terminal: what it showed, and what so far is known. */
  public static String progress(CapacityRecord row) {
    CapacityRecord.Try last = row.tries().getLast();
    String showed =
        switch (last.outcome()) {
          case HELD -> "held";
          case LOST -> "not held";
          case TOO_SLOW -> "above the bound";
          case UNDECIDED -> "undecided";
        };
    String why = last.why().stream().map(CapacityText::said).collect(Collectors.joining("; "));
    String known =
        "held %s, not held %s"
            .formatted(Objects.requireNonNullElse(heldText(row), Units.NONE), Objects.requireNonNullElse(notHeldText(row), Units.NONE));
    return "%s%s%s: %s%s [%s]"
        .formatted(
            perS(last.ratePerS()), last.repeat() == 1 ? "" : ", try " + last.repeat(), last.length() == 1 ? ""
                : ", " + last.length() + " times as long",
            showed, why.isEmpty() ? "" : ": " + why, known);
  }
}
