package echoladder.harness.report.text;

import echoladder.harness.compare.Pool;
import echoladder.harness.compare.ProcessGroups;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungKey;
import echoladder.harness.stats.Interval;
import echoladder.harness.stats.Spread;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * Several runs as one sample, as JSON: of each ratio every run's own is beside that over runs. Values are in the units of the figures'
 * names.
 */
public final class PoolFile {
  private PoolFile() {}

  /** The file's text. */
  public static String of(Pool pool) {
    Map<String, Object> file = new LinkedHashMap<>();
    file.put("schema_version", 1);
    file.put("runs", pool.runs().stream().map(PoolFile::run).toList());
    file.put("hosts", pool.hosts().stream().map(PoolFile::host).toList());
    file.put("ratios", pool.rows().stream().map(PoolFile::ratio).toList());
    file.put("groups", pool.hosts().stream().flatMap(host -> host.groups().all().stream()).map(PoolFile::groups).toList());
    return JsonMapper.shared().writerWithDefaultPrettyPrinter().writeValueAsString(file) + "\n";
  }

  private static Map<String, Object> run(RunRecord run) {
    Map<String, Object> of = new LinkedHashMap<>();
    of.put("run_id", run.runId());
    of.put("study", run.study().name());
    of.put("started_at", run.startedAt());
    of.put("reproduce", run.reproduce());
    return of;
  }

  private static Map<String, Object> host(Pool.Host host) {
    Map<String, Object> of = new LinkedHashMap<>();
    of.put("run_ids", host.runs().stream().map(RunRecord::runId).toList());
    of.put("fingerprint", host.fingerprint().facts());
    return of;
  }

  private static Map<String, @Nullable Object> ratio(Pool.Row row) {
    Map<String, @Nullable Object> of = new LinkedHashMap<>();
    of.put("figure", row.figure().name());
    of.put("first", row.first());
    of.put("second", row.second());
    of.put("rungs", row.rungs().stream().map(PoolFile::rung).toList());
    of.put("group", row.group());
    of.put("ratio", row.over().ratio());
    interval(of, "over_runs", row.over().interval());
    interval(of, "next_run", row.over().next());
    List<Map<String, @Nullable Object>> runs = new ArrayList<>();
    for (Pool.OfRun run : row.runs()) {
      Map<String, @Nullable Object> one = new LinkedHashMap<>();
      one.put("run_id", run.runId());
      one.put("pairs", run.ratio().pairs());
      one.put("ratio", run.ratio().ratio());
      one.put("least", run.ratio().least());
      one.put("most", run.ratio().most());
      interval(one, "within_run", run.ratio().interval());
      runs.add(one);
    }
    of.put("runs", runs);
    return of;
  }

  private static Map<String, @Nullable Object> rung(RungKey at) {
    Map<String, @Nullable Object> of = new LinkedHashMap<>();
    of.put("connections", at.connections());
    of.put("rate_per_s", at.ratePerS());
    return of;
  }

  private static Map<String, Object> groups(ProcessGroups.Found found) {
    Map<String, Object> of = new LinkedHashMap<>();
    of.put("figure", found.figure().name());
    of.put("server", found.server());
    of.put("rate_per_s", found.ratePerS());
    of.put("lower", spread(found.groups().low()));
    of.put("upper", spread(found.groups().high()));
    of.put("p", found.groups().p());
    return of;
  }

  private static Map<String, Object> spread(Spread spread) {
    Map<String, Object> of = new LinkedHashMap<>();
    of.put("processes", spread.count());
    of.put("least", spread.least());
    of.put("median", spread.median());
    of.put("most", spread.most());
    return of;
  }

  /** Both ends under names of their own; null where there is none. */
  private static void interval(Map<String, @Nullable Object> into, String name, @Nullable Interval interval) {
    into.put(name + "_low", interval == null ? null : interval.low());
    into.put(name + "_high", interval == null ? null : interval.high());
  }
}
