package echoladder.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.common.Checkout;
import echoladder.harness.common.Jdks;
import echoladder.harness.common.ProcText;
import echoladder.linux.Root;
import echoladder.needs.Need;
import echoladder.needs.Needs;
import echoladder.processes.CommandLines;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Real guest kernels: what comes out of them, and that nothing of them stays. */
@Needs({Need.LINUX_UML, Need.INSMOD, Need.BASH, Need.IP, Need.MOUNT, Need.SETPRIV, Need.UNSHARE, Need.NOT_A_LAB})
class LabIT {
  private static final Path HOME = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern FOLDER = Pattern.compile("init=(\\S+/ladder-lab-\\d+)/init\\.sh");

  /** As a command of the ladder's users: it says that it is up, and keeps something when it is interrupted. */
  private static final String KEEPS = "trap 'echo kept >%s; exit 5' INT; echo up; while :; do sleep 0.1; done";

  private static final String NAME = "lab-" + ProcessHandle.current().pid();

  @TempDir private Path dir;

  private LadderProcess lab(String timeout, String... command) {
    List<String> fixed = List.of("lab", "--memory", "512M", "--timeout", timeout, "--write", dir.toString(), "--");
    return LadderProcess.start(
        HOME, dir, Stream.concat(fixed.stream(), Stream.of(command)).toArray(String[]::new));
  }

  /** What a lab leaves behind while it runs: processes, and the folder that they talk over. */
  private record Left(List<ProcessHandle> processes, Path folder) {
    static Left of(LadderProcess ladder) {
      List<ProcessHandle> all = ladder.descendants();
      Matcher found =
          FOLDER.matcher(
              String.join(" ", all.stream().map(CommandLines::of).toList()));
      assertThat(found.find()).isTrue();
      return new Left(all, Path.of(found.group(1)));
    }

    void isGone() {
      Awaitility.await()
          .atMost(Duration.ofMinutes(1))
          .untilAsserted(
              () -> {
                assertThat(processes).noneMatch(ProcessHandle::isAlive);
                assertThat(folder).doesNotExist();
              });
    }
  }

  private static void awaitUp(LadderProcess ladder) {
    Awaitility.await().atMost(Duration.ofMinutes(2)).until(() -> ladder.out().contains("up"));
  }

  private static void noMemoryFile() {
    // A lab of another test shows its file for a moment, between making and unlinking it.
    Awaitility.await().atMost(Duration.ofMinutes(1)).untilAsserted(
        () -> {
          try (Stream<Path> files = Files.list(Path.of("/dev/shm"))) {
            assertThat(files).noneMatch(file -> file.getFileName().toString().startsWith("vm_file"));
          }
        });
  }

  @Test
  void theCommandsOutputAndStatusComeOutAndItHasLimitsOfItsOwn() throws Exception {
    String script =
        "pwd; grep -m 1 vendor_id /proc/cpuinfo; ulimit -Hn; cat /proc/sys/net/core/somaxconn; seq 300000; "
            + "echo \"$1\" >&2; sleep 1000 & exit 7";
    try (LadderProcess ladder = lab("5m", "bash", "-c", script, "bash", "it's\n \"$two\" lines")) {
      assertThat(ladder.status()).as(ladder.err()).isEqualTo(7);
      List<String> lines = ladder.out().lines().toList();
      assertThat(lines.subList(0, 4))
          .containsExactly(Path.of("").toAbsolutePath().toString(), "vendor_id\t: User Mode Linux", "4194304", "65535");
      assertThat(lines.subList(4, lines.size())).hasSize(300_000).startsWith("1", "2").endsWith("299999", "300000");
      assertThat(ladder.err())
          .contains("it's\n \"$two\" lines\n", "ladder: up in ", "exit status 7", "ladder: the lab is powered off")
          .doesNotContain("in the lab:");
    }
    noMemoryFile();
  }

