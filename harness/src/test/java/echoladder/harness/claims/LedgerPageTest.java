package echoladder.harness.claims;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import echoladder.harness.Browser;
import echoladder.harness.RunSchema;
import echoladder.harness.TestCheckout;
import echoladder.harness.claims.Claim.Effort;
import echoladder.harness.common.Checkout;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import echoladder.harness.study.StudyFile;
import echoladder.needs.Need;
import echoladder.needs.Needs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** ledger.json, LEDGER.md and ledger.html of a made-up ledger. */
class LedgerPageTest {
  private static final String EVIL = "</script><script>document.body.remove()</script><img src=x onerror=alert(1)>";

  private static final String CLAIMS =
      """
      memory_limit: 1G
      sources: {somebody: {author: A. Body, title: What threads do, kind: blog post, date: "2025", where: not stated}}
      sentences:
        - {about: whether yields differ, claims: [yields], met: "Yields differ, {yields}, EVIL.", not_met: "Yields do not differ, {yields/2}."}
        - {about: whether it can be told, claims: [climbs, cannot], met: "It can, {climbs}.", not_met: It cannot.}
      claims:
        - id: yields
          said: a yield is quick, EVIL
          topic: switching
          kind: ratio
          source: somebody
          published: 100 ns
          host: a laptop
          question: Is it?
          steps:
            - {name: v2, run: java context-switch, args: --threads 2, x: 2, line: virtual threads}
            - {name: v1000, run: java context-switch, args: --threads 1000, x: 1000, line: virtual threads}
            - {name: p2, run: java context-switch, args: --threads 2, x: 2, line: platform threads}
            - {name: p1000, run: java context-switch, args: --threads 1000, x: 1000, line: platform threads}
          rules:
            - {take: p1000.cpu_ns, over: v1000.cpu_ns, least: 30, by: own}
            - {ascending: [v2.cpu_ns, p2.cpu_ns]}
          beside: [p2.cpu_ns / v2.cpu_ns]
          plots: [{figure: cpu_ns, across: threads}]
        - id: climbs
          said: it collapses at ten thousand
          topic: connections
          kind: os-bound
          source: somebody
          published: 10,000
          host: not said
          needs: {jdk: 21}
          steps:
            - {name: platform, run: ladder echo, jdk: 21, args: --servers platform, line: platform threads}
          rules:
            - {step: platform, ends: [not-held], words: "at 10,000"}
          plots: [{figure: server_rss_bytes, across: connections}, {over_time: rss_bytes}]
        - id: cannot
          said: something else altogether
          topic: memory
          kind: host-bound
          source: somebody
          published: twice
          host: not said
          cannot: this ladder has no such thing
      """;

  @TempDir private Path dir;

  private Checkout checkout = new Checkout(Path.of(""));

  @BeforeEach
  void claims() {
    checkout =
        new TestCheckout(dir)
            .study("claims", "name: claims\nkind: claims\nquestion: Which of them hold?\n")
            .write("studies/claims/claims.yaml", CLAIMS.replace("EVIL", EVIL))
            .write("studies/claims/climbs/echo.yaml", "name: echo\n")
            .checkout();
  }

  private static StepRun run(String step, int repeat, String ended, String figures, @Nullable String folder) {
    JsonNode read = JsonMapper.shared().readTree(figures);
    return new StepRun(step, repeat, List.of("/usr/bin/" + step), ended, "at 10,000 connections: " + EVIL, 0.01, read, folder, null);
  }

