package echoladder.harness.published;

import echoladder.harness.common.Csv;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A published run in one line: what, on what, and what came of it. */
final class IndexLine {
  static final String HEADER =
      "study,run_id,started_at,servers,rungs_valid,rungs_saturated,rungs_invalid,rungs_not_measured,jvm,go,kernel,cpu,processors,"
          + "memory_bytes,lab,git_commit,git_dirty";

  private IndexLine() {}

  static String of(RunRecord run) {
    Map<String, @Nullable Object> environment = run.environment();
    return Arrays.stream(
            new @Nullable Object[] {
              run.study().name(),
              run.runId(),
              run.startedAt(),
              run.servers().stream().map(RunRecord.ServerRecord::name).distinct().collect(Collectors.joining(" ")),
              count(run, RungRecord::valid),
              count(run, RungRecord::saturated),
              count(run, rung -> rung.load() != null && !rung.valid() && !rung.saturated()),
              count(run, rung -> rung.load() == null),
              at(environment, "runtimes", "jvm"),
              at(environment, "runtimes", "go"),
              at(environment, "kernel", "release"),
              at(environment, "cpu", "model"),
              at(environment, "cpu", "processors"),
              at(environment, "memory", "total_bytes"),
              at(environment, "lab", "kind"),
              at(environment, "ladder", "git_commit"),
              at(environment, "ladder", "git_dirty")
            })
        .map(value -> Csv.cell(Objects.toString(value, "")))
        .collect(Collectors.joining(","));
  }

  private static long count(RunRecord run, Predicate<RungRecord> which) {
    return run.rungs().stream().filter(rung -> !rung.driftCheck()).filter(which).count();
  }

  private static @Nullable Object at(Map<String, @Nullable Object> environment, String part, String key) {
    return environment.get(part) instanceof Map<?, ?> found ? found.get(key) : null;
  }
}
