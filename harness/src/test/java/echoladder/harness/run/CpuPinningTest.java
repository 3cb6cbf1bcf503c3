package echoladder.harness.run;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.linux.cpu.CpuList;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who is where on hosts of all sizes: nothing else that measures is on the cores of server and loops where there are others. */
class CpuPinningTest {
  @TempDir private Path sys = Path.of("");

  /** Cores of so many threads, numbered as Linux does: the second threads of all cores after the first ones. */
  private CpuList host(int cores, int threads) throws IOException {
    for (int cpu = 0; cpu < cores * threads; cpu++) {
      StringBuilder siblings = new StringBuilder();
      for (int thread = 0; thread < threads; thread++) {
        siblings.append(thread == 0 ? "" : ",").append(cpu % cores + thread * cores);
      }
      Path topology = Files.createDirectories(sys.resolve("devices/system/cpu/cpu" + cpu + "/topology"));
      Files.writeString(topology.resolve("core_cpus_list"), siblings + "\n");
    }
    return CpuList.parse("0-" + (cores * threads - 1));
  }

  private static CpuList list(List<String> wrapped) {
    return CpuList.parse(wrapped.get(wrapped.indexOf("-c") + 1));
  }

  @ParameterizedTest
  @CsvSource({"3, 1", "3, 2", "4, 1", "4, 2", "8, 2", "16, 1", "64, 2"})
  void withThreeCoresOrMoreTheLadderAndTheHelpersHaveOneOfTheirOwn(int cores, int threads) throws Exception {
    CpuList all = host(cores, threads);
    CpuPinning apart = CpuPinning.of("apart", sys, all);
    CpuList server = list(apart.server(List.of("java")));
    CpuList loops = CpuList.parse(Objects.requireNonNull(apart.loops()));
    CpuList client = list(apart.client());
    CpuList harness = apart.harness(all);
    assertThat(apart.crowded()).isFalse();
    assertThat(harness.size()).as("one core, all its threads").isEqualTo(threads);
    assertThat(harness.in(server.with(loops)).isEmpty()).as("the ladder, its samplers and pages").isTrue();
    assertThat(client.without(loops)).as("the client's driver, compilers and collector").isEqualTo(harness);
    assertThat(client.in(server).isEmpty()).isTrue();
    assertThat(server.with(client)).as("nothing is left over").isEqualTo(all);
  }

  @ParameterizedTest
  @CsvSource({"1", "2"})
  void withTwoCoresNoneIsLeftAndThatIsKnown(int threads) throws Exception {
    CpuList all = host(2, threads);
    CpuPinning apart = CpuPinning.of("apart", sys, all);
    assertThat(apart.crowded()).isTrue();
    assertThat(apart.harness(all)).as("the ladder stays where it was").isEqualTo(all);
    assertThat(list(apart.client())).as("the client's other threads are on the core of its loop").hasToString(apart.loops());
  }

  @Test
  void listsLeaveTheRestToTheHelpers() throws Exception {
    CpuList all = host(4, 1);
    CpuPinning lists = CpuPinning.of("server=0-1 client=3", sys, all);
    assertThat(lists.harness(all)).hasToString("2");
    assertThat(list(lists.client())).hasToString("2-3");
    assertThat(CpuPinning.of("server=0-2 client=3", sys, all).crowded()).isTrue();
    CpuPinning shared = CpuPinning.of("shared", sys, all);
    assertThat(shared.crowded()).isFalse();
    assertThat(shared.harness(all)).isEqualTo(all);
    assertThat(shared.client()).isEmpty();
    assertThat(shared.server(List.of("java"))).containsExactly("java");
  }
}
