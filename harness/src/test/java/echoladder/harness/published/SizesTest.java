package echoladder.harness.published;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import echoladder.harness.common.Refusal;
import echoladder.harness.results.ClimbRecord;
import echoladder.harness.results.ClimbRecord.End;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Sizes from made-up points: what is measured, what lies between, and what nobody knows. */
class SizesTest {
  private static Point memory(String run, int connections, double ready, double each, @Nullable Double kernel) {
    return memory(run, "shared", connections, ready, each, kernel);
  }

  private static Point memory(String run, String place, int connections, double ready, double each, @Nullable Double kernel) {
    return new Point(
        "made-up", run, "server", Map.of(), place, connections, 1_000, 64, 1, new Point.Memory(ready, each, kernel), Point.Cpu.NONE);
  }

  private static Point cpu(String run, String place, int connections, double ratePerS, double least, double median, double most) {
    return cpu(run, 2, place, connections, ratePerS, least, median, most);
  }

  private static Point cpu(
      String run, int repeats, String place, int connections, double ratePerS, double least, double median, double most) {
    return new Point(
        "made-up", run, "server", Map.of(), place, connections, ratePerS, 64, repeats, new Point.Memory(null, null, null),
        new Point.Cpu(least, median, most));
  }

  private static MemorySize memory(long connections, Point... points) {
    return MemorySize.of(List.of(points), connections).orElseThrow();
  }

  @Test
  void atAMeasuredNumberItIsWhatWasMeasured() {
    MemorySize size = memory(10_000, memory("a", 1_000, 5e6, 3_000, 4_000.0), memory("a", 10_000, 5e6, 2_000, 3_500.0));
    assertThat(size.processBytes()).isEqualTo(5e6 + 2e7);
    assertThat(size.kernelBytes()).isEqualTo(3.5e7);
    assertThat(size.bytes()).isEqualTo(6e7);
    assertThat(size.how()).isEqualTo("measured there");
  }

  @Test
  void betweenTwoItLiesOnTheLineThroughBoth() {
    // 5 + 3 = 8 MB at 1,000 and 5 + 20 = 25 MB at 10,000: a third of the way is 13.67 MB.
    MemorySize size = memory(4_000, memory("a", 1_000, 5e6, 3_000, 4_000.0), memory("a", 10_000, 5e6, 2_000, 3_500.0));
    assertThat(size.processBytes()).isCloseTo(8e6 + 17e6 / 3, within(1.0));
    assertThat(size.kernelBytes()).isCloseTo(4e6 + 31e6 / 3, within(1.0));
    assertThat(size.how()).isEqualTo("between 1,000 and 10,000");
  }

  @Test
  void belowTheLowestEachConnectionIsAsThereAndBeyondTheHighestThereIsNone() {
    Point only = memory("a", 1_000, 5e6, 3_000, 4_000.0);
    MemorySize size = memory(100, only);
    assertThat(size.processBytes()).isCloseTo(5.3e6, within(1.0));
    assertThat(size.kernelBytes()).isCloseTo(4e5, within(1.0));
    assertThat(MemorySize.of(List.of(only), 1_001)).isEmpty();
    assertThat(MemorySize.of(List.of(only), 3_000_000_000L)).isEmpty();
  }

  @Test
  void theRunWithTheClosestRungsAroundItCounts() {
    Point wide = memory("a", 1_000, 0, 9_999, 1.0);
    Point wideToo = memory("a", 100_000, 0, 9_999, 1.0);
    Point close = memory("b", 9_000, 0, 2_000, 1.0);
    Point closeToo = memory("b", 11_000, 0, 2_000, 1.0);
    assertThat(memory(10_000, wide, wideToo, close, closeToo).from()).containsExactly(close, closeToo);
  }

  /** Not a later run of many more connections, whose share it would be. */
  @Test
  void whatWasMeasuredThereComesBeforeAShareOfMore() {
    Point there = memory("a", Point.LAB, 100_000, 0, 2_000, 1.0);
    Point more = memory("b", Point.LAB, 1_000_000, 0, 9_999, 1.0);
    assertThat(memory(100_000, there, more).from()).containsExactly(there);
    // Ten times as many are closer than a range of a thousand times.
    Point few = memory("c", Point.LAB, 1_000, 0, 2_000, 1.0);
    Point most = memory("c", Point.LAB, 1_000_000, 0, 2_000, 1.0);
    assertThat(memory(10_000, few, most, there).from()).containsExactly(there);
  }

