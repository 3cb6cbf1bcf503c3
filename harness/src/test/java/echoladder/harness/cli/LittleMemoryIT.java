package echoladder.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.common.ProcText;
import echoladder.harness.limits.KnownLimit;
import echoladder.harness.limits.MetLimit;
import echoladder.harness.results.RungRecord;
import echoladder.linux.ControlGroups;
import echoladder.linux.process.ProcessTree;
import echoladder.needs.BusyHost;
import echoladder.needs.Need;
import echoladder.needs.Needs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Too little memory for what is asked, in a control group as a container has one: it is refused, or the end of what runs is named. */
@Needs(Need.CGROUP_MEMORY)
@Tag("long")
class LittleMemoryIT {
  private static final Path HOME = Path.of("..").toAbsolutePath().normalize();

  private static final long PART_BYTES = 60L << 20;
  private static final long MEBIBYTES = 900;

  private static final String STUDY =
      """
      name: little
      question: Who ends it?
      servers: [floor]
      rungs: [20]
      repeats: 1
      load: {rate: {total: 400/s}}
      phases: {connect_rate: 1000/s, warm_up_min: 0s, warm_up_max: 2m, steady: 60s, drain: 5s}
      bounds: {response_time_p99: 1h, server_start: 2m}
      """
          + BusyHost.THRESHOLDS;

  @TempDir private Path dir;
  private ControlGroups.Group group = new ControlGroups.Group(Path.of(""), 1);

  @BeforeEach
  void make() throws IOException {
    ControlGroups.Group top = Objects.requireNonNull(ControlGroups.own().top("memory"));
    group = new ControlGroups.Group(top.dir().resolve("echo-ladder-little-" + ProcessHandle.current().pid()), top.version());
    Files.createDirectory(group.dir());
  }

  @AfterEach
  void remove() {
    Awaitility.await().atMost(Duration.ofMinutes(1)).ignoreExceptions().until(() -> Files.deleteIfExists(group.dir()));
  }

  private void most(long mebibytes) throws IOException {
    Files.writeString(group.file("memory.limit_in_bytes", "memory.max"), String.valueOf(mebibytes << 20));
  }

  private long killed() {
    return ProcText.number(ProcText.lines(group.file("memory.oom_control", "memory.events").toString()), "oom_kill ").orElseThrow();
  }

  private List<String> inside() {
    return List.of("sh", "-c", "echo $$ >" + group.dir() + "/cgroup.procs; exec \"$@\"", "sh");
  }

  private LadderProcess ladder(String... arguments) {
    return LadderProcess.startWith(inside(), HOME, dir, arguments);
  }

  private Path study() throws IOException {
    return Files.writeString(dir.resolve("study.yaml"), STUDY);
  }

  private RungRecord rung() throws IOException {
    return RunBelow.record(dir.resolve("results"), "little").rungs().getFirst();
  }

  @Test
  void whatDoesNotFitInto256MiBIsNotTried() throws Exception {
    most(256);
    try (LadderProcess run = ladder("run", study().toString(), "--results", dir.resolve("results").toString())) {
      assertThat(run.status()).as("%s%n%s", run.out(), run.err()).isLessThan(2);
      assertThat(run.err()).doesNotContain("start server", "\tat ");
    }
    assertThat(rung().status()).isEqualTo(RungRecord.Status.OUT_OF_REACH);
    assertThat(rung().statusReason()).contains("memory");
    try (LadderProcess soak = ladder("soak", "--for", "10s", "--server", "floor", "--results", dir.resolve("results").toString())) {
      assertThat(soak.status()).as(soak.err()).isEqualTo(3);
      assertThat(soak.err()).contains("floor is not soaked with 1,000 connections here: ", "memory", "nothing was started");
    }
    Path some = ClaimsStudy.in(dir.resolve("some"), "256M", Map.of("sleeper", ClaimsStudy.sleepers(1, "10ms")));
    try (LadderProcess ledger = ladder("run", some.toString(), "--results", dir.resolve("results").toString())) {
      assertThat(ledger.status()).as(ledger.err()).isLessThan(2);
      assertThat(ledger.err()).contains("its workloads may hold 256 MiB each, and ", "available by " + group.file("memory.limit_in_bytes", "memory.max"));
    }
    assertThat(killed()).isZero();
  }