  @ParameterizedTest
  @ValueSource(strings = {"INT", "TERM"})
  @Tag("long")
  void aSignalLetsTheCommandKeepItsResultsAndLeavesNothing(String signal) throws Exception {
    Path kept = dir.resolve("kept");
    try (LadderProcess ladder = lab("5m", "bash", "-c", KEEPS.formatted(kept))) {
      awaitUp(ladder);
      Left left = Left.of(ladder);
      ladder.signal(signal);
      assertThat(ladder.status()).as(ladder.err()).isEqualTo(5);
      left.isGone();
    }
    assertThat(kept).hasContent("kept");
    noMemoryFile();
  }

  @Test
  @Tag("long")
  void theTimeoutLetsTheCommandKeepItsResultsToo() throws Exception {
    Path kept = dir.resolve("kept");
    try (LadderProcess ladder = lab("15s", "bash", "-c", KEEPS.formatted(kept))) {
      awaitUp(ladder);
      Left left = Left.of(ladder);
      assertThat(ladder.status()).as(ladder.err()).isEqualTo(5);
      assertThat(ladder.err()).contains("the timeout of 15 s is over");
      left.isGone();
    }
    assertThat(kept).hasContent("kept");
  }

  @Test
  @Tag("long")
  void whatAKilledHarnessHasBootedGoesWithIt() throws Exception {
    try (LadderProcess ladder = lab("5m", "bash", "-c", "echo up; sleep 1000")) {
      awaitUp(ladder);
      Left left = Left.of(ladder);
      ladder.signal("KILL");
      assertThat(ladder.status()).isEqualTo(137);
      left.isGone();
    }
    noMemoryFile();
  }

  @Test
  void aPanicOfTheGuestIsSaidAndLeavesNothing() throws Exception {
    try (LadderProcess ladder = lab("5m", "bash", "-c", "echo up; sleep 1; echo c >/proc/sysrq-trigger; sleep 1000")) {
      awaitUp(ladder);
      Left left = Left.of(ladder);
      assertThat(ladder.status()).as(ladder.err()).isEqualTo(3);
      assertThat(ladder.err()).contains("ladder: the lab's kernel died before the command had ended").contains("panic");
      left.isGone();
    }
    noMemoryFile();
  }

  /** The kernel in there is as free as its root, who may mount any folder of the host: that is read-only to the kernel. */
  @Test
  void whatItMayNotWriteStaysAsItIsAndTheRestIsScratch() throws Exception {
    Path kept = dir.resolve("kept");
    Path other = Files.writeString(Files.createDirectory(Path.of("target").toAbsolutePath().resolve(NAME)).resolve("f"), "mine");
    String script =
        "echo changed >%s && cat %s; echo kept >%s; m=$(mktemp -d) && mount -t hostfs none $m -o %s && { echo changed >$m/f; }; true"
            .formatted(other, other, kept, other.getParent());
    try (LadderProcess ladder = lab("5m", "bash", "-c", script)) {
      assertThat(ladder.status()).as(ladder.err()).isZero();
      assertThat(ladder.out()).isEqualTo("changed\n");
      assertThat(ladder.err()).contains("all else goes with the lab").doesNotContain("there is no scratch");
      if (Root.uid() == 0) {
        assertThat(ladder.err()).contains("/f: Read-only file system");
        assertThat(other).hasContent("mine");
      }
      assertThat(kept).hasContent("kept");
    } finally {
      Files.delete(other);
      Files.delete(other.getParent());
    }
  }

  @Test
  void oneThatFillsTheDiskIsSwitchedOffAtItsBound() throws Exception {
    Path flood = dir.resolve("flood");
    try (LadderProcess ladder =
        LadderProcess.start(
            HOME, dir, "lab", "--memory", "512M", "--write-most", "20M", "--write", dir.toString(), "--", "bash", "-c",
            "echo up; exec yes >" + flood)) {
      awaitUp(ladder);
      Left left = Left.of(ladder);
      assertThat(ladder.status()).as(ladder.err()).isEqualTo(3);
      assertThat(ladder.err()).contains("has written more than 20 MiB to files of this host, the bound", "--write-most SIZE");
      left.isGone();
    }
    assertThat(flood).isNotEmptyFile();
  }