  /** Its kernel is another one. */
  @Test
  void aRunInALabCountsOnlyWhereNoHostWasMeasuredAsClose() {
    Point host = memory("a", 10_000, 0, 2_000, 1.0);
    Point lab = memory("b", Point.LAB, 10_000, 0, 3_000, 1.0);
    Point labBeyond = memory("b", Point.LAB, 100_000, 0, 3_000, 1.0);
    assertThat(memory(10_000, lab, host, labBeyond).from()).containsExactly(host);
    assertThat(memory(100_000, lab, host, labBeyond).from()).containsExactly(labBeyond);
  }

  @Test
  void ofSeveralRatesTheOneThatTakesMostCounts() {
    assertThat(memory(1_000, memory("a", 1_000, 0, 2_000, 1.0), memory("a", 1_000, 0, 3_000, 1.0)).processBytes()).isEqualTo(3e6);
  }

  @Test
  void whereTheKernelsPartIsNotKnownThereIsNoSum() {
    MemorySize size = memory(1_000, memory("a", 1_000, 0, 2_000, null));
    assertThat(size.kernelBytes()).isNull();
    assertThat(size.bytes()).isNull();
  }

  @Test
  void coresAreThoseOfTheRatesAroundIt() {
    List<CoreSize> sizes =
        CoreSize.of(
            List.of(
                cpu("a", "shared", 1_000, 1_000, 90, 100, 110), cpu("a", "shared", 1_000, 10_000, 40, 50, 60),
                cpu("a", "apart", 1_000, 10_000, 20, 30, 35)),
            1_000,
            5_000);
    // At the least 5,000/s x 40 us, at the most 5,000/s x 110 us; apart, nothing below 10,000/s was measured, so that bounds it.
    assertThat(sizes).hasSize(2);
    assertThat(sizes.getFirst().low().place()).isEqualTo("apart");
    assertThat(sizes.getFirst().least()).isCloseTo(0.2, within(1e-9));
    assertThat(sizes.getFirst().most()).isCloseTo(0.35, within(1e-9));
    assertThat(sizes.getLast().least()).isCloseTo(0.2, within(1e-9));
    assertThat(sizes.getLast().most()).isCloseTo(0.55, within(1e-9));
  }

  @Test
  void beyondTheHighestRateThereAreNone() {
    CoreSize size = CoreSize.of(List.of(cpu("a", "shared", 1_000, 10_000, 40, 50, 60)), 1_000, 10_001).getFirst();
    assertThat(size.least()).isNull();
    assertThat(size.most()).isNull();
    assertThat(size.low().ratePerS()).isEqualTo(10_000);
    assertThat(size.high()).isNull();
  }

  @Test
  void aRunThatHasTheRateCountsBeforeOneThatHasTheConnections() {
    Point far = cpu("a", "shared", 100_000, 10_000, 40, 50, 60);
    Point near = cpu("b", "shared", 1_000, 1_000, 70, 80, 90);
    assertThat(CoreSize.of(List.of(near, far), 1_000, 9_000).getFirst().low()).isEqualTo(far);
    assertThat(CoreSize.of(List.of(near, far), 1_000, 900).getFirst().low()).isEqualTo(near);
  }

  @Test
  void ofRunsAsCloseTheOneWithMoreRepeatsCountsAndThenTheLatest() {
    Point six = cpu("a", 6, "shared", 1_000, 10_000, 40, 50, 60);
    Point two = cpu("b", 2, "shared", 1_000, 10_000, 70, 80, 90);
    Point later = cpu("c", 2, "shared", 1_000, 10_000, 70, 80, 90);
    assertThat(CoreSize.of(List.of(two, six, later), 1_000, 10_000).getFirst().low()).isEqualTo(six);
    assertThat(CoreSize.of(List.of(two, later), 1_000, 10_000).getFirst().low()).isEqualTo(later);
  }

