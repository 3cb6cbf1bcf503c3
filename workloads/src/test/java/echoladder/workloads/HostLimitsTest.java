package echoladder.workloads;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.linux.ControlGroups;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The limits of control groups, from folders of the form that both versions have. */
final class HostLimitsTest {
  @TempDir private Path root;

  private void put(String path, String text) throws IOException {
    Path file = root.resolve(path);
    Files.createDirectories(Objects.requireNonNull(file.getParent()));
    Files.writeString(file, text + "\n");
  }

  private ControlGroups groups() {
    return new ControlGroups(root, "self");
  }

  /** As of a service in a slice, on a host with version 2 alone: the slice binds, too. */
  @Test
  void theTightestOfAllGroupsAroundItCountsWhereverTheyAreMounted() throws IOException {
    put("proc/self/cgroup", "0::/a.slice/b.service");
    put("proc/self/mountinfo", "30 23 0:28 / /elsewhere rw - cgroup2 cgroup2 rw");
    put("elsewhere/a.slice/memory.max", "1000000");
    put("elsewhere/a.slice/b.service/memory.max", "2000000");
    put("elsewhere/a.slice/b.service/pids.max", "max");
    put("sys/fs/cgroup/memory.max", "9");
    assertThat(HostLimits.memoryOf(groups())).isEqualTo(1_000_000);
    assertThat(HostLimits.tasksOf(groups())).isNull();
    put("elsewhere/pids.max", "77");
    assertThat(HostLimits.tasksOf(groups())).isEqualTo(77);
  }

  @Test
  void version1HasNoLimitAsTheLargestWholePage() throws IOException {
    put("proc/self/cgroup", "4:memory:/m\n0::/");
    put("proc/self/mountinfo", "35 31 0:32 / /cg/memory rw - cgroup cgroup rw,memory");
    put("cg/memory/m/memory.limit_in_bytes", "9223372036854771712");
    assertThat(HostLimits.memoryOf(groups())).isNull();
    put("cg/memory/memory.limit_in_bytes", "3000000");
    assertThat(HostLimits.memoryOf(groups())).isEqualTo(3_000_000);
  }

  @Test
  void whereNothingIsMountedNothingLimits() {
    assertThat(HostLimits.memoryOf(groups())).isNull();
    assertThat(HostLimits.tasksOf(groups())).isNull();
  }
}
