package echoladder.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord;
import echoladder.needs.Need;
import echoladder.needs.Needs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A study that asks for a lab gets one, and what this host's descriptors do not allow is held in it. */
@Needs({Need.LINUX_UML, Need.INSMOD, Need.BASH, Need.IP, Need.MOUNT, Need.SETPRIV, Need.UNSHARE, Need.NOT_A_LAB})
@Tag("long")
class LabHoldsIT {
  private static final Path HOME = Path.of("..").toAbsolutePath().normalize();

  private static final String STUDY =
      """
      name: holds
      question: Does one process hold 5,000 connections where this host allows it 4,000 descriptors?
      servers: [floor]
      rungs: [5000]
      repeats: 1
      load: {rate: {per_connection: 0.01/s}}
      phases: {connect_rate: 5000/s, connect_timeout: 3m, warm_up_min: 0s, warm_up_max: 60s, steady: 5s, drain: 60s}
      bounds: {response_time_p99: 1h, server_start: 3m}
      lab: {memory: 2G, timeout: 15m}
      """;

  /** The hard limit of all that is started outside of the lab. */
  private static final List<String> FEW = List.of("sh", "-c", "ulimit -n 4000 && exec \"$@\"", "sh");

  @TempDir private Path dir;

  @Test
  void oneProcessHoldsMoreConnectionsThanTheHostAllowsItDescriptors() throws Exception {
    Path study = Files.writeString(dir.resolve("study.yaml"), STUDY);
    try (LadderProcess ladder =
        LadderProcess.startWith(FEW, HOME, dir, "run", study.toString(), "--results", dir.resolve("results").toString())) {
      assertThat(ladder.status()).as(ladder.err()).isZero();
      assertThat(ladder.err())
          .contains("study 'holds' needs limits that it can change: it is climbed in a lab", "the lab is powered off");
      assertThat(ladder.out()).contains("made inside a lab (user-mode-linux", "carried 5,000");
    }
    RunRecord run = RunBelow.record(dir.resolve("results"), "holds");
    assertThat(run.environment()).extractingByKey("lab").asString().contains("may_not_claim=[times, cpu]");
    List<RungRecord> rungs = run.rungs();
    assertThat(rungs).singleElement().matches(RungRecord::valid);
    assertThat(Objects.requireNonNull(rungs.getFirst().load()).connections().established()).isEqualTo(5_000);
  }
}
