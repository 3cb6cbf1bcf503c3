package echoladder.harness.report.table;

import echoladder.client.Reason;
import echoladder.client.ReasonCode;
import echoladder.harness.common.Units;
import echoladder.harness.metric.HostMetrics;
import echoladder.harness.metric.LoadMetrics;
import echoladder.harness.metric.Quoting;
import echoladder.harness.report.words.RungText;
import echoladder.harness.results.Attempt;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What a report says of tries that were excluded, and of waiting for a quiet host. */
public final class TriesText {
  private TriesText() {}

  /** Each excluded try with its reasons; no rows where every rung was measured once. */
  static Table table(RunRecord run) {
    Table table = new Table().words("rung").figures("try").words("reason", "what was seen");
    for (RungRecord rung : RungText.byServer(run)) {
      for (RungRecord excluded : rung.excluded()) {
        String before = afterAValidOne(rung, excluded) ? verdict(excluded) + "; a try before was valid: " : "";
        for (Reason doubt : why(excluded)) {
          table.row(RungText.where(run, rung), String.valueOf(excluded.number()), doubt.reason().id(), before + doubt.detail());
        }
      }
    }
    return table;
  }

  /** How many of each server the host disturbed, in a few words, with the reasons' names; empty = none. */
  public static String brief(RunRecord run) {
    return byServer(run, false, one -> why(one).stream().map(doubt -> doubt.reason().id()));
  }

  /** How many of each server were not valid after a valid one, in a few words, with their verdicts; empty = none. */
  public static String notValid(RunRecord run) {
    return byServer(run, true, one -> Stream.of(verdict(one)));
  }

  private static String byServer(RunRecord run, boolean afterAValidOne, Function<RungRecord, Stream<String>> words) {
    Map<String, List<RungRecord>> all = new LinkedHashMap<>();
    for (RungRecord rung : RungText.byServer(run)) {
      List<RungRecord> those = rung.excluded().stream().filter(one -> afterAValidOne(rung, one) == afterAValidOne).toList();
      all.merge(rung.server(), those, (a, b) -> Stream.concat(a.stream(), b.stream()).toList());
    }
    return all.entrySet().stream()
        .filter(server -> !server.getValue().isEmpty())
        .map(
            server ->
                "%s %d (%s)"
                    .formatted(
                        server.getKey(), server.getValue().size(),
                        server.getValue().stream().flatMap(words).distinct().collect(Collectors.joining(", "))))
        .collect(Collectors.joining(", "));
  }

  /** Whether an excluded try was not valid, and a try of its rung before it was: it had no figure to give. */
  private static boolean afterAValidOne(RungRecord rung, RungRecord excluded) {
    return !excluded.valid() && rung.tries().stream().anyMatch(one -> one.number() < excluded.number() && one.valid());
  }

  private static String verdict(RungRecord excluded) {
    return Objects.requireNonNull(excluded.load()).verdict().id();
  }

  /** Why a try was excluded: its reasons, those that were set aside, and the speed of the host. */
  private static List<Reason> why(RungRecord excluded) {
    List<Reason> why = new ArrayList<>(Objects.requireNonNull(excluded.load()).verdictReasons());
    why.addAll(excluded.aside());
    Double speed = HostMetrics.HOST_SPEED.value(excluded);
    if (speed != null && Quoting.offSpeed(LoadMetrics.SERVER_CPU, excluded) > 0) {
      why.add(new Reason(ReasonCode.HOST_TOO_NOISY, "the host's speed was %s of the run's median".formatted(Units.times(speed))));
    }
    return why;
  }

  /** How long it was waited for a quiet host, and how often for nothing; empty = it was not waited for. */
  public static String waited(RunRecord run) {
    List<Attempt.Waited> all =
        run.rungs().stream()
            .flatMap(rung -> Stream.concat(rung.excluded().stream(), Stream.of(rung)))
            .map(RungRecord::attempt)
            .filter(Objects::nonNull)
            .map(Attempt::waited)
            .filter(Objects::nonNull)
            .toList();
    if (all.isEmpty()) {
      return "";
    }
    Duration waited = Duration.ofMillis(Math.round(all.stream().mapToDouble(Attempt.Waited::seconds).sum() * 1e3));
    long not = all.stream().filter(one -> !one.quiet()).count();
    return "Waited for a quiet host: %s in all (minutes:seconds), before %d of %d measurements. %s"
        .formatted(
            Units.clock(waited), all.stream().filter(one -> one.seconds() > 0).count(), all.size(),
            not == 0 ? "Each began on a quiet host."
                : "%d began although the host was not quiet, as the time allowed was over.".formatted(not));
  }
}
