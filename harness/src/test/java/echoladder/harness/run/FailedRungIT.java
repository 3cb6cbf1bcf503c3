package echoladder.harness.run;

import static echoladder.harness.run.PretendedClimb.ends;
import static echoladder.harness.run.PretendedClimb.first;
import static echoladder.harness.run.PretendedClimb.rung;
import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.LoadResult;
import echoladder.client.Reason;
import echoladder.client.ReasonCode;
import echoladder.client.figures.Percentiles;
import echoladder.external.MissingToolException;
import echoladder.external.UnfitPlanException;
import echoladder.harness.Results;
import echoladder.harness.RunSchema;
import echoladder.harness.client.LoadTools;
import echoladder.harness.limits.KnownLimit;
import echoladder.harness.metric.LoadMetrics;
import echoladder.harness.metric.Quoting;
import echoladder.harness.report.page.MarkdownReport;
import echoladder.harness.report.text.TerminalTable;
import echoladder.harness.results.ClimbRecord.End;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord.Status;
import echoladder.harness.results.RungRecord;
import echoladder.needs.Need;
import echoladder.needs.Needs;
import echoladder.processes.CommandLines;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What fails spoils its rung or ends its server's climb, and the rest is measured. Real server processes, a client that only pretends. */
class FailedRungIT {
  @TempDir private Path dir;
  private final PretendedClimb climbing = new PretendedClimb();

  private RunRecord climb(String servers, String rungs, boolean untilStopped, UnaryOperator<LoadResult> change) throws IOException {
    return climbing.of(dir, servers, rungs, 1, untilStopped, change);
  }

  private static String fake(String behaviour) {
    return "[{name: fake, label: %s, options: {behaviour: %s}}, floor]".formatted(behaviour, behaviour);
  }

