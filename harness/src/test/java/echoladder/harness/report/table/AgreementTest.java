package echoladder.harness.report.table;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.LoadResult;
import echoladder.client.Reason;
import echoladder.client.ReasonCode;
import echoladder.client.figures.Percentiles;
import echoladder.harness.Results;
import echoladder.harness.Rungs;
import echoladder.harness.Studies;
import echoladder.harness.metric.Figures;
import echoladder.harness.metric.Shown;
import echoladder.harness.report.words.RungText;
import echoladder.harness.results.RungRecord.Status;
import echoladder.harness.results.RungRecord;
import echoladder.harness.study.Study;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class AgreementTest {
  private static final Percentiles OURS = times(90_000, 500_000);
  private static final LoadResult BY_US = Results.by("open-loop", 2_000, OURS, OURS, null, null, List.of());

  private static Percentiles times(long p50, long p99) {
    return new Percentiles(p50, p50, p99, null, null, p99);
  }

  private static RungRecord rung(String label, LoadResult load) {
    return Rungs.measured(new RungRecord.Planned(label, 1_000, 1, 2_000, null), load, Figures.NONE);
  }

  /** Findings by figure, of a server loaded by the open-loop client and by another. */
  private static Map<String, String> findings(String client, RungRecord other) {
    return findings(client, rung("a", BY_US), other);
  }

  private static Map<String, String> findings(String client, RungRecord ours, RungRecord other) {
    Study study =
        Studies.of(
            List.of(
                Study.Entry.plain("a", "go", "open-loop", Map.of()),
                Study.Entry.plain("b", "go", client, Map.of()),
                Study.Entry.plain("alone", "netty", "open-loop", Map.of())),
            List.of(1_000),
            Studies.total(2_000),
            new Study.Phases(5_000, 1, 1, 1, null, 1, 1, 0, 0));
    List<RungRecord> rungs = List.of(ours, other, rung("alone", BY_US));
    return Agreement.rows(study, rungs).stream()
        .peek(row -> assertThat(row.server() + row.connections() + row.client()).isEqualTo("go1,000" + client))
        .collect(Collectors.toMap(Agreement.Row::figure, Agreement.Row::finding));
  }

  private static Map<String, String> tcpkali(double perS, Percentiles service, Reason... doubts) {
    LoadResult load = Results.by("tcpkali", perS, Percentiles.NONE, service, 20, null, List.of(doubts));
    return findings("tcpkali", rung("b", load));
  }

  @Test
  void whatIsNearEnoughAgrees() {
    assertThat(tcpkali(1_990, times(95_000, 540_000)))
        .containsEntry("achieved per s", "agree (-0.5 %)")
        .containsEntry("service p50", "agree (+5.6 %)")
        .containsEntry("service p99", "agree (+8.0 %)")
        .containsEntry("server CPU per echo", "agree (+0.0 %)")
        .containsEntry("response p99", "tcpkali gives none: it times from the actual send");
  }

  @Test
  void aToolsStepsAreNoDifference() {
    assertThat(tcpkali(2_000, times(100_000, 600_000)))
        .containsEntry("service p99", "agree within 100 µs, the step of tcpkali's times");
    Percentiles belowItsSteps = new Percentiles(null, 100_000L, 500_000L, null, null, 700_000L);
    assertThat(tcpkali(2_000, belowItsSteps))
        .containsEntry("service p50", "tcpkali gives none: below its steps of 100 µs, or fewer than 20 times beyond it");
  }

  @Test
  void aSampleOfTheConnectionsIsNamedWhereItDiffers() {
    assertThat(tcpkali(2_000, times(90_000, 900_000)))
        .containsEntry("service p99", "differ (+80.0 %); tcpkali's are of 20 of 1,000 connections only");
  }

  @Test
  void timersOfTheToolAreNamedAndWhatTheyCannotBeIsNot() {
    LoadResult near = Results.by("wrk2", 2_000, times(1_100_000, 2_600_000), OURS, null, 1_000_000L, List.of());
    assertThat(findings("wrk2", rung("b", near)))
        .containsEntry(
            "response p50", "differ by 1.01 ms: wrk2's own timers, which delay each send by up to 1.50 ms")
        .containsEntry("response p99", "differ (+420.0 %); nothing in the record says why")
        .containsEntry("service p99", "agree (+0.0 %)");
  }

  @Test
  void messagesThatATimerBunchesAreNamedUpToTheStepThatBunchesThem() {
    Percentiles bunched = times(270_000, 1_600_000);
    LoadResult load = Results.by("wrk2", 2_000, bunched, bunched, null, 1_000_000L, 30.0, List.of());
    assertThat(findings("wrk2", rung("b", load)))
        .containsEntry(
            "server CPU per echo",
            "differ (-25.0 %); wrk2 sends at steps of 1.00 ms, 2.0 messages at each, which makes an echo cheaper")
        .containsEntry(
            "service p50",
            "differ by 180 µs: wrk2 sends at steps of 1.00 ms, 2.0 messages at each, and those of a step wait for each"
                + " other")
        .containsEntry("service p99", "differ (+220.0 %); nothing in the record says why");
  }

  @Test
  void whatMayNotBeQuotedIsNotCompared() {
    Reason doubt = new Reason(ReasonCode.TIMES_CONTRADICTED, "it says so");
    assertThat(tcpkali(2_000, OURS, doubt).values())
        .containsOnly("not compared: tcpkali is INVALID: times-contradicted");
  }

  @Test
  void bothAreNamedWhereNeitherMayBeQuoted() {
    Reason noisy = new Reason(ReasonCode.SETTING_CHANGED, "it says so");
    LoadResult ours = Results.by("open-loop", 2_000, OURS, OURS, null, null, List.of(noisy));
    LoadResult theirs = Results.by("tcpkali", 2_000, Percentiles.NONE, OURS, 20, null, List.of(noisy));
    assertThat(findings("tcpkali", rung("a", ours), rung("b", theirs)).values())
        .containsOnly("not compared: open-loop is INVALID: setting-changed; tcpkali is INVALID: setting-changed");
  }

  @Test
  void whatIsMissingSaysWhy() {
    RungRecord missing = RungRecord.notMeasured(new RungRecord.Planned("b", 1_000, 1, 2_000, null), Status.CLIENT_MISSING, "tcpkali: it is not on PATH");
    assertThat(findings("tcpkali", missing)).containsExactly(Map.entry("all", "not measured by tcpkali: it is not on PATH"));
  }

  @Test
  void mostlyTheToolsOwnTimersIsMarked() {
    LoadResult load = Results.by("wrk2", 2_000, times(1_100_000, 2_600_000), OURS, null, 1_000_000L, List.of());
    RungText text = new RungText(rung("b", load));
    assertThat(text.of(Shown.P50)).isEqualTo("≤ 1.10 ms†");
    assertThat(text.of(Shown.P99)).isEqualTo("≤ 2.60 ms");
    LoadResult looked = Results.by("tcpkali", 2_000, Percentiles.NONE, OURS, 20, null, List.of());
    assertThat(ToolTimes.coverage(looked)).isEqualTo("20 of 1,000 connections");
    assertThat(ToolTimes.coverage(Objects.requireNonNull(rung("b", BY_US).load()))).isEqualTo("all connections");
  }
}