  private Ledger ledger() {
    ClaimsFile file = ClaimsFile.read(checkout, StudyFile.named(checkout, "claims"), List.of());
    List<StepRun> yields =
        List.of(
            run("v2", 1, "done", "{\"cpu_ns\": 100}", null),
            run("v1000", 1, "done", "{\"cpu_ns\": 150}", null),
            run("p2", 1, "done", "{\"cpu_ns\": 900}", null),
            run("p1000", 1, "done", "{\"cpu_ns\": 9000}", null));
    String climbed =
        """
        {"server_rss_bytes_at_1000": 50000000, "server_rss_bytes_at_5000": 300000000, "invalid_at_10000": "late",
         "over_time": {"time_ms": [0, 50, 4000, 9000], "rss_bytes": [1, 50000000, 90000000, 80000000], "os_threads": [1, 2, 3, 4]}}
        """;
    List<StepRun> climbs = List.of(run("platform", 1, "not-held", climbed, "runs/climbs/platform-r1/echo/x"));
    return new Ledger(
        Ledger.SCHEMA_VERSION,
        "20260101T000000Z-abcd",
        RunRecord.Status.INTERRUPTED,
        "2026-01-01T00:00:00Z",
        "2026-01-01T00:10:00Z",
        "./ladder run claims",
        file.question(),
        true,
        file.memoryBytes(),
        Map.of("kernel", Map.of("release", "6.1"), "cpu", Map.of("processors", 2)),
        file.sentences(),
        null,
        List.of(
            entry(file.claims().get(0), yields),
            entry(file.claims().get(1), climbs),
            new Ledger.Entry(file.claims().get(2), ClaimOutcome.cannot("this ladder has no such thing"), List.of())),
        List.of("another"));
  }

  private static Ledger.Entry entry(Claim claim, List<StepRun> runs) {
    return new Ledger.Entry(claim, Evaluation.of(claim.rules(), claim.beside(), runs), runs);
  }

  /** Where the way of judging has changed since, a report says what its figures say now. */
  @Test
  void itIsJudgedByItsFigures() throws IOException {
    Ledger written = ledger();
    RunFolder folder = new RunFolder(dir);
    LedgerFiles.write(folder, written);
    Ledger read = LedgerFiles.read(folder);
    assertThat(read.judged()).isEqualTo(read);
    ObjectNode tree = (ObjectNode) JsonMapper.shared().readTree(LedgerFiles.json(written));
    ((ObjectNode) tree.at("/entries/0/outcome")).put("verdict", "does-not-hold");
    ((ObjectNode) tree.at("/entries/2/outcome")).put("reason", "it has no figures");
    Files.writeString(dir.resolve("ledger.json"), tree.toString());
    Ledger judged = LedgerFiles.renew(folder);
    assertThat(LedgerFiles.read(folder)).isEqualTo(judged);
    assertThat(judged.entries().getFirst().outcome()).isEqualTo(written.entries().getFirst().outcome());
    assertThat(judged.entries().get(2).outcome().reason()).isEqualTo("it has no figures");
    String running = tree.put("status", "running").toString();
    Files.writeString(dir.resolve("ledger.json"), running);
    LedgerFiles.renew(folder);
    assertThat(dir.resolve("ledger.json")).as("of the run that writes it").content().isEqualTo(running);
  }

  @Test
  void theFileIsReadAgainAsItWasWritten() throws Exception {
    Ledger ledger = ledger();
    String json = LedgerFiles.json(ledger);
    assertThat(RunSchema.ofLedger(json)).isEmpty();
    RunFolder folder = new RunFolder(dir);
    assertThat(LedgerFiles.in(folder)).isFalse();
    LedgerFiles.write(folder, ledger);
    assertThat(LedgerFiles.in(folder)).isTrue();
    Ledger read = LedgerFiles.read(folder);
    assertThat(read.entries().getFirst().claim()).isEqualTo(ledger.entries().getFirst().claim());
    assertThat(read.entries().getFirst().claim().steps().getFirst().args()).containsKeys(Effort.FULL, Effort.QUICK);
    assertThat(LedgerFiles.json(read)).isEqualTo(json);
    String page = Files.readString(dir.resolve("ledger.html"));
    LedgerFiles.write(folder, read);
    assertThat(dir.resolve("ledger.html")).content().isEqualTo(page);
  }