  private static long anonymousBytes(ProcessHandle process) {
    return ProcText.number(ProcText.lines("/proc/" + process.pid() + "/status"), "RssAnon:").orElse(0) << 10;
  }

  /** So many bytes are held, by processes each of which is small, so that none of them is what the kernel ends first. */
  private List<Process> holding(long bytes) throws IOException {
    List<Process> all = new ArrayList<>();
    for (long left = bytes; left > 0; left -= PART_BYTES) {
      String hold = "(head -c " + Math.min(left, PART_BYTES) + " /dev/zero; exec sleep 60) | tail >/dev/null";
      all.add(new ProcessBuilder(Stream.concat(inside().stream(), Stream.of("sh", "-c", hold)).toList()).start());
    }
    return all;
  }

  /** So much that it fits only when one of those that the ladder started is gone. */
  private List<Process> tooMuch(LadderProcess ladder) throws IOException {
    long theirs = ladder.descendants().stream().mapToLong(LittleMemoryIT::anonymousBytes).sum();
    long own = anonymousBytes(ProcessHandle.of(ladder.pid()).orElseThrow());
    return holding((MEBIBYTES << 20) - own - theirs * 3 / 4);
  }

  private static void release(List<Process> others) {
    for (Process other : others) {
      other.descendants().forEach(ProcessHandle::destroyForcibly);
      other.destroyForcibly();
    }
  }

  private LadderProcess run() throws IOException {
    most(MEBIBYTES);
    return ladder("run", study().toString(), "--results", dir.resolve("results").toString());
  }

  private static void awaitSteady(LadderProcess ladder) {
    Awaitility.await().atMost(Duration.ofMinutes(3)).until(() -> ladder.err().lines().anyMatch(line -> line.matches("ladder: 1/1 .* steady")));
  }

  /** Something else on the host takes it, when the plan has been made, and lets go of it again: the ladder itself needs some to say what happened. */
  @Test
  void whenMemoryRunsOutLaterTheLadderLivesAndSaysWhatWasKilled() throws Exception {
    List<Process> others = List.of();
    try (LadderProcess ladder = run()) {
      awaitSteady(ladder);
      List<ProcessHandle> started = ladder.descendants();
      others = tooMuch(ladder);
      Awaitility.await()
          .atMost(Duration.ofMinutes(1))
          .pollDelay(Duration.ZERO)
          .pollInterval(Duration.ofMillis(10))
          .until(() -> started.stream().anyMatch(process -> !ProcessTree.runs(process)));
      release(others);
      assertThat(killed()).isPositive();
      assertThat(ladder.status()).as("%s%n%s", ladder.out(), ladder.err()).isIn(0, 1);
      assertThat(ladder.err()).doesNotContain("\tat ", "failed unexpectedly", "ladder: killed");
      MetLimit met = Objects.requireNonNull(rung().met());
      assertThat(met.limit()).isEqualTo(KnownLimit.CGROUP_MEMORY);
      assertThat(ladder.out()).contains(met.sentence());
    } finally {
      release(others);
    }
  }

  /** The kernel may still take the ladder itself, as where a user has given it a score of its own. Then its guard says so. */
  @Test
  void aLadderThatTheKernelKillsForMemoryIsNamed() throws Exception {
    List<Process> others = List.of();
    try (LadderProcess ladder = run()) {
      awaitSteady(ladder);
      List<ProcessHandle> started = ladder.descendants();
      Files.writeString(Path.of("/proc/" + ladder.pid() + "/oom_score_adj"), "1000");
      others = tooMuch(ladder);
      assertThat(ladder.status()).as("%s%n%s", ladder.out(), ladder.err()).isEqualTo(137);
      Awaitility.await()
          .atMost(Duration.ofMinutes(1))
          .untilAsserted(
              () -> assertThat(ladder.err()).containsPattern("ladder: killed[.] Since it started children, the kernel has killed \\d+ process").contains("./ladder run --resume RUN"));
      Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> started.stream().noneMatch(ProcessTree::runs));
    } finally {
      release(others);
    }
  }
}
