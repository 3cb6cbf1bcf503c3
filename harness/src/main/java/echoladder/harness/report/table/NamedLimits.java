package echoladder.harness.report.table;

import static java.util.stream.Collectors.joining;

import echoladder.client.LoadResult;
import echoladder.client.ReasonCode;
import echoladder.harness.common.Units;
import echoladder.harness.limits.KnownLimit;
import echoladder.harness.probe.Figure;
import echoladder.harness.results.LimitsRecord;
import echoladder.harness.results.NamedLimit;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord;
import echoladder.harness.study.Study;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Lists each server whose climb a study expects to end at a limit: what was lowered, what server, client and kernel showed, and
 * who named which limit. Pure.
 */
public final class NamedLimits {
  private static final int MOST_COUNTS = 4;
  private static final int MOST_WORDS = 160;

  private NamedLimits() {}

  /** Whether the study expects any. */
  public static boolean any(RunRecord run) {
    return !NamedLimit.of(run).isEmpty();
  }

  /**
   * A row of the report.
   *
   * @param label of the entry that expects the limit
   * @param lowered its value there
   * @param server whose climb it is
   * @param reached of the connections of the last rung that was measured
   * @param because what the verdict's limit follows from
   */
  public record Line(String label, String lowered, String server, String reached, Showed showed, Named named, List<String> because) {}

  /** What server, client and kernel showed. */
  record Showed(String server, String client, String kernel) {
    static final Showed NOTHING = new Showed(Units.NONE, Units.NONE, Units.NONE);
  }

  /**
   * Who named which limit.
   *
   * @param right for a column: yes, NO, or why there is nothing to compare
   */
  record Named(String byVerdict, String byDoctor, String right) {}

  public static List<Line> of(RunRecord run) {
    return NamedLimit.of(run).stream().map(named -> line(run, named)).toList();
  }

  private static Line line(RunRecord run, NamedLimit named) {
    String lowered =
        run.study().entry(named.label()).map(NamedLimits::lowered).filter(words -> !words.isEmpty()).orElse("nothing");
    String server =
        run.server(named.label()).map(RunRecord.ServerRecord::name).orElse("");
    RungRecord rung = named.rung();
    if (rung == null) {
      String why =
          run.rungs().stream()
              .filter(r -> r.server().equals(named.label()) && r.statusReason() != null)
              .map(r -> String.valueOf(r.statusReason()))
              .findFirst()
              .orElse("it was not climbed");
      return new Line(
          named.label(), lowered, server, Units.NONE, Showed.NOTHING, new Named(Units.NONE, Units.NONE, "not lowered: " + why), List.of());
    }
    LoadResult load = rung.load();
    LimitsRecord limits = rung.limits();
    return new Line(
        named.label(),
        lowered,
        server,
        reached(rung) + " of " + rung.key().load(),
        new Showed(
            limits == null || limits.serverSaid().isEmpty() ? "nothing" : shortened(String.join("; ", limits.serverSaid())),
            load == null ? Units.NONE : clientSaid(load),
            limits == null ? Units.NONE : kernel(limits)),
        new Named(
            name(named.byVerdict()),
            named.byDoctor() != null ? named.byDoctor() : named.expected().ofTheDoctor() ? "none" : "cannot see it",
            named.right() ? "yes" : "NO, it is " + named.expected().id()),
        limits == null || limits.met().isEmpty() ? List.of() : limits.met().getFirst().because());
  }

  private static String lowered(Study.Entry entry) {
    String options = entry.options().entrySet().stream().map(option -> option.getKey() + " = " + option.getValue()).collect(joining(", "));
    return Stream.of(entry.settings().words(), options).filter(words -> !words.isEmpty()).collect(joining(", "));
  }

  private static String name(@Nullable KnownLimit limit) {
    return limit == null ? "none" : limit.id();
  }

  /** A client that gave no result has counted nothing. */
  private static String reached(RungRecord rung) {
    LoadResult load = rung.load();
    return load == null || rung.has(ReasonCode.CLIENT_DIED) ? Units.NONE : Units.count(load.connections().established());
  }

  private static String clientSaid(LoadResult load) {
    String failures = load.verdictReasons().stream()
        .filter(doubt -> doubt.reason() == ReasonCode.CLIENT_DIED)
        .map(doubt -> doubt.detail())
        .collect(joining("; "));
    String errors = load.errors().entrySet().stream().map(e -> "%,d x %s".formatted(e.getValue(), e.getKey())).collect(joining(", "));
    String all = errors + (errors.isEmpty() || failures.isEmpty() ? "" : "; ") + failures;
    return all.isEmpty() ? "nothing" : shortened(all);
  }

  /** Refusals first, then what was used up. Counts that any load changes are left to run.json. */
  private static String kernel(LimitsRecord limits) {
    List<String> told = new ArrayList<>();
    for (Figure.Tells tells : List.of(Figure.Tells.REFUSED, Figure.Tells.USED_UP, Figure.Tells.LEFT_OVER)) {
      for (Figure figure : Figure.values()) {
        LimitsRecord.Count count = limits.kernel().get(figure.column());
        if (figure.tells() == tells && count != null) {
          told.add("%s %s → %s".formatted(figure.column(), number(count.before()), number(count.most())));
        }
      }
    }
    return told.isEmpty() ? "nothing" : String.join(", ", told.subList(0, Math.min(told.size(), MOST_COUNTS)));
  }

  private static String number(@Nullable Long n) {
    return n == null ? Units.NONE : Units.count(n);
  }

  private static String shortened(String text) {
    return text.length() <= MOST_WORDS ? text : text.substring(0, MOST_WORDS) + "...";
  }

  public static Table table(RunRecord run) {
    Table table =
        new Table()
            .words("limit lowered", "value", "server")
            .figures("connections reached")
            .words("the server said", "the client said", "kernel counters, before → most", "verdict's limit", "doctor's limit", "right");
    for (Line line : of(run)) {
      Showed showed = line.showed();
      Named named = line.named();
      table.row(
          line.label(), line.lowered(), line.server(), line.reached(), showed.server(), showed.client(), showed.kernel(),
          named.byVerdict(), named.byDoctor(), named.right());
    }
    return table;
  }

  /** In one sentence. */
  public static String sentence(RunRecord run) {
    List<NamedLimit> all = NamedLimit.of(run);
    long right = all.stream().filter(NamedLimit::right).count();
    long not = all.stream().filter(named -> named.rung() == null).count();
    long unseen = all.stream().filter(named -> !named.expected().ofTheDoctor()).count();
    String whom = unseen == all.size() ? "by the verdict" : "by the verdict and by the doctor";
    return "%d of %d limits were named rightly, %s%s%s."
        .formatted(
            right, all.size(), whom, unseen == 0 ? "" : "; the doctor cannot see %d of them".formatted(unseen),
            not == 0 ? "" : "; %d could not be lowered here".formatted(not));
  }
}
