package echoladder.harness.report.words;

import echoladder.client.LoadResult;
import echoladder.client.figures.StagedFigures.RequestFigures;
import echoladder.client.figures.StagedFigures.Span;
import echoladder.client.figures.StagedFigures.Times;
import echoladder.client.figures.StagedFigures;
import echoladder.harness.common.Units;
import echoladder.harness.results.RungRecord;
import echoladder.harness.study.StagedUsers;
import echoladder.harness.study.Study;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The cells of users in stages, as every table shows them. A closed loop has service times, and they say so. */
public final class StagedText {
  private StagedText() {}

  /** Whether those figures are of a closed loop. */
  public static boolean closed(StagedFigures figures) {
    return figures.loop().equals("closed");
  }

  /** What the times of a table are that gives one kind for each loop. */
  public static String time(StagedFigures figures) {
    return closed(figures) ? "service" : "response";
  }

  public static Times times(StagedFigures figures, RequestFigures of) {
    return closed(figures) ? of.serviceTime() : of.responseTime();
  }

  /** Mean, p50, p90, p95, maximum; with ≥ where part of the requests was never answered. */
  public static List<String> cells(RequestFigures of, Times times) {
    return List.of(
        cell(of, 0, times.meanNs()),
        cell(of, 50, times.p50Ns()),
        cell(of, 90, times.p90Ns()),
        cell(of, 95, times.p95Ns()),
        cell(of, 100, times.maxNs()));
  }

  /** A mean has every unanswered request in it, so it is a lower bound as soon as there is one: percentile 0. */
  private static String cell(RequestFigures of, double percentile, @Nullable Long ns) {
    Double beyond = of.lowerBoundBeyond();
    boolean least = beyond != null && (percentile == 0 || percentile > beyond);
    return ns == null ? Units.NONE : (least ? "≥ " : "") + Units.time(ns);
  }

  public static String perS(double perS) {
    return String.format(Locale.ROOT, perS < 99.95 ? "%.1f" : "%,.0f", perS);
  }

  /** The ceiling of that many kinds of requests, of all of a span. */
  public static double ceiling(Span span, RequestFigures of) {
    int kinds = span.requests().size() - 1;
    return of.request().equals(Span.ALL) ? span.ceilingPerS() : span.ceilingPerS() / kinds;
  }

  /** How many, and of which kinds: {@code 12 (10 late, 2 unanswered)}. */
  public static String errors(RequestFigures of) {
    if (of.errors() == 0) {
      return "0";
    }
    List<String> kinds = new ArrayList<>();
    kind(kinds, of.late(), "late");
    kind(kinds, of.wrongStatus(), "wrong status");
    kind(kinds, of.wrongBody(), "wrong body");
    kind(kinds, of.failed(), "failed");
    kind(kinds, of.unanswered(), "unanswered");
    return Units.count(of.errors()) + " (" + String.join(", ", kinds) + ")";
  }

  private static void kind(List<String> into, long n, String name) {
    if (n > 0) {
      into.add(Units.count(n) + " " + name);
    }
  }

  /** {@code 0 to 100}. */
  public static String users(Span span) {
    return Units.count(span.usersFrom()) + " to " + Units.count(span.usersTo());
  }

  /** One measurement in a sentence. */
  public static String sentence(RungRecord rung) {
    StagedFigures figures = rung.staged();
    Span whole = figures == null ? null : figures.whole();
    if (figures == null || whole == null) {
      return "no stage was begun";
    }
    RequestFigures all = whole.all();
    String times =
        whole.requests().stream()
            .filter(r -> !r.request().equals(Span.ALL))
            .map(r -> r.request() + " p95 " + cells(r, times(figures, r)).get(3))
            .collect(Collectors.joining(", "));
    return "%s loop: %s requests/s of %s %s, %s time %s, %s"
        .formatted(
            figures.loop(),
            perS(all.achievedPerS()),
            closed(figures) ? "at most" : "intended",
            perS(whole.ceilingPerS()),
            time(figures),
            times,
            all.errors() == 1 ? "1 error" : Units.count(all.errors()) + " errors");
  }

  /** The load in one sentence. */
  public static String load(Study study, StagedUsers users) {
    String requests =
        users.requests().stream()
            .map(r -> "GET " + r.path() + " (" + r.name() + ")")
            .collect(Collectors.joining(" and "));
    String stages =
        users.stages().stream()
            .map(s -> "%,d within %s".formatted(s.users(), Units.clock(Duration.ofNanos(s.overNs()))))
            .collect(Collectors.joining(", "));
    return ("users who each ask for %s at once, on a connection each, wait for the answers, pause %s, and ask again; their number goes"
        + " evenly from 0 to %s (minutes:seconds%s); an answer after %s is an error; seed %d.")
        .formatted(
            requests,
            Units.time(users.pauseNs()),
            stages,
            users.stageScale() == 1 ? "" : ", the study's times " + users.stageScale(),
            Units.time(users.answerWithinNs()),
            study.load().seed());
  }

  /** The client's own condition: worst hiccup, late sends, lateness, CPU, collections. */
  public static List<String> instrument(LoadResult load) {
    double late = load.messages().scheduled() == 0 ? 0 : (double) load.messages().lateSends() / load.messages().scheduled();
    Double cpu = load.cost().clientCpuUsPerEcho();
    return List.of(
        Units.time(load.hiccup().maxNs()),
        Units.percent(late),
        Units.time(load.times().sendLateness().p99Ns()),
        Units.us(cpu),
        cpu == null ? Units.NONE : Units.percent((Double) (cpu * load.pace().achievedPerS() / 1e6)),
        Units.time(load.condition().clientGcPauseMaxNs()),
        Units.us(load.cost().serverCpuUsPerEcho()));
  }
}
