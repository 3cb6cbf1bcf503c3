package echoladder.harness.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.linux.ControlGroups;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CgroupsTest {
  @TempDir private Path root = Path.of("");

  private void put(String path, String text) throws IOException {
    Path file = root.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text + "\n");
  }

  private static Cgroups of(Path root) {
    return new Cgroups(new ControlGroups(root, "self"));
  }

  @Test
  void version2TakesTheTightestOfAllAncestors() throws IOException {
    put("proc/self/cgroup", "0::/user.slice/session.scope");
    put("proc/self/mountinfo", "30 23 0:28 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw");
    put("sys/fs/cgroup/user.slice/pids.max", "1000");
    put("sys/fs/cgroup/user.slice/pids.current", "900");
    put("sys/fs/cgroup/user.slice/session.scope/pids.max", "500");
    put("sys/fs/cgroup/user.slice/session.scope/pids.current", "10");
    put("sys/fs/cgroup/user.slice/session.scope/memory.max", "max");
    put("sys/fs/cgroup/user.slice/session.scope/memory.current", "77");
    assertThat(of(root).pids())
        .isEqualTo(new CgroupLimit("/sys/fs/cgroup/user.slice/pids.max", 1000, 900, true));
    assertThat(of(root).memory()).isNull();
    put("sys/fs/cgroup/user.slice/memory.max", "1000");
    put("sys/fs/cgroup/user.slice/memory.current", "800");
    put("sys/fs/cgroup/user.slice/memory.stat", "anon 1\nactive_file 4\ninactive_file 300");
    assertThat(of(root).memory())
        .isEqualTo(new CgroupLimit("/sys/fs/cgroup/user.slice/memory.max", 1000, 500, true));
  }

  @Test
  void version1HasAMountPerController() throws IOException {
    put("proc/self/cgroup", "8:pids:/a\n4:memory:/a/b\n0::/");
    put(
        "proc/self/mountinfo",
        """
        35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory
        39 31 0:36 / /sys/fs/cgroup/pids rw - cgroup cgroup rw,pids
        41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw""");
    put("sys/fs/cgroup/unified/cgroup.procs", "");
    put("sys/fs/cgroup/pids/a/pids.max", "400");
    put("sys/fs/cgroup/pids/a/pids.current", "12");
    put("sys/fs/cgroup/memory/a/b/memory.limit_in_bytes", "9223372036854771712");
    put("sys/fs/cgroup/memory/a/b/memory.usage_in_bytes", "5");
    assertThat(of(root).pids()).isEqualTo(new CgroupLimit("/sys/fs/cgroup/pids/a/pids.max", 400, 12, true));
    assertThat(of(root).memory()).isNull();
    put("sys/fs/cgroup/memory/a/memory.limit_in_bytes", "1048576");
    put("sys/fs/cgroup/memory/a/memory.usage_in_bytes", "48576");
    assertThat(of(root).memory())
        .isEqualTo(new CgroupLimit("/sys/fs/cgroup/memory/a/memory.limit_in_bytes", 1_048_576, 48_576, true));
  }

  @Test
  void aContainerSeesItsGroupAtTheTopOfTheMount() throws IOException {
    put("proc/self/cgroup", "0::/../other");
    put("proc/self/mountinfo", "30 23 0:28 /docker/abc /sys/fs/cgroup ro - cgroup2 cgroup rw");
    put("sys/fs/cgroup/pids.max", "64");
    put("sys/fs/cgroup/pids.current", "4");
    assertThat(of(root).pids()).isEqualTo(new CgroupLimit("/sys/fs/cgroup/pids.max", 64, 4, true));
  }

  @Test
  void nothingMountedLimitsNothing() throws IOException {
    put("proc/self/cgroup", "0::/x");
    assertThat(of(root).pids()).isNull();
    assertThat(of(root.resolve("absent")).memory()).isNull();
  }
}
