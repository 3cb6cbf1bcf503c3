package echoladder.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.SubjectsTest;
import echoladder.harness.common.Checkout;
import echoladder.harness.common.Sha256;
import echoladder.harness.published.PublishedCopy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Verbs that answer at once from what is published, in this checkout: what they say, and their exit statuses. */
class OfflineVerbsIT {
  private static final Checkout CHECKOUT = Checkout.find();
  private static final Path REFERENCE = CHECKOUT.results().resolve("reference");

  /** Six repeats of each rung. */
  private static final Path REPEATED = REFERENCE.resolve("a-against-a/20261122T091131Z-098f");

  private static final Path MEMORY = REFERENCE.resolve("memory/20261123T062015Z-df3b");

  private static WarmLadder warm;

  @TempDir private Path dir;

  @BeforeAll
  static void start() throws IOException {
    warm = new WarmLadder(CHECKOUT.root());
  }

  @AfterAll
  static void end() {
    warm.close();
  }

  @Test
  void sizeSaysMemoryCoresEndsAndLimits() throws IOException {
    WarmLadder.Ended ended = warm.execute("size", "--connections", "10000", "--rate", "5000/s", "--server", "netty,platform-threads");
    assertThat(ended.status()).as(ended.err()).isZero();
    assertThat(ended.out())
        .contains("Memory at the server's end, for 10,000 connections", "Cores of the server for 5,000 messages/s")
        .containsPattern("(?m)^platform-threads +19,000 +memory, before 100,000, in the lab: [a-z-]+/\\S+ and one-million/\\S+$")
        .containsPattern("Limits: RLIMIT_NOFILE of the server 10,100; source addresses of the clients, with the port range of this host, \\d+\\.")
        .contains("Kernel settings: the profile 10k, see './ladder tune show 10k'.", "Each row is from a published run", "Not in it: ")
        .doesNotContain("Not answered:");
  }

  @ParameterizedTest
  @CsvSource({
    "1000000,tcp,go-netpoll", "1000000,http,helidon-http", "1000000,websocket,helidon-websocket"
  })
  void sizeOfAProtocolHasAllItsServersAndExitsWith1WhereOneIsNotMeasured(String connections, String protocol, String notMeasured) throws IOException {
    WarmLadder.Ended ended = warm.execute("size", "--connections", connections, "--protocol", protocol);
    assertThat(ended.status()).isEqualTo(1);
    assertThat(ended.out()).contains("Not answered:").doesNotContain("\nfloor")
        .containsPattern(notMeasured + ": no published run .*; (to measure it: \\./ladder run memory --set 'servers=\\[" + notMeasured
            + "\\]'|this host cannot measure it \\()");
  }

  @Test
  void sizeOfAServerThatOnlyPushesIsRefused() throws IOException {
    WarmLadder.Ended ended = warm.execute("size", "--connections", "1000", "--server", "netty-events");
    assertThat(ended.status()).isEqualTo(2);
    assertThat(ended.err()).contains("--server: 'netty-events' only pushes");
  }

  @ParameterizedTest
  @CsvSource({"10000,5000", "10k,5k/s", "0.01m,5K"})
  void sizeTakesCountsAndRatesInEachForm(String connections, String rate) throws IOException {
    assertThat(warm.execute("size", "--connections", connections, "--rate", rate, "--server", "netty").out())
        .contains("Memory at the server's end, for 10,000 connections", "Cores of the server for 5,000 messages/s");
  }

