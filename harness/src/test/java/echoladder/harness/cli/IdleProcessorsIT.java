package echoladder.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.results.RunRecord;
import echoladder.harness.study.Idle;
import echoladder.needs.BusyHost;
import echoladder.needs.Need;
import echoladder.needs.Needs;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code load.idle: poll}: who asks the kernel for it, how long, and what says so. */
@Tag("long")
class IdleProcessorsIT {
  private static final Path HOME = Path.of("..").toAbsolutePath().normalize();
  private static final Path DEVICE = Path.of("/dev/cpu_dma_latency");

  private static final String STUDY =
      """
      name: idle
      question: What do halts cost?
      servers: [floor]
      rungs: [20]
      repeats: 1
      load: {rate: {total: 400/s}}
      axes: {load: {idle: [halt, poll]}}
      phases: {connect_rate: 1000/s, warm_up_min: 0s, warm_up_max: 2m, steady: 1s, drain: 5s}
      bounds: {response_time_p99: 1h}
      """
          + BusyHost.thresholds(0.5);

  @TempDir private Path dir;

  private static boolean asks(ProcessHandle process) {
    try (DirectoryStream<Path> open = Files.newDirectoryStream(Path.of("/proc/" + process.pid() + "/fd"))) {
      for (Path descriptor : open) {
        if (Files.readSymbolicLink(descriptor).equals(DEVICE)) {
          return true;
        }
      }
      return false;
    } catch (IOException e) {
      // It has ended, or that descriptor was closed.
      return false;
    }
  }

  private RunRecord run(String study) throws IOException {
    return RunBelow.record(dir.resolve("results"), study);
  }

  @Test
  @Needs(Need.IDLE_STATES)
  void theLadderAsksForItWhileAnEntryThatSaysSoIsMeasured() throws Exception {
    Path study = Files.writeString(dir.resolve("idle.yaml"), STUDY);
    try (LadderProcess ladder = LadderProcess.start(HOME, dir, "run", study.toString(), "--results", dir.resolve("results").toString())) {
      ProcessHandle process = ProcessHandle.of(ladder.pid()).orElseThrow();
      for (String entry : List.of("floor-halt", "floor-poll")) {
        Awaitility.await().atMost(Duration.ofMinutes(5)).until(() -> ladder.err().contains(entry + "  20  steady") || !ladder.alive());
        assertThat(asks(process)).as(entry + "\n" + ladder.err()).isEqualTo(entry.equals("floor-poll"));
      }
      assertThat(ladder.status()).as(ladder.err()).isLessThan(2);
    }
    RunRecord run = run("idle");
    assertThat(run.study().servers()).extracting(entry -> run.study().load(entry).idle()).containsExactly(Idle.HALT, Idle.POLL);
    assertThat(run.rungs()).hasSize(2).allSatisfy(rung -> assertThat(rung.load()).isNotNull());
    assertThat(RunBelow.folder(dir.resolve("results"), "idle").resolve("REPORT.md")).content().contains("idle processors poll");
  }

  @Test
  @Needs(Need.NAMESPACES)
  void whereThereAreNoIdleStatesNothingIsStarted() throws Exception {
    Path study = Files.writeString(dir.resolve("idle.yaml"), STUDY);
    List<String> withoutStates =
        List.of(
            "unshare", "--mount", "sh", "-c",
            "cd /sys/devices/system/cpu && { ! test -d cpuidle || mount -t tmpfs none cpuidle; } && cd \"$OLDPWD\" && exec \"$@\"", "ladder");
    try (LadderProcess ladder =
        LadderProcess.startWith(withoutStates, HOME, dir, "run", study.toString(), "--servers", "floor-poll", "--results", dir.resolve("results").toString())) {
      assertThat(ladder.status()).as(ladder.err()).isEqualTo(1);
      assertThat(ladder.err()).contains("out of reach on this host: floor-poll", "its processors cannot poll when idle (load.idle)").doesNotContain("start server");
    }
    Path plain = Files.writeString(dir.resolve("plain.yaml"), STUDY.replaceFirst("axes: .*\n", ""));
    try (LadderProcess ladder =
        LadderProcess.startWith(
            withoutStates, HOME, dir, "run", plain.toString(), "--set", "load.idle=poll_if_allowed", "--results", dir.resolve("allowed").toString())) {
      assertThat(ladder.status()).as(ladder.err()).isLessThan(2);
      assertThat(ladder.err()).contains("start server");
    }
    assertThat(RunBelow.record(dir.resolve("allowed"), "idle").study().load().idle()).isEqualTo(Idle.HALT);
  }

  @Test
  @Needs(Need.IDLE_STATES)
  void eachHostOfARunAsksForIt() throws Exception {
    HostsClimb over = new HostsClimb(dir);
    try (LadderProcess ladder =
        over.climb("3s", over.hosts.inventory("c1", "c2"), "--servers", "fake", "--set", "repeats=1", "--set", "load.idle=poll")) {
      Awaitility.await().atMost(Duration.ofMinutes(5)).until(() -> ladder.err().contains("steady") || !ladder.alive());
      // The server's host and two of clients.
      assertThat(ladder.descendants().stream().filter(IdleProcessorsIT::asks)).as(ladder.err()).hasSize(3);
      assertThat(ladder.status()).as(ladder.err()).isLessThan(2);
    }
    over.leavesNothing();
    RunRecord run = run("hosts");
    assertThat(run.study().load().idle()).isEqualTo(Idle.POLL);
  }
}