  @Test
  void theSchemaRefusesWhatIsNoLedger() {
    String json = LedgerFiles.json(ledger());
    assertThat(RunSchema.ofLedger(json.replace("\"holds\"", "\"probably\""))).isNotEmpty();
    assertThat(RunSchema.ofLedger(json.replace("\"memory_limit_bytes\"", "\"memory\""))).isNotEmpty();
    assertThat(RunSchema.ofLedger(json.replace("\"certainty\" : \"once\"", "\"certainty\" : null"))).isNotEmpty();
  }

  @Test
  void theTextHasVerdictsDoubtsAndWhatWasNotReached() {
    String text = LedgerText.markdown(ledger());
    assertThat(text)
        .contains("3 claims: holds 1, ends so here 1, cannot be told here 1", "Kind: OS-bound (a limit, or a way to fail;")
        .contains("## yields: holds (measured once)", "60.0×", "2.00×", "Beside it, deciding nothing: p2.cpu_ns / v2.cpu_ns: 9.00×")
        .contains("## climbs: ends so here (measured once)", "`runs/climbs/platform-r1/echo/x`")
        .contains("**Not complete:** it was stopped before another.", "**cannot be told here**: this ladder has no such thing.");
    assertThat(text)
        .contains("1. Yields differ, 60.0×, ", " That was measured once. ([yields](#claim-yields))")
        .contains("2. Not decided here: whether it can be told. The reason: cannot cannot be told here, this ladder has no such thing.")
        .contains("| [climbs](#claim-climbs): it collapses at ten thousand | A. Body, blog post, 2025 | not said | 10,000 | ", "<a id=\"claim-climbs\"></a>");
    assertThat(text.lines().filter(line -> line.startsWith("## ")).limit(3))
        .as("topics, in their order")
        .containsExactly("## Memory of waiting threads, and how many fit", "## Going from one thread to another", "## Long connections");
    assertThat(LedgerText.table(ledger())).contains("Yields differ, 60.0×", "not come to: another");
  }

  /** What LEDGER.md says of a claim, the page says in the same cells, and where its figures are kept besides. */
  @Test
  void textAndPageHaveOneTable() {
    assertThat(LedgerText.markdown(ledger()))
        .contains("\n| claim | who, when | on | published | measured here | verdict |\n|---|---|---|---|---|---|\n| [")
        .contains(
            "\n| [cannot](#claim-cannot): something else altogether | A. Body, blog post, 2025 | not said | twice | this ladder has no such thing"
                + " | **cannot be told here** |\n");
    assertThat(LedgerPage.of(ledger()))
        .contains(
            "<tr class=\"none\"><th scope=\"row\"><a href=\"#claim-cannot\">cannot</a>: something else altogether</th><td>A. Body, blog post, 2025</td>"
                + "<td>not said</td><td>twice</td><td>this ladder has no such thing</td><td><strong>cannot be told here</strong></td><td></td></tr>")
        .contains("<tr class=\"valid\"><th scope=\"row\"><a href=\"#claim-climbs\">", "<td><code>runs/climbs/platform-r1/echo/x</code></td></tr>")
        .contains("<tr class=\"valid\"><th scope=\"row\"><a href=\"#claim-yields\">", "<td><code>ledger.json</code></td></tr>");
  }

  /** A ledger from before topics and sentences were told is one table. */
  @Test
  void anOlderLedgerIsOneTable() throws IOException {
    ObjectNode tree = (ObjectNode) JsonMapper.shared().readTree(LedgerFiles.json(ledger()));
    tree.remove("sentences");
    tree.get("entries").forEach(entry -> ((ObjectNode) entry.get("claim")).remove(List.of("topic", "who", "kind")));
    Files.writeString(dir.resolve("ledger.json"), tree.toString());
    Ledger old = LedgerFiles.read(new RunFolder(dir));
    assertThat(LedgerText.markdown(old)).contains("## Claims", "| [yields](#claim-yields): ", "A. Body, What threads do, blog post, 2025");
    assertThat(LedgerPage.of(old)).contains("topic-claims").doesNotContain("What to believe now");
    assertThat(LedgerFiles.json(old)).doesNotContain("sentences", "topic");
  }

