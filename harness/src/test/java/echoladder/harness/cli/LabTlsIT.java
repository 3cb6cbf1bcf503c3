package echoladder.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.LoadResult;
import echoladder.client.figures.Handshakes;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord;
import echoladder.needs.Need;
import echoladder.needs.Needs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** TLS whose records the kernel makes and reads, in a lab, whose kernel has that where this host's may not. */
@Needs({Need.LINUX_UML, Need.INSMOD, Need.BASH, Need.IP, Need.MOUNT, Need.SETPRIV, Need.UNSHARE, Need.NOT_A_LAB})
@Tag("long")
class LabTlsIT {
  private static final Path HOME = Path.of("..").toAbsolutePath().normalize();
  private static final int CONNECTIONS = 50;

  private static final String STUDY =
      """
      name: kernel
      question: Does every echo come back where the kernel makes and reads the records of TLS?
      servers: [{name: floor, options: {tls-engine: kernel}}]
      rungs: [50]
      repeats: 1
      load: {rate: {total: 50/s}, message: 20000B, tls: true}
      phases: {connect_rate: 20/s, connect_timeout: 3m, warm_up_min: 0s, warm_up_max: 60s, steady: 5s, drain: 60s}
      bounds: {response_time_p99: 1h, server_start: 3m}
      lab: {memory: 2G, timeout: 15m}
      """;

  @TempDir private Path dir;

  @Test
  void everyEchoComesBack() throws Exception {
    Path study = Files.writeString(dir.resolve("study.yaml"), STUDY);
    Path results = dir.resolve("results");
    try (LadderProcess ladder = LadderProcess.start(HOME, dir, "run", study.toString(), "--results", results.toString())) {
      assertThat(ladder.status()).as("%s%n%s", ladder.out(), ladder.err()).isZero();
    }
    RunRecord run = RunBelow.record(results, "kernel");
    assertThat(run.rungs()).singleElement().matches(RungRecord::valid);
    RungRecord rung = run.rungs().getFirst();
    LoadResult load = Objects.requireNonNull(rung.load());
    assertThat(load.errors()).isEmpty();
    assertThat(load.connections().held()).isEqualTo(CONNECTIONS);
    assertThat(load.crowd().tls()).isEqualTo(new Handshakes((long) CONNECTIONS, 0L));
    Map<String, @Nullable Object> config = Objects.requireNonNull(rung.process()).config();
    assertThat(config).containsEntry("tls_engine", "kernel");
    assertThat(String.valueOf(config.get("tls_library"))).matches("OpenSSL 3.*, with records by Linux 6.*");
  }
}
