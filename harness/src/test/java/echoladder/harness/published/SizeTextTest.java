package echoladder.harness.published;

import static echoladder.harness.published.MadeUpPoints.cpu;
import static echoladder.harness.published.MadeUpPoints.memory;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import echoladder.harness.common.Refusal;
import echoladder.harness.results.ClimbRecord.End;
import echoladder.harness.results.ClimbRecord;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The answer of size from made-up points and climbs, and the files that these are read from. */
class SizeTextTest {
  @Test
  void eachSizeOfMessageIsAnAnswerOfItsOwn() {
    Point large =
        new Point("made-up", "a", "server", Map.of(), "shared", 1_000, 1_000, 65_536, 3, new Point.Memory(0.0, 150_000.0, 1.0), new Point.Cpu(70.0, 80.0, 90.0));
    Point small = memory("a", 1_000, 0, 10_000, 1.0);
    Points both = new Points(List.of(small, large));
    assertThat(both.of("server", 64)).containsExactly(small);
    String text =
        String.join("\n", SizeText.of(both, new Climbs(List.of()), List.of(SERVER), new SizeText.Wanted(1_000, 1_000.0, 64), WITHIN_REACH).lines());
    assertThat(text).contains("1,000/s, 64 B").doesNotContain("65536 B").containsPattern("server +– +– +not measured");
    String other =
        String.join("\n", SizeText.of(both, new Climbs(List.of()), List.of(SERVER), new SizeText.Wanted(1_000, null, 1_024), WITHIN_REACH).lines());
    assertThat(other).contains("holds 1,000 connections, messages of 1024 B; to measure it: ./ladder run memory", " --set load.message=1024B");
  }

  /** Two sources meet: whoever asks for more connections sees that another run took more with fewer. */
  @Test
  void aStepDownFromOneRunToAnotherIsSaid() {
    Point host = memory("a", 19_000, 0, 17_000, 5_000.0);
    Point lab = memory("b", Point.LAB, 100_000, 0, 2_000, 3_000.0);
    assertThat(answer(List.of(host, lab), List.of(), 20_000, null).lines())
        .anyMatch(line -> line.matches("server +95.4 MiB .* each as at 100,000: made-up/b: 100,000 connections, 1,000/s, 64 B, in the lab"))
        .contains("server took more with fewer connections in another run: 399 MiB, made-up/a: 19,000 connections, 1,000/s, 64 B, cores shared");
    assertThat(answer(List.of(host, lab), List.of(), 19_000, null).lines()).noneMatch(line -> line.contains("another run"));
  }

  private static final SizeText.Asked SERVER = new SizeText.Asked("server", "floor");
  private static final SizeText.Reach WITHIN_REACH = (run, server) -> null;

  private static SizeText.Answer answer(List<Point> points, List<ClimbEnd> climbs, long connections, @Nullable Double ratePerS) {
    return SizeText.of(
        new Points(points), new Climbs(climbs), List.of(SERVER), new SizeText.Wanted(connections, ratePerS, 64), WITHIN_REACH);
  }

  @Test
  void whatIsNotKnownIsSaidWithTheCommandThatMeasuresIt() {
    List<Point> points = List.of(memory("a", 1_000, 5e6, 3_000, 4_000.0), cpu("a", "shared", 1_000, 10_000, 40, 50, 60));
    SizeText.Answer within = answer(points, List.of(), 1_000, 8_000.0);
    assertThat(within.whole()).isTrue();
    assertThat(within.lines())
        .anyMatch(line -> line.matches("server +11.4 MiB +7.63 MiB +3.81 MiB +11.7 KiB +measured there: made-up/a: 1,000 connections, 1,000/s, 64 B, cores shared"))
        .anyMatch(
            line -> line.matches("server +0.32 to 0.60 +50.0 µs +bounds, as below 10,000/s: made-up/a: 1,000 connections, 10,000/s, 64 B, cores shared"))
        .doesNotContain("Not answered:");
    SizeText.Answer beyond = answer(points, List.of(), 1_001, 20_000.5);
    assertThat(beyond.whole()).isFalse();
    assertThat(String.join("\n", beyond.lines()))
        .contains("Not answered:")
        .contains("./ladder run memory --set 'servers=[server]' --set 'rungs=[1001]'")
        .containsPattern("server +– +50.0 µs +not measured, closest is made-up/a: 1,000 connections, 10,000/s, 64 B, cores shared")
        .contains(
            "server: no cores for 20,000.5/s with 1,001 connections, messages of 64 B; the closest that was measured is 10,000/s with 1,000"
                + " connections (cores shared); to measure it: ./ladder run load-surface --set 'servers=[floor, server]' --set 'rungs=[1001]'"
                + " --set 'load.rate.totals=[10000/s, 20001/s]'");
    assertThat(String.join("\n", answer(List.of(), List.of(), 6_000_000, 1.0).lines()))
        .contains("no study goes beyond 5,000,000 connections").doesNotContain("./ladder");
  }

  /** A command that this host cannot do is none. */
  @Test
  void aStudyThatIsOutOfReachIsNotNamed() {
    SizeText.Answer answer =
        SizeText.of(
            new Points(List.of()), new Climbs(List.of()), List.of(SERVER), new SizeText.Wanted(100_000, 5_000.0, 64),
            (run, server) -> run.study().equals("memory") ? null : "hard nofile 20,000");
    assertThat(answer.lines())
        .anyMatch(line -> line.contains("to measure it: ./ladder run memory "))
        .anyMatch(
            line -> line.contains(
                "this host cannot measure it (hard nofile 20,000); './ladder doctor --connections 100000 --server server' has its limits"))
        .noneMatch(line -> line.contains("load-surface"));
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
        .anyMatch(line -> line.matches("server +– +30.0 µs +not measured, closest is made-up/b: 1,000 connections, 10,000/s, 64 B, cores apart"));
  }

  @Test
  void whatIsNotInTheFiguresIsSaid() {
    List<String> lines = answer(List.of(memory("b", 1_000, 5e6, 3_000, 4_000.0)), List.of(), 1_000, 8_000.0).lines();
    assertThat(lines.getLast()).startsWith("Not in it: what your code keeps per connection, TLS, ").endsWith("other hosts.");
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
    assertThat(lines).anyMatch(line -> line.matches("server +19,000  memory, before 100,000, in the lab: made-up/a and made-up/c"));
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