  /** What an echo costs with few connections is no answer for many: nobody measured how it grows. */
  @Test
  void beyondTheConnectionsThatHadTheRateThereAreNone() {
    Point few = cpu("a", "shared", 1_000, 10_000, 40, 50, 60);
    Point many = cpu("b", "shared", 100_000, 1_000, 70, 80, 90);
    CoreSize size = CoreSize.of(List.of(few, many), 100_000, 9_000).getFirst();
    assertThat(size.known()).isFalse();
    assertThat(size.least()).isNull();
    assertThat(size.low()).isEqualTo(many);
    assertThat(CoreSize.of(List.of(few, many), 1_001, 9_000).getFirst().low()).isEqualTo(few);
    assertThat(CoreSize.of(List.of(few, many), 1_001, 9_000).getFirst().known()).isFalse();
    assertThat(CoreSize.of(List.of(few, many), 1_000, 9_000).getFirst().known()).isTrue();
  }

  private static SizeText.Answer answer(List<Point> points, List<ClimbEnd> climbs, long connections, @Nullable Double ratePerS) {
    return SizeText.of(new Points(points), new Climbs(climbs), List.of(new SizeText.Asked("server", "floor")), connections, ratePerS);
  }

  @Test
  void whatIsNotKnownIsSaidWithTheCommandThatMeasuresIt() {
    List<Point> points = List.of(memory("a", 1_000, 5e6, 3_000, 4_000.0), cpu("a", "shared", 1_000, 10_000, 40, 50, 60));
    SizeText.Answer within = answer(points, List.of(), 1_000, 8_000.0);
    assertThat(within.whole()).isTrue();
    assertThat(within.lines()).anyMatch(line -> line.matches("server +11.4 MiB +7.63 MiB +3.81 MiB +11.7 KiB +measured there"))
        .anyMatch(line -> line.matches("server +0.40 to 0.60 +50.0 µs +10,000/s, 1,000 connections, 64 B, cores shared"))
        .doesNotContain("Not answered:");
    SizeText.Answer beyond = answer(points, List.of(), 1_001, 20_000.5);
    assertThat(beyond.whole()).isFalse();
    assertThat(String.join("\n", beyond.lines()))
        .contains("Not answered:")
        .contains("./ladder run memory --set 'servers=[server]' --set 'rungs=[1001]'")
        .containsPattern("server +– +50.0 µs +10,000/s at the most, 1,000 connections, 64 B, cores shared")
        .contains(
            "its CPU was measured up to 10,000/s with 1,000 connections (cores shared); for 20,000.5/s with 1,001 connections: "
                + "./ladder run load-surface --set 'servers=[floor, server]' --set 'rungs=[1001]' --set 'load.rate.totals=[10000/s, 20001/s]'");
    assertThat(String.join("\n", answer(List.of(), List.of(), 6_000_000, 1.0).lines())).contains("no study climbs beyond 5,000,000").doesNotContain("./ladder");
  }

  /** A placement that has no answer takes nothing from one that has. */
  @Test
  void coresOfOnePlacementAreAnAnswer() {
    List<Point> points =
        List.of(memory("a", 9_000, 5e6, 3_000, 4_000.0), cpu("a", "shared", 9_000, 10_000, 40, 50, 60), cpu("b", "apart", 1_000, 10_000, 20, 30, 35));
    SizeText.Answer answer = answer(points, List.of(), 9_000, 10_000.0);
    assertThat(answer.whole()).isTrue();
    assertThat(answer.lines())
        .anyMatch(line -> line.matches("server +0.40 to 0.60 .*cores shared"))
        .anyMatch(line -> line.matches("server +– +30.0 µs +10,000/s at the most, 1,000 connections, 64 B, cores apart"));
  }

  @Test
  void theRunsAndWhatIsNotInTheFiguresAreSaid() {
    List<String> lines = answer(List.of(memory("b", 1_000, 5e6, 3_000, 4_000.0), cpu("a", "shared", 1_000, 10_000, 40, 50, 60)), List.of(), 1_000, 8_000.0).lines();
    assertThat(lines.get(lines.size() - 2)).isEqualTo("From the published runs made-up/a, made-up/b.");
    assertThat(lines.getLast()).startsWith("Not in it: what your code keeps per connection, TLS, ").endsWith("other hosts and other sizes of message.");
  }