  @Test
  void severalLedgersAreSetSideBySide() {
    Ledger one = ledger();
    assertThat(LedgerComparison.of(List.of(one, one, one)))
        .contains("3 of 3 claims have the same verdict in all of these ledgers\n")
        .doesNotContain("DIFFERS");
    assertThat(LedgerComparison.of(List.of(one, with(one, List.of(yields(one, 901), one.entries().get(1)), true))))
        .containsPattern("\\nyields +holds \\(measured once\\) +does not hold \\(measured once\\)  DIFFERS\n")
        .contains("1 of 3 claims have the same verdict in all of these ledgers\n2 with verdicts that contradict each other: yields, cannot\n")
        .contains("p1000.cpu_ns / v1000.cpu_ns ≥ 30.0×: 6.01×, does not hold (measured once)")
        .contains("cannot be told here, this ladder has no such thing", "not in it");
    assertThatThrownBy(() -> LedgerComparison.of(List.of(one, with(one, one.entries(), false))))
        .hasMessageContaining("quick ledgers have smaller sizes than full ones");
  }

  /** A verdict close to its bound is no other verdict: its figures stand there all the same. */
  @Test
  void whatIsCloseIsNotDecidedInTwoWays() {
    Ledger one = ledger();
    Ledger close = with(one, List.of(yields(one, 4400), one.entries().get(1), one.entries().get(2)), true);
    assertThat(LedgerComparison.of(List.of(one, close)))
        .containsPattern("\nyields +holds \\(measured once\\) +undecided +close\n")
        .contains("2 of 3 claims have the same verdict in all of these ledgers\n1 close to their bound in a ledger, and no two ledgers contradict each other clearly: yields\n")
        .contains("≥ 30.0×: 29.3×, does not hold (close)")
        .doesNotContain("DIFFERS", "with verdicts");
    Ledger slow = with(one, List.of(yields(one, 901), one.entries().get(1), one.entries().get(2)), true);
    assertThat(LedgerComparison.of(List.of(one, close, slow))).contains("1 with verdicts that contradict each other: yields\n");
  }

  /** The first claim of a ledger, where a thousand platform threads took so long. */
  private static Ledger.Entry yields(Ledger ledger, int nanos) {
    Ledger.Entry entry = ledger.entries().getFirst();
    String figures = "{\"cpu_ns\": %d}".formatted(nanos);
    return entry(entry.claim(), entry.runs().stream().map(run -> run.step().equals("p1000") ? run("p1000", 1, "done", figures, null) : run).toList());
  }

  private static Ledger with(Ledger like, List<Ledger.Entry> entries, boolean quick) {
    return new Ledger(
        like.schemaVersion(), "other", like.status(), like.startedAt(), like.endedAt(), like.reproduce(), like.question(),
        quick, like.memoryLimitBytes(), Map.of(), like.sentences(), like.earlier(), entries, List.of());
  }

  @Test
  void whatFilesSayIsText() {
    String html = LedgerPage.of(ledger());
    assertThat(html).doesNotContain("<script>document", "<img src=x").contains("&lt;img src").contains("default-src 'none'");
  }

  @Needs(Need.CHROMIUM)
  @Test
  void aBrowserDrawsIt() throws Exception {
    LedgerFiles.write(new RunFolder(dir), ledger());
    for (int width : new int[] {1280, 390}) {
      JsonNode seen = Browser.look(dir.resolve("ledger.html"), dir, width);
      Browser.isWhole(seen);
      assertThat(seen.get("plots")).extracting(plot -> plot.get("panels").asInt()).containsExactly(1, 2);
      assertThat(seen.get("text").asString()).contains("yields", "holds (measured once)", "9.00×", "cannot be told here", "What to believe now", "Not decided here: whether it can be told");
    }
  }
}
