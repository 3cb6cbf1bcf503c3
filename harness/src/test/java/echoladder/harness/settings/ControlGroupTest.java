package echoladder.harness.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Against folders of the form that both versions have. */
class ControlGroupTest {
  private static final Map<ControlGroup.Kind, Long> BOTH =
      Map.of(ControlGroup.Kind.MEMORY, 1_000_000L, ControlGroup.Kind.TASKS, 40L);

  @TempDir private Path root;

  @BeforeEach
  void noneYet() {
    assertThat(root).isEmptyDirectory();
  }

  /** A process is in one group of version 2: a second one would take it out of the first, and out of its limit. */
  @Test
  void bothLimitsAreInOneGroupOfVersion2() throws IOException {
    Files.writeString(root.resolve("cgroup.controllers"), "cpu memory pids\n");
    List<ControlGroup> made = ControlGroup.make(root, "ours", BOTH);
    assertThat(made).containsExactly(new ControlGroup(root.resolve("ours")));
    assertThat(root.resolve("ours/memory.max")).hasContent("1000000");
    assertThat(root.resolve("ours/pids.max")).hasContent("40");
  }

  @Test
  void eachLimitHasItsOwnHierarchyOfVersion1() throws IOException {
    for (String controller : List.of("memory", "pids")) {
      Files.writeString(Files.createDirectory(root.resolve(controller)).resolve("cgroup.procs"), "");
    }
    assertThat(ControlGroup.make(root, "ours", BOTH))
        .containsExactly(
            new ControlGroup(root.resolve("memory/ours")), new ControlGroup(root.resolve("pids/ours")));
    assertThat(root.resolve("memory/ours/memory.limit_in_bytes")).hasContent("1000000");
    assertThat(root.resolve("pids/ours/pids.max")).hasContent("40");
  }

  @Test
  void whereOneCannotBeMadeNoneIsLeft() throws IOException {
    Files.writeString(Files.createDirectory(root.resolve("pids")).resolve("cgroup.procs"), "");
    assertThatThrownBy(() -> ControlGroup.make(root, "ours", BOTH))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("controller 'memory'");
    try (Stream<Path> left = Files.list(root.resolve("pids"))) {
      assertThat(left.map(path -> path.getFileName().toString())).containsExactly("cgroup.procs");
    }
  }

  @Test
  void aGroupThatStaysIsNamedWithWhatIsInIt() throws IOException {
    Path group = Files.createDirectory(root.resolve("ours"));
    Files.writeString(group.resolve("cgroup.procs"), "4711\n");
    assertThatThrownBy(new ControlGroup(group)::close)
        .isInstanceOf(IOException.class)
        .hasMessageContaining(group.toString())
        .hasMessageContaining("processes in it: 4711");
  }
}