  /** The plan is the judge of what this host can measure: as many connections as no host holds, and as few as any does. */
  @Test
  void sizeNamesNoStudyThatThePlanCallsOutOfReach() throws IOException {
    String beyond = warm.execute("size", "--connections", "5000000", "--rate", "5000000/s", "--server", "go-netpoll").out();
    assertThat(beyond).contains("this host cannot measure it (", "'./ladder doctor --connections 5000000 --server go-netpoll'").doesNotContain("./ladder run");
    String within = warm.execute("size", "--connections", "10", "--message-bytes", "100", "--server", "go-netpoll").out();
    assertThat(within).contains("to measure it: ./ladder run memory --set 'servers=[go-netpoll]' --set 'rungs=[10]' --set load.message=100B");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "size --connections 0|--connections: 0 is not allowed",
        "size --connections 5 --protocol udp|--protocol 'udp': no server speaks it; known: tcp, http, websocket",
        "size --connections 5 --protocol tcp --server netty|give one of the two",
        "size --connections 5 --rate fast|--rate fast: 'fast' is not a rate",
      })
  void badUsageOfSizeIsStatus2(String arguments, String message) throws IOException {
    WarmLadder.Ended ended = warm.execute(arguments.split(" "));
    assertThat(ended.status()).isEqualTo(2);
    assertThat(ended.err()).contains(message);
    assertThat(ended.out()).isEmpty();
  }

  /** A copy of a run with other figures. */
  private Path copy(Path run, String name, double cpu) throws IOException {
    ObjectNode record = (ObjectNode) JsonMapper.shared().readTree(Files.readString(run.resolve("run.json")));
    for (JsonNode rung : record.path("rungs")) {
      JsonNode value = rung.path("server_cpu_us_per_echo");
      if (value.isNumber()) {
        ((ObjectNode) rung).put("server_cpu_us_per_echo", value.asDouble() * cpu);
      }
    }
    Path folder = Files.createDirectory(dir.resolve(name));
    Files.writeString(folder.resolve("run.json"), record.toString());
    return folder;
  }

  private WarmLadder.Ended guard(Path baseline, Path today, String... bounds) throws IOException {
    List<String> arguments = new ArrayList<>(List.of("compare", baseline.toString(), today.toString()));
    Stream.of(bounds).forEach(bound -> arguments.addAll(List.of("--fail-if", bound)));
    return warm.execute(arguments.toArray(String[]::new));
  }

  @Test
  void compareExitsWith1BeyondABoundAndWhereNobodyCanTell() throws IOException {
    Path baseline = copy(REPEATED, "baseline", 1);
    Path today = copy(REPEATED, "today", 1.3);
    String bound = "server_cpu_us_per_echo > 1.10";
    WarmLadder.Ended worse = guard(baseline, today, bound);
    assertThat(worse.status()).as(worse.err()).isEqualTo(1);
    assertThat(worse.out()).contains("fail-if: ", "FAILS: > 1.1");
    WarmLadder.Ended better = guard(today, baseline, bound);
    assertThat(better.status()).as(better.err()).isZero();
    assertThat(better.out()).contains("passes: not > 1.1").doesNotContain("FAILS");
    assertThat(guard(baseline, today).status()).as("without a bound").isZero();
    assertThat(guard(baseline, today, "server_cpu_us_per_echo > 1.5", bound).status()).as("one of two bounds").isEqualTo(1);
    WarmLadder.Ended single = guard(MEMORY, MEMORY, bound);
    assertThat(single.status()).isEqualTo(1);
    assertThat(single.out()).contains("cannot be told: too few repeats");
    WarmLadder.Ended none = guard(baseline, today, "cpu > 1.1");
    assertThat(none.status()).isEqualTo(2);
    assertThat(none.err()).contains("--fail-if: there is no figure 'cpu'");
  }

  /** A guard between two loads tells of the loads. */
  @Test
  void compareRefusesAnotherLoadWithAGuardToo() throws IOException {
    Path baseline = copy(REPEATED, "baseline", 1);
    Path churning = copy(REPEATED, "churning", 1);
    ObjectNode record = (ObjectNode) JsonMapper.shared().readTree(Files.readString(churning.resolve("run.json")));
    ((ObjectNode) record.at("/study/load")).put("churn_per_s", 20).put("lifetime", "fixed");
    Files.writeString(churning.resolve("run.json"), record.toString());
    for (String[] bounds : new String[][] {{}, {"server_cpu_us_per_echo > 1.10"}}) {
      WarmLadder.Ended ended = guard(baseline, churning, bounds);
      assertThat(ended.status()).isEqualTo(2);
      assertThat(ended.err()).contains("they differ in the connections replaced per second (churn) (none and 20.0)");
      assertThat(ended.out()).isEmpty();
    }
  }

  /** The files of a folder by name, each with its hash. */
  private static Map<String, String> contents(Path folder) throws IOException {
    Map<String, String> contents = new TreeMap<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        contents.put(file.getFileName().toString(), HexFormat.of().formatHex(Sha256.digest().digest(Files.readAllBytes(file))));
      }
    }
    return contents;
  }

  /** With a list of its files, before there was such a list, compressed, and a ledger. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "memory/20261123T062015Z-df3b", "one-million/20261122T031437Z-4789", "load-surface/20261126T213356Z-3d21",
        "claims/20261126T050827Z-fb66"
      })
  void reportNeverChangesAPublishedFolder(String run) throws IOException {
    Path published = REFERENCE.resolve(run);
    Map<String, String> before = contents(published);
    WarmLadder.Ended refused = warm.execute("report", published.toString());
    assertThat(refused.status()).isEqualTo(2);
    assertThat(refused.err()).contains("is published, and nothing in it changes any more", "--out OUT");
    assertThat(refused.out()).isEmpty();
    Path out = dir.resolve("new/out");
    WarmLadder.Ended written = warm.execute("report", published.toString(), "--out", out.toString());
    assertThat(written.status()).as(written.err()).isIn(0, 1);
    boolean ledger = run.startsWith("claims/");
    assertThat(written.out()).contains(out.resolve(ledger ? "ledger.html" : "report.html").toString());
    assertThat(out.resolve(ledger ? "LEDGER.md" : "REPORT.md")).isNotEmptyFile();
    assertThat(contents(published)).isEqualTo(before);
    assertThat(warm.execute("report", published.toString(), "--out", REFERENCE.resolve("memory").toString()).status()).as("into another").isEqualTo(2);
    assertThat(warm.execute("report", published.toString(), "--out", published.toString()).status()).as("into itself").isEqualTo(2);
    assertThat(contents(published)).isEqualTo(before);
  }

  /** No log of 84 rungs is published: that is one sentence, no plot is lost, and nobody says whose load tool it was. */
  @Test
  void theReportOfARunWithoutItsLogsSaysSoOnce() throws IOException {
    Path published = REFERENCE.resolve("where-it-goes/20261126T132616Z-5aed");
    WarmLadder.Ended ended = warm.execute("report", published.toString(), "--out", dir.resolve("out").toString());
    assertThat(ended.err().lines()).singleElement().asString().startsWith("ladder: Not kept with a published run: 84 interval logs");
    String text = Files.readString(dir.resolve("out/REPORT.md"));
    assertThat(text.lines().filter(line -> line.contains("-r1.hlog"))).hasSize(1);
    assertThat(Files.readString(dir.resolve("out/report.html")))
        .contains("A published run is without this rung").doesNotContain("a load tool of others");
    Map<String, String> made = contents(dir.resolve("out"));
    assertThat(Pattern.compile("\\]\\(([a-z0-9-]+\\.svg)\\)").matcher(text).results().map(found -> found.group(1)))
        .isSubsetOf(made.keySet())
        .contains("distributions.svg", "flame-netty-1000-10000.svg");
    assertThat(made).containsEntry("distributions.svg", Objects.requireNonNull(contents(published).get("distributions.svg")));
  }

  @Test
  void reportRefusesToWriteOverAnotherRun() throws IOException {
    Path mine = copy(MEMORY, "mine", 1);
    Path other = copy(MEMORY, "other", 1);
    WarmLadder.Ended ended = warm.execute("report", mine.toString(), "--out", other.toString());
    assertThat(ended.status()).isEqualTo(2);
    assertThat(ended.err()).contains("is the folder of a run, whose report would be replaced");
    assertThat(warm.execute("report", mine.toString(), "--out", dir.toString(), "--publish", dir.toString()).err()).contains("leave --out out");
    assertThat(warm.execute("report", mine.toString()).status()).as("a copy of the record alone is nobody's").isZero();
    assertThat(other).isDirectoryNotContaining("glob:**REPORT.md");
  }

  @Test
  void indexSaysWhetherARunCanBePublished() throws IOException {
    Path copy = PublishedCopy.of(MEMORY, dir);
    WarmLadder.Ended good = warm.execute("index", "--check", copy.toString());
    assertThat(good.status()).as(good.out()).isZero();
    assertThat(good.out()).isEqualTo("20261123T062015Z-df3b of 'memory': nothing speaks against publishing it\n");
    Files.delete(copy.resolve("0005000-floor.hlog"));
    WarmLadder.Ended bad = warm.execute("index", "--check", copy.toString());
    assertThat(bad.status()).isEqualTo(1);
    assertThat(bad.out()).startsWith("20261123T062015Z-df3b of 'memory' cannot be published:\n  times: ");
    assertThat(warm.execute("index", "--check", dir.resolve("nothing").toString()).status()).isEqualTo(2);
    assertThat(warm.execute("index", "--check", MEMORY.toString(), "--to", dir.toString()).err()).contains("--check looks at one run and writes no list");
  }

  @Test
  void theServersAreBuiltOfTheVersionsInThePage() throws IOException {
    Map<String, String> jars =
        Map.of(
            "Netty", "servers/netty/target/lib/netty-transport-%s.jar", "Helidon", "servers/helidon/target/lib/helidon-webserver-%s.jar",
            "Micronaut", "servers/micronaut-http/target/lib/micronaut-http-server-netty-%s.jar");
    for (SubjectsTest.Subject subject : SubjectsTest.ALL) {
      String jar = jars.get(subject.title());
      if (jar != null) {
        assertThat(CHECKOUT.root().resolve(jar.formatted(subject.built()))).as(subject.title()).isRegularFile();
      }
    }
    assertThat(CHECKOUT.root().resolve("servers/micronaut-http/target/lib").resolve("netty-transport-" + SubjectsTest.ALL.get(2).built() + ".jar"))
        .isRegularFile();
  }

  @Test
  void poolGivesTheRatioOverRunsAndRefusesOtherLoads() throws IOException {
    Path one = REFERENCE.resolve("placement/20261125T085354Z-2c98");
    Path other = REFERENCE.resolve("placement/20261125T103000Z-ef8f");
    Path out = dir.resolve("pooled.json");
    WarmLadder.Ended pooled = warm.execute("pool", one.toString(), other.toString(), "--out", out.toString());
    assertThat(pooled.status()).as(pooled.err()).isZero();
    assertThat(pooled.out())
        .contains("2 runs on 2 x AMD EPYC", "over runs", "next run", "within one run")
        .containsPattern("server CPU per echo +virtual-threads-shared-spin-0ms +netty-shared-spin-0ms +2,000 +2 +\\d+ ");
    assertThat(JsonMapper.shared().readTree(Files.readString(out)).get("runs")).hasSize(2);
    WarmLadder.Ended refused = warm.execute("pool", one.toString(), MEMORY.toString());
    assertThat(refused.status()).isEqualTo(2);
    assertThat(refused.err()).contains("ladder: cannot be pooled: 20261125T085354Z-2c98 and 20261123T062015Z-df3b: ");
    assertThat(refused.out()).isEmpty();
    WarmLadder.Ended nowhere = warm.execute("pool", one.toString(), other.toString(), "--out", dir.resolve("none/x.json").toString());
    assertThat(nowhere.status()).isEqualTo(3);
    assertThat(nowhere.err()).contains("cannot be written");
    assertThat(warm.execute("pool", one.toString()).status()).as("one run").isEqualTo(2);
  }

  @Test
  void indexWritesTheLists() throws IOException {
    WarmLadder.Ended ended = warm.execute("index", "--to", dir.toString());
    assertThat(ended.status()).as(ended.err()).isZero();
    assertThat(ended.out()).matches("\\d+ runs, \\d+ ledgers: index\\.csv, points\\.csv, climbs\\.csv and knobs\\.csv in .*\n");
    for (String list : List.of("index.csv", "points.csv", "climbs.csv", "knobs.csv")) {
      assertThat(dir.resolve(list)).hasSameTextualContentAs(CHECKOUT.results().resolve(list));
    }
  }

  private static final Pattern COMMAND = Pattern.compile("`\\./ladder ([^`]+)`");

  /** By its verb what an answer has in it. */
  private static final Map<String, String> ANSWERS =
      Map.of("size", "Memory at the server's end", "doctor", "nofile hard", "plan", "rungs are within reach", "compare", "B / A", "explain", "ip_local_port_range", "tune", "Usage: ladder tune minimal");

  /** What takes minutes is planned instead of run; what needs more than the page says is asked for its help. */
  private static List<String> cheap(String command) {
    String filled =
        command.replace("STUDY", "quick").replace("NAME", "netty").replace("HOST:PORT", "127.0.0.1:9000").replace("PORT", "9000")
            .replace("URL", "http://127.0.0.1:9100/metrics").replace("OLD", MEMORY.toString()).replace("NEW", MEMORY.toString());
    List<String> words = PageWords.of(filled.equals("tune minimal") ? filled + " --help" : filled.replaceFirst("^run\\b", "plan"));
    return words.stream().map(word -> word.equals("COMMAND") ? "python3 runbooks/echo.py 9000" : word).toList();
  }

  @Test
  void eachOfTheTenQuestionsIsAnswered() throws IOException {
    String page = Files.readString(CHECKOUT.root().resolve("docs/QUESTIONS.md"));
    assertThat(Pattern.compile("(?m)^\\d+\\. \\*\\*[^*]+\\?\\*\\*").matcher(page).results()).hasSize(10);
    List<String> commands = COMMAND.matcher(page).results().map(found -> found.group(1).replaceAll("\\s+", " ")).distinct().toList();
    assertThat(commands).hasSizeGreaterThanOrEqualTo(8);
    for (String command : commands) {
      List<String> words = cheap(command);
      WarmLadder.Ended ended = warm.execute(words.toArray(String[]::new));
      // 1: a part was never measured, this host lacks something, or one repeat tells nothing.
      assertThat(ended.status()).as("%s: %s", words, ended.err()).isIn(0, 1);
      assertThat(ended.out()).as(command).contains(ANSWERS.get(words.getFirst()));
    }
  }
}
