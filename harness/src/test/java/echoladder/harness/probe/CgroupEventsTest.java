package echoladder.harness.probe;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.linux.ControlGroups;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CgroupEventsTest {
  @TempDir private Path root = Path.of("");

  private void put(String path, String text) throws IOException {
    Path file = root.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text + "\n");
  }

  private Reading sample() {
    Reading reading = new Reading(0);
    CgroupEvents.of(new ControlGroups(root, "7")).sample(reading);
    return reading;
  }

  /** The group that the doctor finds too, be it mounted where it usually is or not. */
  @Test
  void eventsAreOfTheProcesssOwnGroupWhereverThatIsMounted() throws IOException {
    put("proc/7/cgroup", "0::/a");
    put("proc/self/mountinfo", "30 23 0:28 / /elsewhere rw - cgroup2 cgroup2 rw");
    put("elsewhere/a/memory.events", "low 0\nmax 3\noom 2\noom_kill 1");
    put("elsewhere/a/pids.events", "max 5");
    put("sys/fs/cgroup/a/memory.events", "max 99\noom_kill 99");
    Reading seen = sample();
    assertThat(seen.get(Figure.CGROUP_MEMORY_REFUSALS)).hasValue(3);
    assertThat(seen.get(Figure.CGROUP_OOM_KILLS)).hasValue(1);
    assertThat(seen.get(Figure.CGROUP_TASK_REFUSALS)).hasValue(5);
  }

  /** Only version 2 is mounted, and systemd hands the controller of memory on to a slice and not to the service in it. */
  @Test
  void whereAControllerIsNotHandedOnTheLowestGroupThatCountsIsRead() throws IOException {
    put("proc/7/cgroup", "0::/a.slice/b.service");
    put("proc/self/mountinfo", "30 23 0:28 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw");
    put("sys/fs/cgroup/a.slice/memory.events", "max 3\noom_kill 1");
    put("sys/fs/cgroup/a.slice/pids.events", "max 99");
    put("sys/fs/cgroup/a.slice/b.service/pids.events", "max 5");
    Reading seen = sample();
    assertThat(seen.get(Figure.CGROUP_MEMORY_REFUSALS)).hasValue(3);
    assertThat(seen.get(Figure.CGROUP_OOM_KILLS)).hasValue(1);
    assertThat(seen.get(Figure.CGROUP_TASK_REFUSALS)).hasValue(5);
  }

  @Test
  void version1CountsInFilesOfOtherNames() throws IOException {
    put("proc/7/cgroup", "8:pids:/p\n4:memory:/m\n0::/");
    put(
        "proc/self/mountinfo",
        """
        35 31 0:32 / /cg/memory rw - cgroup cgroup rw,memory
        39 31 0:36 / /cg/pids rw - cgroup cgroup rw,pids""");
    put("cg/memory/m/memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 2");
    put("cg/memory/m/memory.failcnt", "7");
    put("cg/pids/p/pids.events", "max 4");
    Reading seen = sample();
    assertThat(seen.get(Figure.CGROUP_OOM_KILLS)).hasValue(2);
    assertThat(seen.get(Figure.CGROUP_MEMORY_REFUSALS)).hasValue(7);
    assertThat(seen.get(Figure.CGROUP_TASK_REFUSALS)).hasValue(4);
  }

  @Test
  void whereNoGroupIsToBeSeenThereIsNoFigure() {
    Reading seen = sample();
    assertThat(seen.get(Figure.CGROUP_OOM_KILLS)).isEmpty();
    assertThat(seen.get(Figure.CGROUP_TASK_REFUSALS)).isEmpty();
  }
}
