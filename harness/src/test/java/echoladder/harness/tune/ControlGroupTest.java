package echoladder.harness.tune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import echoladder.linux.ControlGroups;
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

  /** A host where that is mounted, each under its name. */
  private ControlGroups mounted(String... lines) throws IOException {
    Files.createDirectories(root.resolve("proc/self"));
    Files.writeString(root.resolve("proc/self/mountinfo"), String.join("\n", lines));
    return new ControlGroups(root, "self");
  }

  private static String version1(String controller) {
    return "35 31 0:32 / /" + controller + " rw - cgroup cgroup rw," + controller;
  }

  /** A process is in one group of version 2: a second one would take it out of the first, and out of its limit. */
  @Test
  void bothLimitsAreInOneGroupOfVersion2() throws IOException {
    Files.writeString(Files.createDirectory(root.resolve("unified")).resolve("cgroup.controllers"), "cpu memory pids\n");
    List<ControlGroup> made = ControlGroup.make(mounted("30 23 0:28 / /unified rw - cgroup2 cgroup rw"), "ours", BOTH, _ -> {});
    assertThat(made).containsExactly(new ControlGroup(root.resolve("unified/ours")));
    assertThat(root.resolve("unified/ours/memory.max")).hasContent("1000000");
    assertThat(root.resolve("unified/ours/pids.max")).hasContent("40");
    assertThat(root.resolve("unified/cgroup.subtree_control")).as("what is handed on: each by a write of its own").hasContent("+pids");
  }

  /** As by systemd, which hands most of them on. */
  @Test
  void whatVersion2HandsOnAlreadyIsNotAskedForAgain() throws IOException {
    Path unified = Files.createDirectory(root.resolve("unified"));
    Files.writeString(unified.resolve("cgroup.controllers"), "cpu memory pids\n");
    Files.writeString(unified.resolve("cgroup.subtree_control"), "memory pids\n");
    assertThat(ControlGroup.make(mounted("30 23 0:28 / /unified rw - cgroup2 cgroup rw"), "ours", BOTH, _ -> {})).hasSize(1);
    assertThat(unified.resolve("cgroup.subtree_control")).hasContent("memory pids");
  }

  @Test
  void whereVersion2HandsNothingOnThatIsSaidAndNoneIsLeft() throws IOException {
    Path unified = Files.createDirectory(root.resolve("unified"));
    Files.writeString(unified.resolve("cgroup.controllers"), "memory pids\n");
    Files.createDirectory(unified.resolve("cgroup.subtree_control"));
    ControlGroups here = mounted("30 23 0:28 / /unified rw - cgroup2 cgroup rw");
    assertThatThrownBy(() -> ControlGroup.make(here, "ours", BOTH, _ -> {}))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("the controller 'memory' cannot be handed on to a group below " + unified)
        .hasMessageContaining("run it on the host itself");
    assertThat(unified.resolve("ours")).doesNotExist();
  }

  @Test
  void eachLimitHasItsOwnHierarchyOfVersion1() throws IOException {
    for (String controller : List.of("memory", "pids")) {
      Files.writeString(Files.createDirectory(root.resolve(controller)).resolve("cgroup.procs"), "");
    }
    assertThat(ControlGroup.make(mounted(version1("memory"), version1("pids")), "ours", BOTH, _ -> {}))
        .containsExactly(
            new ControlGroup(root.resolve("memory/ours")), new ControlGroup(root.resolve("pids/ours")));
    assertThat(root.resolve("memory/ours/memory.limit_in_bytes")).hasContent("1000000");
    assertThat(root.resolve("pids/ours/pids.max")).hasContent("40");
  }

  @Test
  void whereOneCannotBeMadeNoneIsLeft() throws IOException {
    Files.writeString(Files.createDirectory(root.resolve("pids")).resolve("cgroup.procs"), "");
    ControlGroups here = mounted(version1("pids"));
    assertThatThrownBy(() -> ControlGroup.make(here, "ours", BOTH, _ -> {}))
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
