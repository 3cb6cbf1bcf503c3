package echoladder.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.common.Checkout;
import echoladder.harness.common.Jdks;
import echoladder.needs.BusyHost;
import echoladder.needs.Need;
import echoladder.needs.Needs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A study's limits of tasks and memory in a kernel that has control groups of version 2 alone, as today's distributions have: they
 * are in force, and what a killed run leaves of them is put back. A lab mounts no other version.
 */
@Tag("long")
@Needs({Need.LINUX_UML, Need.INSMOD, Need.BASH, Need.IP, Need.MOUNT, Need.SETPRIV, Need.UNSHARE, Need.NOT_A_LAB})
class LabGroupsIT {
  private static final Path HOME = Path.of("..").toAbsolutePath().normalize();

  private static final String STUDY =
      """
      name: groups
      question: Does a group of version 2 survive the run that made it?
      servers: [{name: floor, settings: {server: {tasks: 500, memory: 512MiB}}}]
      rungs: [20]
      repeats: 1
      load: {rate: {total: 20/s}}
      phases: {connect_timeout: 5m, warm_up_min: 0s, warm_up_max: 60s, steady: 30m, drain: 60s}
      bounds: {response_time_p99: 1h, server_start: 5m}
      """
          + BusyHost.THRESHOLDS;

  /** The run is killed in its steady state. $0 is a folder, the arguments start a ladder. */
  private static final String SCRIPT =
      """
      grep -o '^cgroup.*' /proc/mounts >&2
      "$@" run "$0/study.yaml" --results "$0/results" >"$0/out" 2>"$0/err" & ladder=$!
      until grep -q steady "$0/err"; do kill -0 $ladder || { cat "$0/err" >&2; exit 9; }; sleep 0.2; done
      group=$(echo /sys/fs/cgroup/echo-ladder-$ladder-*)
      echo "tasks $(<"$group/pids.max"), memory $(<"$group/memory.max"), processes $(wc -l <"$group/cgroup.procs")"
      kill -KILL $ladder
      wait $ladder
      while [[ -n $(<"$group/cgroup.procs") ]]; do sleep 0.2; done
      echo "left: $group"
      "$@" tune restore || exit 8
      [[ -e $group ]] || echo gone
      """;

  @TempDir private Path dir;

  @Test
  void aGroupOfVersion2IsInForceAndIsRemovedAfterItsRunWasKilled() throws Exception {
    Files.writeString(dir.resolve("study.yaml"), STUDY);
    List<String> lab =
        List.of("lab", "--memory", "2G", "--timeout", "20m", "--write", dir.toString(), "--", "bash", "-c", SCRIPT, dir.toString());
    List<String> inside =
        List.of(
            Jdks.java().toString(), "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "--enable-native-access=ALL-UNNAMED",
            "-D" + Checkout.PROPERTY + "=" + HOME, "-cp", System.getProperty("java.class.path"), "echoladder.harness.Ladder");
    try (LadderProcess ladder =
        LadderProcess.start(HOME, dir, Stream.concat(lab.stream(), inside.stream()).toArray(String[]::new))) {
      assertThat(ladder.status()).as("%s%n%s", ladder.out(), ladder.err()).isZero();
      assertThat(ladder.err().lines().filter(line -> line.startsWith("cgroup"))).singleElement().asString().startsWith("cgroup2 /sys/fs/cgroup cgroup2 ");
      List<String> said = ladder.out().lines().toList();
      assertThat(said).hasSize(4);
      assertThat(said.get(0)).matches("tasks 500, memory 536870912, processes [1-9]\\d*");
      assertThat(said.get(1)).matches("left: /sys/fs/cgroup/echo-ladder-\\d+-floor");
      assertThat(said.get(2)).isEqualTo("the control group " + said.get(1).substring("left: ".length()) + " is removed");
      assertThat(said.get(3)).isEqualTo("gone");
    }
  }
}
