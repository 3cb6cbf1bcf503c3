package echoladder.openloop.shard;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.linux.cpu.CpuList;
import echoladder.linux.cpu.CpuTopology;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each loop on a core of its own, and nobody else there as long as there are others. */
class ThreadPinningTest {
  private static List<CpuTopology.Core> cores(String text) {
    return Arrays.stream(text.split(" ", -1)).map(cpus -> new CpuTopology.Core(CpuList.parse(cpus), 0)).toList();
  }

  @ParameterizedTest
  @CsvSource({
    // cores of the plan, processors of the process; first loop of this process, loops of the load, loops here; where they
    // are; where the rest is
    "1,       1,   0, 1, 1, 1,     1",
    "1,       1-2, 0, 1, 1, 1,     2",
    "1 2,     1-2, 0, 1, 1, 1,     2",
    "1 2 3,   1-3, 0, 1, 1, 1,     2-3",
    "1 2,     0-2, 0, 1, 1, 1,     0 2",
    "1 2,     1-2, 0, 2, 2, 1/2,   1-2",
    "1 2,     1-2, 0, 3, 3, 1/2/1, 1-2",
    "1-2 3-4, 1-4, 0, 1, 1, 1-2,   3-4",
    "1 2 3,   1-3, 1, 2, 1, 2,     3",
    "1 2 3,   1-3, 2, 3, 1, 3,     1-3",
  })
  void aCoreForEachLoopAndTheRestForTheOthers(
      String cores, String process, int first, int loops, int here, String loopsAt, String othersAt) {
    ThreadPinning seats = new ThreadPinning(cores(cores), CpuList.parse(process), CpuList.of(), first, loops);
    String at =
        IntStream.range(0, here).mapToObj(i -> String.valueOf(seats.loop(i))).collect(Collectors.joining("/"));
    assertThat(at).isEqualTo(loopsAt);
    assertThat(seats.helpers()).hasToString(othersAt.replace(' ', ','));
  }

  /** Two cores: the server's has idle time, and a polling loop's has none. */
  @Test
  void theOthersMayGoToTheServersProcessorsWhereTheLoopsTakeAllTheRest() {
    ThreadPinning crowded = new ThreadPinning(cores("1"), CpuList.parse("1"), CpuList.parse("0"), 0, 1);
    assertThat(crowded.helpers()).hasToString("0-1");
    assertThat(crowded.crowded()).isTrue();
    ThreadPinning roomy = new ThreadPinning(cores("1"), CpuList.parse("1-2"), CpuList.parse("0"), 0, 1);
    assertThat(roomy.helpers()).as("they have a core of their own").hasToString("2");
    assertThat(roomy.crowded()).isFalse();
  }

  @Test
  void aPlanThatNamesNoneKeepsNobodyAnywhere() throws Exception {
    ThreadPinning seats = new ThreadPinning(List.of(), CpuList.parse("0-3"), CpuList.of(), 0, 1);
    assertThat(seats.loop(0)).isNull();
    assertThat(seats.helpers().isEmpty()).isTrue();
    seats.take();
    seats.takeLoop(0);
  }
}
