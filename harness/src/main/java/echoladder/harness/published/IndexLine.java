package echoladder.harness.published;

import echoladder.harness.common.Csv;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A published run, or ledger of claims, in one line: what, on what, and what came of it.
 *
 * @param servers by name, with a space between; empty of a ledger
 * @param counts by the names of {@link #COUNTS}; a run has those of rungs, a ledger those of claims
 * @param environment as its record has it
 */
public record IndexLine(
    String study, String runId, String startedAt, String servers, Map<String, Long> counts, Map<String, @Nullable Object> environment) {
  /** Each rung is in one of the first five, each claim in one of the last three. */
  private static final List<String> COUNTS =
      List.of(
          "rungs_valid", "rungs_saturated", "rungs_invalid", "rungs_not_measured", "drift_checks",
          "claims_hold", "claims_do_not_hold", "claims_cannot_be_told");

  static final String HEADER =
      "study,run_id,started_at,servers," + String.join(",", COUNTS) + ",jvm,go,kernel,cpu,processors,memory_bytes,lab,git_commit,git_dirty";

  static IndexLine of(RunRecord run) {
    return new IndexLine(
        run.study().name(), run.runId(), run.startedAt(),
        run.servers().stream().map(RunRecord.ServerRecord::name).distinct().collect(Collectors.joining(" ")),
        Map.of(
            "rungs_valid", count(run, RungRecord::valid),
            "rungs_saturated", count(run, RungRecord::saturated),
            "rungs_invalid", count(run, rung -> rung.load() != null && !rung.valid() && !rung.saturated()),
            "rungs_not_measured", count(run, rung -> rung.load() == null),
            "drift_checks", run.rungs().stream().filter(RungRecord::driftCheck).count()),
        run.environment());
  }

  /** {@code STUDY/RUN-ID}. */
  String name() {
    return study + "/" + runId;
  }

  String line() {
    Stream<String> environmentCells =
        Stream.of(
                "runtimes.jvm", "runtimes.go", "kernel.release", "cpu.model", "cpu.processors", "memory.total_bytes", "lab.kind",
                "ladder.git_commit", "ladder.git_dirty")
            .map(path -> path.split("\\.", 2))
            .map(path -> at(path[0], path[1]));
    return Stream.of(Stream.of(study, runId, startedAt, servers), COUNTS.stream().map(name -> text(counts.get(name))), environmentCells)
        .flatMap(cells -> cells)
        .map(Csv::cell)
        .collect(Collectors.joining(","));
  }

  private static long count(RunRecord run, Predicate<RungRecord> which) {
    return run.rungs().stream().filter(rung -> !rung.driftCheck()).filter(which).count();
  }

  private static String text(@Nullable Object value) {
    return Objects.toString(value, "");
  }

  private String at(String part, String key) {
    return environment.get(part) instanceof Map<?, ?> found ? text(found.get(key)) : "";
  }
}
