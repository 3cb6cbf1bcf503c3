package echoladder.harness.cli;

import echoladder.harness.TestCheckout;
import echoladder.needs.BusyHost;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;

/** A ladder that climbs over several hosts, each of which is this one behind an ssh that runs its command here. */
final class HostsClimb {
  /** Whatever a busy host does to times spoils nothing; what is lost does. */
  static final String STUDY =
      """
      name: hosts
      question: What does a climb over several hosts show?
      servers: [fake, {name: other, settings: {server: {backlog: 77}}}]
      rungs: [60]
      repeats: 2
      load: {rate: {total: 300/s}}
      phases: {connect_rate: 1000/s, connect_timeout: 20s, warm_up_min: 0s, warm_up_max: 2m, steady: STEADY, drain: 5s}
      bounds: {response_time_p99: 1h}
      """
          + BusyHost.thresholds(0.5);

  /** From the loss of a host to the end of its rung. */
  static final Duration LOST_RUNG_MOST = Duration.ofSeconds(30);

  final Path home;
  final FakeHosts hosts;
  private final Path dir;

  HostsClimb(Path dir) throws IOException {
    this.dir = dir;
    home = Files.createDirectories(dir.resolve("home"));
    new TestCheckout(home).server("other", "contender").server("http", "contender", "http");
    hosts = new FakeHosts(Files.createDirectories(dir.resolve("hosts")), home);
  }

  /** Waits until the rung of a lost host is told to have ended; how long that was after the loss. */
  static Duration untilTheRungEnded(LadderProcess ladder, long lostNs) {
    Awaitility.await()
        .atMost(Duration.ofMinutes(3))
        .pollInterval(Duration.ofMillis(50))
        .until(() -> ladder.err().contains("INVALID: host-lost"));
    return Duration.ofNanos(System.nanoTime() - lostNs);
  }

  void leavesNothing() {
    Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> hosts.left().isEmpty());
  }

  LadderProcess climb(String steady, Path inventory, String... more) throws IOException {
    Path study = Files.writeString(dir.resolve("study.yaml"), STUDY.replace("STEADY", steady));
    List<String> arguments =
        new ArrayList<>(List.of("run", study.toString(), "--results", dir.resolve("results").toString(), "--hosts", inventory.toString()));
    arguments.addAll(List.of(more));
    return LadderProcess.start(home, dir, hosts.environment(), arguments.toArray(String[]::new));
  }
}
