package echoladder.harness.report.table;

import echoladder.harness.common.Units;
import echoladder.harness.metric.LoadMetrics;
import echoladder.harness.report.words.RungText;
import echoladder.harness.results.ProfileRecord;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungKey;
import echoladder.harness.results.RungRecord;
import echoladder.harness.results.RungRepeats;
import echoladder.harness.study.Profile;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

/** What profilers saw in the extra repeats of a run. */
final class ProfileTables {
  /** What happens less often than once in so many echoes of every server is left out. */
  private static final double LEAST_PER_ECHO = 0.01;

  private ProfileTables() {}

  /** System calls or events by name, a column for each server; no rows of a run without such profiles. */
  static Table counts(RunRecord run, Profile.Kind kind) {
    List<ProfileRecord> all = run.profiles().stream().filter(of -> of.kind() == kind && of.watched() != null).toList();
    List<String> servers = run.servers().stream().map(RunRecord.ServerRecord::label)
        .filter(label -> all.stream().anyMatch(of -> of.rung().server().equals(label))).toList();
    Table table = new Table().words(kind == Profile.Kind.SYSCALLS ? "system call" : "event").figures(RungText.heads(run)).figures(servers);
    for (RungKey load : loads(all)) {
      for (String name : names(all, load)) {
        List<String> cells = new ArrayList<>(List.of(name));
        cells.addAll(cells(run, load));
        servers.forEach(server -> cells.add(count(all, load.of(server), name)));
        table.row(cells);
      }
    }
    return table;
  }

  private static List<String> cells(RunRecord run, RungKey load) {
    String connections = Units.count(load.connections());
    return !RungText.severalRates(run) ? List.of(connections)
        : List.of(connections, load.ratePerS() == null ? Units.NONE : Units.plain(load.ratePerS()));
  }

  /** Connections and rates, ascending, whoever's. */
  private static List<RungKey> loads(List<ProfileRecord> all) {
    return all.stream()
        .map(of -> of.rung().key().of("").repeat(1))
        .distinct()
        .sorted(Comparator.comparingInt(RungKey::connections).thenComparingDouble(key -> Objects.requireNonNullElse(key.ratePerS(), 0.0)))
        .toList();
  }

  private static List<String> names(List<ProfileRecord> all, RungKey load) {
    return all.stream()
        .filter(of -> of.rung().key().of("").repeat(1).equals(load))
        .flatMap(of -> Objects.requireNonNull(of.watched()).counts().stream())
        .filter(count -> count.perEcho() >= LEAST_PER_ECHO)
        .map(ProfileRecord.Count::name)
        .distinct()
        .sorted()
        .toList();
  }

  private static String count(List<ProfileRecord> all, RungKey key, String name) {
    Optional<ProfileRecord> of = all.stream().filter(one -> one.rung().key().repeat(1).equals(key)).findFirst();
    if (of.isEmpty()) {
      return Units.NONE;
    }
    Optional<ProfileRecord.Count> count = of.get().count(name);
    String text = number(count.map(ProfileRecord.Count::perEcho).orElse(0.0));
    Double failed = count.map(ProfileRecord.Count::failedPerEcho).orElse(null);
    return failed == null || failed < LEAST_PER_ECHO ? text : "%s (%s failed)".formatted(text, number(failed));
  }

  private static String number(double perEcho) {
    return perEcho < LEAST_PER_ECHO ? "0" : String.format(Locale.ROOT, "%.2f", perEcho);
  }

  /** A row for each extra repeat: how long it was watched, and what watching cost. */
  static Table watched(RunRecord run) {
    Table table =
        new Table().words("server").figures(RungText.heads(run)).words("profile")
            .figures("watched", "CPU per echo while watched", "while not").words("verdict");
    for (ProfileRecord of : run.profiles()) {
      RungRecord rung = of.rung();
      List<String> cells = new ArrayList<>(List.of(rung.server()));
      cells.addAll(cells(run, rung.key()));
      cells.add(of.kind().id());
      cells.add(of.watched() == null ? Units.NONE : "%.1f s".formatted(of.watched().seconds()));
      cells.add(Units.us(LoadMetrics.SERVER_CPU.value(rung)));
      cells.add(unwatched(run, rung));
      cells.add(of.problem() != null ? of.problem() : rung.load() == null ? String.valueOf(rung.statusReason())
          : new RungText(rung).verdict());
      table.row(cells);
    }
    return table;
  }

  private static String unwatched(RunRecord run, RungRecord rung) {
    return RungRepeats.of(run.rungs()).stream()
        .filter(repeats -> repeats.any().key().repeat(1).equals(rung.key().repeat(1)))
        .findFirst()
        .map(repeats -> new RungText(repeats, true).of(LoadMetrics.SERVER_CPU))
        .orElse(Units.NONE);
  }
}
