package echoladder.linux;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.linux.ControlGroups.Group;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ControlGroupsTest {
  @TempDir private Path root = Path.of("");

  private void put(String path, String text) throws IOException {
    Path file = root.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text + "\n");
  }

  private ControlGroups groups() {
    return new ControlGroups(root, "7");
  }

  @Test
  void groupsAreWhereTheyAreMounted() throws IOException {
    put("proc/7/cgroup", "0::/a/b");
    put("proc/self/mountinfo", "30 23 0:28 / /elsewhere rw - cgroup2 cgroup2 rw");
    put("elsewhere/a/b/memory.events", "max 3\noom_kill 2");
    put("elsewhere/cgroup.controllers", "cpu memory");
    put("sys/fs/cgroup/a/b/memory.events", "max 9");
    assertThat(groups().with("memory"))
        .containsExactly(
            new Group(root.resolve("elsewhere/a/b"), 2),
            new Group(root.resolve("elsewhere/a"), 2),
            new Group(root.resolve("elsewhere"), 2));
    assertThat(groups().top("memory")).isEqualTo(new Group(root.resolve("elsewhere"), 2));
    assertThat(groups().top("pids")).as("not among the controllers").isNull();
  }

  @Test
  void aHostWithBothVersionsHasTheGroupsOfEach() throws IOException {
    put("proc/7/cgroup", "4:memory:/m\n0::/u");
    put(
        "proc/self/mountinfo",
        """
        35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory
        41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw""");
    put("sys/fs/cgroup/memory/m/memory.oom_control", "oom_kill 1");
    put("sys/fs/cgroup/unified/u/cgroup.procs", "7");
    assertThat(groups().with("memory"))
        .containsExactly(
            new Group(root.resolve("sys/fs/cgroup/memory/m"), 1),
            new Group(root.resolve("sys/fs/cgroup/memory"), 1),
            new Group(root.resolve("sys/fs/cgroup/unified/u"), 2),
            new Group(root.resolve("sys/fs/cgroup/unified"), 2));
    assertThat(groups().top("memory")).isEqualTo(new Group(root.resolve("sys/fs/cgroup/memory"), 1));
  }

  @Test
  void aMountOfOneGroupHasWhatIsBelowItAtItsTop() throws IOException {
    put("proc/self/mountinfo", "30 23 0:28 /docker/ab /cg rw - cgroup2 cgroup rw");
    put("proc/7/cgroup", "0::/docker/ab/x");
    put("cg/x/pids.max", "4");
    assertThat(groups().with("pids").getFirst()).isEqualTo(new Group(root.resolve("cg/x"), 2));
    // Another whose name only begins alike.
    put("proc/7/cgroup", "0::/docker/abx");
    assertThat(groups().with("pids")).containsExactly(new Group(root.resolve("cg"), 2));
  }

  @Test
  void aProcessThatIsGoneAndAHostWithoutGroupsHaveNone() {
    assertThat(groups().with("pids")).isEmpty();
    assertThat(groups().top("pids")).isNull();
  }
}
