package echoladder.linux.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class ProcessTreeTest {
  private static final Duration LONG = Duration.ofSeconds(30);

  private static Process shell(String script) throws IOException {
    return new ProcessBuilder("sh", "-c", script).start();
  }

  @Test
  void sumsAProcessAndAllThatItHasStarted() throws Exception {
    Process root = shell("sh -c 'sleep 60; :' & sleep 61; :");
    ProcessTree tree = new ProcessTree(root.pid());
    try {
      Awaitility.await().atMost(LONG).until(() -> tree.pids().size() == 4);
      assertThat(tree.pids()).startsWith(root.pid());
      long ofRoot = Objects.requireNonNull(ProcessMemory.rssBytes(root.pid()));
      assertThat(Objects.requireNonNull(tree.rssBytes())).isGreaterThan(2 * ofRoot);
      assertThat(Objects.requireNonNull(tree.descriptors())).isGreaterThanOrEqualTo(12);
      assertThat(Objects.requireNonNull(tree.cpuNs())).isPositive();
    } finally {
      tree.handles().toList().forEach(ProcessHandle::destroyForcibly);
      root.waitFor();
    }
    assertThat(tree.pids()).isEmpty();
    assertThat(new ProcessTree(root.pid()).pids()).isEmpty();
    assertThat(tree.cpuNs()).isNull();
    assertThat(tree.rssBytes()).isNull();
    assertThat(tree.descriptors()).isNull();
  }

  /** A server that forks for each connection has its work in children that are gone. */
  @Test
  void theCpuOfChildrenThatHaveEndedIsCounted() throws Exception {
    Process root = shell("sh -c 'i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done'; echo done; sleep 60; :");
    ProcessTree tree = new ProcessTree(root.pid());
    try {
      assertThat((char) root.getInputStream().read()).isEqualTo('d');
      long own = new ProcessCpu().ns(root.pid());
      assertThat(Objects.requireNonNull(tree.cpuNs())).isGreaterThanOrEqualTo(own + 10_000_000);
    } finally {
      tree.handles().toList().forEach(ProcessHandle::destroyForcibly);
      root.waitFor();
    }
  }

  private static Process marked(String mark, String script) throws IOException {
    ProcessBuilder builder = new ProcessBuilder("sh", "-c", script);
    builder.environment().put(ProcessTree.MARK, mark);
    return builder.start();
  }

  @Test
  void aProcessThatLeftItsParentsBelongsToItByItsMark() throws Exception {
    String leaves = "(setsid sleep 62 &); sleep 61; :";
    Process root = marked("here", leaves);
    Process other = marked("there", leaves);
    ProcessTree tree = new ProcessTree(root.pid());
    ProcessTree others = new ProcessTree(other.pid());
    try {
      Awaitility.await().atMost(LONG).until(() -> tree.pids().size() == 3 && others.pids().size() == 3);
      ProcessHandle stray = tree.handles().skip(2).findFirst().orElseThrow();
      assertThat(root.descendants()).doesNotContain(stray);
      assertThat(others.pids()).doesNotContainAnyElementsOf(tree.pids());
      assertThat(Objects.requireNonNull(tree.descriptors())).isGreaterThanOrEqualTo(9);
      assertThat(stray.destroyForcibly()).isTrue();
      Awaitility.await().atMost(LONG).until(() -> tree.pids().size() == 2);
    } finally {
      others.handles().toList().forEach(ProcessHandle::destroyForcibly);
      tree.handles().toList().forEach(ProcessHandle::destroyForcibly);
      root.waitFor();
      other.waitFor();
    }
    assertThat(tree.pids()).isEmpty();
  }

  /** Nobody of the tree waits for it, so its CPU would be gone with it, and the sum would fall. */
  @Test
  void theCpuOfOneThatLeftItsParentsStaysWhenItHasEnded() throws Exception {
    Process root =
        marked(
            "cpu",
            "(setsid sh -c 'i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done; echo done; exec sleep 60' &); sleep 61; :");
    ProcessTree tree = new ProcessTree(root.pid());
    try {
      assertThat((char) root.getInputStream().read()).isEqualTo('d');
      long own = new ProcessCpu().ns(root.pid());
      long before = Objects.requireNonNull(tree.cpuNs());
      assertThat(before).isGreaterThanOrEqualTo(own + 10_000_000);
      tree.handles().skip(2).toList().forEach(ProcessHandle::destroyForcibly);
      Awaitility.await().atMost(LONG).until(() -> tree.pids().size() == 2);
      assertThat(Objects.requireNonNull(tree.cpuNs())).isGreaterThanOrEqualTo(before);
      assertThat(Objects.requireNonNull(tree.cpuNs())).isGreaterThanOrEqualTo(before);
    } finally {
      tree.handles().toList().forEach(ProcessHandle::destroyForcibly);
      root.waitFor();
    }
  }

  @Test
  void findsAProcessThatLeftItsParentsByItsEnvironment() throws Exception {
    ProcessBuilder builder = new ProcessBuilder("sh", "-c", "setsid sleep 60 &");
    builder.environment().put("ECHOLADDER_TREE_TEST", "a=b");
    assertThat(builder.start().waitFor()).isZero();
    Awaitility.await().atMost(LONG).until(() -> !ProcessTree.withVariable("ECHOLADDER_TREE_TEST=a=b").isEmpty());
    ProcessTree.withVariable("ECHOLADDER_TREE_TEST=a=b").forEach(ProcessHandle::destroyForcibly);
    Awaitility.await().atMost(LONG).until(() -> ProcessTree.withVariable("ECHOLADDER_TREE_TEST=a=b").isEmpty());
  }
}