  @Test
  void aRungWhoseBorderWasReadTooLateIsDoubted() throws IOException {
    climbing.lateNs = 10_000_000_000L;
    RunRecord run = climb("[fake, floor]", "[2, 4]", false, r -> r);
    RungRecord fake = rung(run, "fake", 2);
    assertThat(fake.valid()).isTrue();
    assertThat(fake.aside()).extracting(Reason::reason).contains(ReasonCode.BORDER_LATE);
    // On a host that others use at this moment the mark of a disturbed host comes first.
    assertThat(Quoting.mark(LoadMetrics.SERVER_CPU, fake)).isIn(Quoting.Mark.UNSETTLED, Quoting.Mark.DISTURBED);
    assertThat(ends(run)).as("no fault of the server").containsValues(End.TOP_OF_STUDY, End.TOP_OF_STUDY);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "exits|SERVER_NOT_READY|ended with exit status 3 before its ready line; its log ends: fake: port 7 is in use",
        "babbles|SERVER_NOT_READY|no ready line: hello, I am a server",
        "wrong-echo|SERVER_NOT_READY|other ones",
        "dies|SERVER_DIED|the server ",
        "dies-slowly|SERVER_DIED|the server was killed by signal 6",
      })
  void aServerThatFailsEndsItsOwnClimbOnly(String behaviour, ReasonCode reason, String detail) throws IOException {
    RunRecord run = climb(fake(behaviour), "[8, 9]", false, r -> {
      awaitDeath(behaviour);
      return r;
    });
    assertThat(first(rung(run, behaviour, 8)).reason()).isEqualTo(reason);
    assertThat(first(rung(run, behaviour, 8)).detail()).contains(detail);
    assertThat(rung(run, behaviour, 9).status()).isEqualTo(Status.NOT_ATTEMPTED);
    assertThat(rung(run, "floor", 9).valid()).isTrue();
    assertThat(ends(run)).containsEntry(behaviour, End.SERVER_FAILED).containsEntry("floor", End.TOP_OF_STUDY);
    assertThat(run.asExpected()).isFalse();
    assertThat(RunSchema.complaints(RunFolder.json(run))).isEmpty();
    assertThat(MarkdownReport.of(run)).contains(reason.id());
  }

  /** A JVM needs more tasks than this before it comes to its ready line; the control group counts what it refused. */
  @Needs(Need.CGROUP_PIDS)
  @Test
  void aServerThatCannotStartUnderALimitNamesIt() throws IOException {
    RunRecord run =
        climb("[{name: fake, settings: {server: {tasks: 3}}}, floor]", "[8]", false, UnaryOperator.identity());
    assertThat(first(rung(run, "fake", 8)).reason()).isEqualTo(ReasonCode.SERVER_NOT_READY);
    assertThat(run.climbs().getFirst().limit()).isEqualTo(KnownLimit.CGROUP_PIDS);
    assertThat(run.climbs().getFirst().reason()).startsWith("cgroup pids was met: ");
    assertThat(RunSchema.complaints(RunFolder.json(run))).isEmpty();
  }

  /** The pretended load is over at once; a server that dies of its connections needs a moment longer. */
  private static void awaitDeath(String behaviour) {
    if (behaviour.equals("dies")) {
      Awaitility.await()
          .until(() -> ProcessHandle.current().children().noneMatch(p -> CommandLines.of(p).contains("dies")));
    }
  }

  @ParameterizedTest
  @CsvSource({"no-metrics, GET", "no-gc, POST"})
  void aSilentMetricsPageSpoilsTheRungButNotTheClimb(String behaviour, String detail) throws IOException {
    RunRecord run = climb(fake(behaviour), "[2, 4]", false, r -> r);
    assertThat(first(rung(run, behaviour, 4)).reason()).isEqualTo(ReasonCode.METRICS_UNREACHABLE);
    assertThat(first(rung(run, behaviour, 4)).detail()).startsWith(detail).contains("404");
    assertThat(ends(run)).containsEntry(behaviour, End.TOP_OF_STUDY);
  }

  private static final String TWO_CLIENTS = "[{name: fake, client: tcpkali}, floor]";

  @Test
  void theRungsOfAMissingToolSayWhyAndTheRestIsMeasured() throws IOException {
    climbing.refusals.put(LoadTools.ofId("tcpkali"), new MissingToolException("tcpkali", "it is not on PATH", "https://example.org/it"));
    RunRecord run = climb(TWO_CLIENTS, "[2, 4]", false, r -> r);
    for (int connections : new int[] {2, 4}) {
      assertThat(rung(run, "fake", connections).status()).isEqualTo(Status.CLIENT_MISSING);
      assertThat(rung(run, "fake", connections).statusReason())
          .contains("tcpkali: it is not on PATH", "https://example.org/it", "--client open-loop");
      assertThat(rung(run, "floor", connections).valid()).isTrue();
    }
    assertThat(ends(run)).containsEntry("fake", End.CLIENT_MISSING).containsEntry("floor", End.TOP_OF_STUDY);
    assertThat(run.asExpected()).isFalse();
    assertThat(climbing.clients).hasSize(2);
    assertThat(RunSchema.complaints(RunFolder.json(run))).isEmpty();
    assertThat(MarkdownReport.of(run)).contains("| fake | tcpkali | 2 |", "**client missing**", "it is not on PATH");
    assertThat(TerminalTable.of(run, false)).contains("client missing");
  }

  @Test
  void whatAToolCannotDoIsOutOfReach() throws IOException {
    climbing.refusals.put(LoadTools.ofId("tcpkali"), new UnfitPlanException("tcpkali has no ports left"));
    RunRecord run = climb(TWO_CLIENTS, "[2]", false, r -> r);
    assertThat(rung(run, "fake", 2).status()).isEqualTo(Status.OUT_OF_REACH);
    assertThat(rung(run, "fake", 2).statusReason()).isEqualTo("tcpkali has no ports left");
  }

  @Test
  void aClientThatDiedSpoilsTheRungButNotTheClimb() throws IOException {
    RunRecord run =
        climb(
            "[fake]", "[2, 4]", false,
            r ->
                r.connections().requested() == 2
                    ? Results.of(2, 0, 0, 0, Percentiles.NONE, null, List.of(new Reason(ReasonCode.CLIENT_DIED, "killed")))
                    : r);
    assertThat(rung(run, "fake", 2).has(ReasonCode.CLIENT_DIED)).isTrue();
    assertThat(rung(run, "fake", 4).valid()).isTrue();
  }
}
