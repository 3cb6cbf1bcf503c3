package echoladder.harness.report.text;

import echoladder.client.LoadResult.Placement;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord;
import echoladder.linux.cpu.CpuList;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What a report says of processors that server and client did not have for themselves. */
final class PlacementText {
  private PlacementText() {}

  /** One sentence, of the first rung where it was so; null where server and client shared processors anyway, or had their own. */
  static @Nullable String crowded(RunRecord run) {
    return run.rungs().stream().map(PlacementText::crowded).filter(Objects::nonNull).findFirst().orElse(null);
  }

  private static @Nullable String crowded(RungRecord rung) {
    Placement at = rung.load() == null ? Placement.UNKNOWN : rung.load().placement();
    if (at.serverCpus() == null || at.clientCpus() == null || at.clientHelperCpus() == null) {
      return null;
    }
    CpuList server = CpuList.parse(at.serverCpus());
    CpuList client = CpuList.parse(at.clientCpus());
    String harness = rung.attempt() == null ? null : rung.attempt().harnessCpus();
    boolean shared =
        Stream.of(at.clientHelperCpus(), harness)
            .filter(Objects::nonNull)
            .anyMatch(cpus -> !CpuList.parse(cpus).in(server.with(client)).isEmpty());
    return server.in(client).isEmpty() && shared
        ? ("Server and client had processors of their own (%s; %s), and no core was left for the ladder and for the client's other"
            + " threads (driver, compilers, collector): these ran on %s and %s, and took time from both.")
            .formatted(server, client, harness == null ? "processors that are not known" : harness, at.clientHelperCpus())
        : null;
  }
}