  /** Many a host has both versions mounted; the lab has version 2 alone, as today's distributions have. */
  @Test
  void theDoctorReadsControlGroupsWhereThereIsVersion2Alone() throws Exception {
    String script =
        "grep cgroup /proc/mounts >&2 && cd /sys/fs/cgroup && echo '+pids +memory' >cgroup.subtree_control && mkdir -p above/own"
            + " && echo '+pids +memory' >above/cgroup.subtree_control && echo 300 >above/pids.max && echo 300M >above/own/memory.max"
            + " && echo $$ >above/own/cgroup.procs && exec \"$@\"";
    try (LadderProcess ladder =
        lab(
            "5m", "bash", "-c", script, "bash", Jdks.java().toString(), "-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED",
            "-D" + Checkout.PROPERTY + "=" + HOME, "-cp", System.getProperty("java.class.path"), "echoladder.harness.Ladder",
            "doctor", "--connections", "5000", "--server", "platform-threads", "--json")) {
      assertThat(ladder.status()).as(ladder.err()).isEqualTo(1);
      assertThat(ladder.err().lines().filter(line -> line.matches("\\S+ \\S+ cgroup2? .*")))
          .singleElement()
          .asString()
          .startsWith("cgroup2 /sys/fs/cgroup cgroup2 ");
      JsonNode tasks = row(ladder, "cgroup pids");
      assertThat(tasks.path("present").asLong()).as("300 less a JVM's threads").isBetween(250L, 299L);
      assertThat(tasks.path("lift").asString()).matches("echo \\d+ > /sys/fs/cgroup/above/pids.max");
      JsonNode memory = row(ladder, "cgroup memory");
      assertThat(memory.path("present").asLong()).as("300 MiB less what a JVM takes").isBetween(150L << 20, 299L << 20);
      assertThat(memory.path("lift").asString()).matches("echo \\d+ > /sys/fs/cgroup/above/own/memory.max");
    }
  }

  private static JsonNode row(LadderProcess doctor, String limit) {
    for (JsonNode row : JsonMapper.shared().readTree(doctor.out()).path("rows")) {
      if (row.path("limit").asString().equals(limit)) {
        assertThat(row.path("verdict").asString()).isEqualTo("short");
        return row;
      }
    }
    throw new AssertionError("no row " + limit + " in " + doctor.out());
  }

  @Test
  void allItsProcessesRunOnTheProcessorThatItNamesAndTellsItsCommand() throws Exception {
    try (LadderProcess ladder = lab("5m", "bash", "-c", "echo $ECHOLADDER_LAB_HOST up; sleep 1000")) {
      awaitUp(ladder);
      Matcher said = Pattern.compile("all of it on processor (\\d+),").matcher(ladder.err());
      assertThat(said.find()).as(ladder.err()).isTrue();
      assertThat(ladder.out()).as("what environment.host_of_lab is made of").matches(said.group(1) + ":\\d+ up\n");
      List<String> cpus = new ArrayList<>();
      for (ProcessHandle process : ladder.descendants()) {
        if (Files.readString(Path.of("/proc/" + process.pid() + "/comm")).trim().equals("linux.uml")) {
          ProcText.lines("/proc/" + process.pid() + "/status").stream()
              .filter(line -> line.startsWith("Cpus_allowed_list:"))
              .forEach(line -> cpus.add(line.split("\\s+", -1)[1]));
        }
      }
      assertThat(cpus).hasSizeGreaterThanOrEqualTo(3).containsOnly(said.group(1));
      ladder.signal("TERM");
      assertThat(ladder.status()).isNotZero();
    }
  }
}