  private static ClimbEnd climb(String run, String place, int held, ClimbRecord.End end, @Nullable Integer endedAt, String by) {
    return new ClimbEnd("made-up", run, "server", Map.of(), place, held, end, endedAt, by);
  }

  @Test
  void whatStoppedAServerIsTheFirstEndBeyondWhatItHeld() {
    ClimbEnd host = climb("a", "shared", 19_000, End.TOP_OF_STUDY, null, "");
    ClimbEnd lower = climb("b", Point.LAB, 10_000, End.SERVER_FAILED, 15_000, "server-not-ready");
    ClimbEnd before = climb("c", Point.LAB, 10_000, End.OUT_OF_REACH, 100_000, "memory");
    ClimbEnd further = climb("d", Point.LAB, 10_000, End.SERVER_FAILED, 200_000, "server-died");
    assertThat(Ceiling.of(List.of(lower, host)).orElseThrow().stopped()).isEqualTo("nothing up to 19,000");
    assertThat(Ceiling.of(List.of(further, host, before, lower)).orElseThrow().stopped()).isEqualTo("memory, before 100,000");
    assertThat(Ceiling.of(List.of(further, host)).orElseThrow().stopped()).isEqualTo("server-died, at 200,000");
    assertThat(Ceiling.of(List.of(climb("e", "shared", 0, End.NOT_HELD, 10, "")))).isEmpty();
    List<String> lines = answer(List.of(), List.of(host, before), 1, null).lines();
    assertThat(lines).anyMatch(line -> line.matches("server +19,000  memory, before 100,000, in the lab"));
    assertThat(lines).contains("From the published runs made-up/a, made-up/c.");
  }

  @Test
  void theEndOfAClimbIsReadAsItWasWritten() {
    ClimbRecord record =
        new ClimbRecord("label", 10, End.NOT_HELD, 20, "the server's --backlog was met: 3; see runbooks/symptoms/accept-queue.md", null);
    ClimbEnd end = ClimbEnd.of("s", "r", "server", Map.of("gc", "Serial"), "shared", record).orElseThrow();
    assertThat(end.line()).isEqualTo("s,r,server,gc=Serial,shared,10,not-held,20,accept-queue");
    assertThat(ClimbEnd.parse(end.line())).isEqualTo(end);
    ClimbRecord touched = new ClimbRecord("label", 20, End.TOP_OF_STUDY, null, "it was climbed; see runbooks/symptoms/orphans.md", null);
    ClimbEnd top = ClimbEnd.of("s", "r", "server", Map.of(), "lab", touched).orElseThrow();
    assertThat(top.endedBy()).as("it ended nothing").isEmpty();
    assertThat(ClimbEnd.parse(top.line())).isEqualTo(top);
    assertThat(ClimbEnd.of("s", "r", "server", Map.of(), "lab", new ClimbRecord("label", 20, End.UNFINISHED, null, "it runs", null))).isEmpty();
    assertThatThrownBy(() -> ClimbEnd.parse("s,r,server,,lab,20,unfinished,,")).hasMessageContaining("'unfinished' is no end of a climb");
  }

  @Test
  void aLineIsReadAsItWasWritten() {
    Point point =
        new Point(
            "one-million", "20261122T023111Z-613e", "netty", Map.of("gc", "Serial", "young-heap", "32m"), Point.LAB, 1_000_000, 1666.67, 64, 1,
            new Point.Memory(1e8, 1692.125, null), new Point.Cpu(1.5, 2.25, 3.125));
    assertThat(Point.parse(point.line())).isEqualTo(point);
    assertThat(Points.parse(Point.HEADER + "\n" + point.line() + "\n", "file").all()).containsExactly(point);
  }

  @Test
  void aFileThatIsNoneIsRefused() {
    assertThatThrownBy(() -> Points.parse("", "file")).isInstanceOf(Refusal.class).hasMessageContaining("its first line is not");
    assertThatThrownBy(() -> Points.parse(Point.HEADER + "\na,b\n", "file")).isInstanceOf(Refusal.class).hasMessageContaining("'a,b' has not the cells");
    assertThatThrownBy(() -> Points.parse(Point.HEADER + "\ns,r,v,,shared,x,1,64,1,,,,,,\n", "file"))
        .isInstanceOf(Refusal.class).hasMessageContaining("index");
  }
}
