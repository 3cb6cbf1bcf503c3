package echoladder.linux.cpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import echoladder.linux.process.CpuAffinity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Cores and placements, from trees like /sys, and the kernel's own word on what is in force. */
class CpuTopologyTest {
  @TempDir private Path sys = Path.of("");

  private static CpuList list(String text) {
    return CpuList.parse(text);
  }

  /** A host whose cores have these threads each, with so many cores on a node. */
  private List<CpuTopology.Core> host(int coresPerNode, String... cores) throws IOException {
    int core = 0;
    for (String threads : cores) {
      for (int cpu : list(threads).stream().toArray()) {
        Path folder = Files.createDirectories(sys.resolve("devices/system/cpu/cpu" + cpu));
        Files.createDirectories(folder.resolve("node" + core / coresPerNode));
        Files.createDirectories(folder.resolve("topology"));
        Files.writeString(folder.resolve("topology/thread_siblings_list"), threads + "\n");
      }
      core++;
    }
    return CpuTopology.cores(sys, CpuList.union(List.of(cores).stream().map(CpuTopologyTest::list).toList()));
  }

  private static String words(CpuPlacement placement) {
    return "server %s, client %s, helpers %s".formatted(placement.server(), placement.client(), placement.helpers());
  }

  @Test
  void twoCoresAreOneEachAndNoneIsLeft() throws Exception {
    assertThat(words(CpuPlacement.apart(host(2, "0", "1")))).isEqualTo("server 0, client 1, helpers ");
  }

  @Test
  void threadsOfACoreStayTogether() throws Exception {
    // As Linux numbers them on most hosts: the second threads of all cores after the first ones.
    List<CpuTopology.Core> cores = host(4, "0,4", "1,5", "2,6", "3,7");
    assertThat(cores).hasSize(4);
    assertThat(words(CpuPlacement.apart(cores))).isEqualTo("server 0-1,4-5, client 2,6, helpers 3,7");
  }

  @Test
  void nodesAreFilledOneAfterTheOther() throws Exception {
    // Numbers alternate between two nodes, as some boards have it.
    for (int cpu = 0; cpu < 8; cpu++) {
      Path folder = Files.createDirectories(sys.resolve("devices/system/cpu/cpu" + cpu + "/topology"));
      Files.createDirectories(folder.resolveSibling("node" + cpu % 2));
      Files.writeString(folder.resolve("core_cpus_list"), cpu + "\n");
    }
    List<CpuTopology.Core> cores = CpuTopology.cores(sys, list("0-7"));
    assertThat(cores.stream().map(CpuTopology.Core::node)).containsExactly(0, 0, 0, 0, 1, 1, 1, 1);
    assertThat(words(CpuPlacement.apart(cores))).isEqualTo("server 0-2,4,6, client 3,5, helpers 7");
  }

  @Test
  void aHostWithoutTopologyHasACoreForEachProcessor() {
    assertThat(CpuTopology.cores(sys, list("0-2"))).extracting(CpuTopology.Core::cpus).containsExactly(list("0"), list("1"), list("2"));
  }

  @Test
  void whatIsNotAllowedIsNobodys() throws Exception {
    host(4, "0,4", "1,5", "2,6", "3,7");
    assertThat(CpuTopology.cores(sys, list("1,4-5"))).extracting(CpuTopology.Core::cpus).containsExactly(list("1,5"), list("4"));
  }

  @Test
  void oneCoreCannotBeParted() throws Exception {
    List<CpuTopology.Core> one = host(1, "0,1");
    assertThatThrownBy(() -> CpuPlacement.apart(one))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("one core alone, with the processors 0-1");
  }

  @ParameterizedTest
  @CsvSource({"2, 1, 1, 0", "3, 1, 1, 1", "4, 2, 1, 1", "8, 5, 2, 1", "64, 47, 16, 1"})
  void everyCoreIsSomebodys(int cores, int server, int client, int helpers) throws Exception {
    CpuPlacement placement =
        CpuPlacement.apart(host(cores, IntStream.range(0, cores).mapToObj(Integer::toString).toArray(String[]::new)));
    assertThat(placement.server().size()).isEqualTo(server);
    assertThat(placement.client().size()).isEqualTo(client);
    assertThat(placement.helpers().size()).isEqualTo(helpers);
    assertThat(placement.server().with(placement.clientProcess()).size()).isEqualTo(cores);
  }

  @Test
  void listsAreTakenWhereTheyAreThere() {
    CpuPlacement wanted = CpuPlacement.of(list("0-1"), list("2"), list("0-3"));
    assertThat(words(wanted)).isEqualTo("server 0-1, client 2, helpers 3");
    assertThat(wanted.clientProcess()).isEqualTo(list("2-3"));
    assertThatThrownBy(() -> CpuPlacement.of(list("0"), list("4"), list("0-3")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the processors 4 are not all there: this process may run on 0-3");
  }

  @ParameterizedTest
  @CsvSource(delimiter = ' ', value = {"0 0", "3-5,1 1,3-5", "0,1,2 0-2", "7-7 7", "8191 8191"})
  void readsAndWritesTheKernelsForm(String text, String written) {
    assertThat(list(text)).hasToString(written);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a", "1,", "3-1", "8192", "99999", "0--1", "-1"})
  void refusesAnother(String text) {
    assertThatThrownBy(() -> list(text)).isInstanceOf(IllegalArgumentException.class).hasMessageContaining("is no list of processors");
  }

  @Test
  void aThreadIsKeptWhereItIsTold() throws Exception {
    CpuList before = Objects.requireNonNull(CpuAffinity.ofThread());
    CpuList one = CpuList.of(before.stream().findFirst().orElseThrow());
    CpuAffinity.pinThread(one);
    try {
      assertThat(CpuAffinity.ofThread()).isEqualTo(one);
      Process child = new ProcessBuilder("sleep", "30").start();
      try {
        assertThat(CpuAffinity.of(child.pid())).as("a child is where its starter was").isEqualTo(one);
      } finally {
        child.destroy();
        child.waitFor();
      }
    } finally {
      CpuAffinity.pinThread(before);
    }
    assertThat(CpuAffinity.ofThread()).isEqualTo(before);
    assertThatThrownBy(() -> CpuAffinity.pinThread(list("8000")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("cannot run on the processors 8000: sched_setaffinity said EINVAL");
  }
}
