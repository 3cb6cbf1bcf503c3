package echoladder.harness.published;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.claims.LedgerFiles;
import echoladder.harness.claims.LedgerIndex;
import echoladder.harness.common.Checkout;
import echoladder.harness.results.ClimbRecord;
import echoladder.harness.results.RunFolder;
import echoladder.harness.server.ServerManifest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The lists in results/ and the runs in results/reference. */
class PublishedRunsTest {
  private static final Checkout CHECKOUT = Checkout.find();
  private static final Path RESULTS = CHECKOUT.results();
  private static final PublishedRuns RUNS = PublishedRuns.read(RESULTS.resolve("reference"), ServerManifest.all(CHECKOUT));

  @Test
  void theListsAreThoseOfTheRuns() throws IOException {
    List<IndexLine> ledgers = LedgerIndex.of(RESULTS.resolve("reference"));
    assertThat(RESULTS.resolve(PublishedRuns.INDEX)).as("'./ladder index' writes it").hasContent(RUNS.index(ledgers));
    assertThat(RESULTS.resolve(PublishedRuns.POINTS)).as("'./ladder index' writes it").hasContent(RUNS.points());
    assertThat(RESULTS.resolve(PublishedRuns.CLIMBS)).as("'./ladder index' writes it").hasContent(RUNS.climbs());
    assertThat(RESULTS.resolve(PublishedRuns.KNOBS)).as("'./ladder index' writes it").hasContent(RUNS.knobs());
    assertThat(ledgers).hasSizeGreaterThanOrEqualTo(4);
    assertThat(Files.readAllLines(RESULTS.resolve(PublishedRuns.INDEX))).hasSize(RUNS.size() + ledgers.size() + 1);
  }

  /** The counts of each run come to its rungs, those of each ledger to its claims. */
  @Test
  void everyRungAndEveryClaimIsCounted() throws IOException {
    List<String> header = List.of(IndexLine.HEADER.split(",", -1));
    for (String line : Files.readAllLines(RESULTS.resolve(PublishedRuns.INDEX)).stream().skip(1).toList()) {
      List<String> cells = List.of(line.split(",", -1));
      Path folder = RESULTS.resolve("reference/" + cells.get(0) + "/" + cells.get(1));
      RunFolder run = new RunFolder(folder);
      boolean ledger = LedgerFiles.in(run);
      JsonNode record = JsonMapper.shared().readTree(run.recordText(ledger ? "ledger.json" : "run.json"));
      long counted = 0;
      for (String cell : cells.subList(header.indexOf("rungs_valid"), header.indexOf("jvm"))) {
        counted += cell.isEmpty() ? 0 : Long.parseLong(cell);
      }
      assertThat(counted).as(line).isEqualTo(record.path(ledger ? "entries" : "rungs").size());
    }
  }

  /** The handshakes were the question of the first run, and its 2,000 and 4,000 echoes a rung say nothing of what one costs. */
  @Test
  void theCpuOfFewEchoesIsNoPoint() {
    List<Point> points = Points.parse(RUNS.points(), "points").all();
    assertThat(points).extracting(Point::runId).doesNotContain("20261125T223024Z-6295").contains("20261125T214723Z-b01e");
  }

  /** By an older adapter it lost answers and took more memory: size would mix two servers. */
  @Test
  void runsOfAServerThatWasMendedSinceGiveNoPoint() {
    List<Point> points = Points.parse(RUNS.points(), "points").all();
    assertThat(points).filteredOn(point -> point.runId().equals("20261126T231708Z-bce2")).isNotEmpty()
        .noneMatch(point -> point.server().equals("go-netpoll"));
    assertThat(points).filteredOn(point -> point.server().equals("go-netpoll")).isNotEmpty()
        .allMatch(point -> point.runId().compareTo("20261128T200616Z") > 0);
  }

  /** What a check for drift speaks against is no point: the study leaves it out, too. */
  @Test
  void theCpuOfARungThatDriftedIsNoPoint() {
    List<Point> points = Points.parse(RUNS.points(), "points").all().stream().filter(p -> p.runId().equals("20261127T001220Z-b6b7")).toList();
    assertThat(points).filteredOn(p -> p.server().equals("netty") && p.place().startsWith("apart")).isNotEmpty().allMatch(p -> p.ratePerS() > 1_000);
    assertThat(points).filteredOn(p -> p.server().equals("netty") && p.place().startsWith("shared")).anyMatch(p -> p.ratePerS() == 1_000);
  }

  /** Where all send at once a server's heap and its buffers grow with the crowd: size speaks of connections that are mostly idle. */
  @Test
  void aCrowdGivesNoPoint() {
    assertThat(RUNS.index(List.of())).contains("bursts,20261126T161325Z-3b6f");
    assertThat(Points.parse(RUNS.points(), "points").all()).extracting(Point::study).contains("http-scaling").doesNotContain("bursts");
  }

  /** Lowered limits are the study's, and a run that was stopped ended nothing. */
  @Test
  void theEndsOfClimbsAreThoseOfTheirRuns() {
    List<ClimbEnd> climbs = RUNS.climbs().lines().skip(1).map(ClimbEnd::parse).toList();
    assertThat(climbs).noneMatch(climb -> climb.study().equals("limits"));
    assertThat(climbs)
        .filteredOn(climb -> climb.study().equals("two-million"))
        .singleElement()
        .returns("memory", ClimbEnd::endedBy)
        .returns(2_000_000, ClimbEnd::endedAt)
        .returns(0, ClimbEnd::held);
    assertThat(climbs).filteredOn(climb -> climb.end() == ClimbRecord.End.INTERRUPTED).isNotEmpty().allMatch(climb -> climb.endedAt() == null);
  }

  @Test
  void aMillionConnectionsOfVirtualThreadsAreAsTheirRunHasThem() {
    List<Point> million =
        Points.parse(RUNS.points(), "points").all().stream()
            .filter(p -> p.server().equals("virtual-threads") && p.study().equals("one-million") && p.connections() == 1_000_000)
            .toList();
    assertThat(million).isNotEmpty().allSatisfy(
        point -> {
          assertThat(point.place()).isEqualTo(Point.LAB);
          assertThat(point.hasCpu()).as("the CPU of a lab is not quoted").isFalse();
          assertThat(point.optionsText()).isEqualTo("gc=Serial young-heap=32m");
        });
    assertThat(million).anySatisfy(point -> assertThat(point.memory().rssEachBytes()).isEqualTo(1692.111));
  }

  /** Its kernel memory is that of one end, and its cores are the server's alone: size reckons with both ends on one host. */
  @Test
  void aRunOverHostsGivesNoPoint(@TempDir Path dir) throws IOException {
    String id = "20261126T095347Z-a74d";
    JsonNode run = JsonMapper.shared().readTree(RESULTS.resolve("reference/async-vs-virtual/" + id + "/run.json"));
    Path copy = Files.createDirectories(dir.resolve("async-vs-virtual/" + id)).resolve("run.json");
    Files.writeString(copy, run.toString());
    assertThat(PublishedRuns.read(dir, ServerManifest.all(CHECKOUT)).points().lines()).hasSizeGreaterThan(1);
    ((ObjectNode) run.path("environment")).putObject("hosts").putObject("s1").put("group", "servers");
    Files.writeString(copy, run.toString());
    assertThat(PublishedRuns.read(dir, ServerManifest.all(CHECKOUT)).points().lines()).hasSize(1);
  }

  /** What is printed for a default option is the server as it comes. */
  @Test
  void anOptionThatIsTheServersDefaultIsNone() {
    assertThat(Points.parse(RUNS.points(), "points").all())
        .filteredOn(p -> p.study().equals("async-vs-virtual") && p.server().equals("netty"))
        .extracting(Point::optionsText)
        .contains("", "transport=io_uring")
        .doesNotContain("transport=epoll");
  }

  /** Where a run was made in a lab that its study does not ask for, the lab is a part of the command. */
  @Test
  void everyPublishedRunHasItsCommand() throws IOException {
    List<String> page = Files.readAllLines(CHECKOUT.root().resolve("docs/REPRODUCE.md"));
    List<Path> records;
    try (Stream<Path> files = Files.walk(RESULTS.resolve("reference"), 3)) {
      records = files.filter(file -> RunFolder.isRecord(file) || LedgerFiles.isRecord(file)).toList();
    }
    assertThat(records).hasSizeGreaterThan(RUNS.size());
    for (Path file : records) {
      JsonNode record = JsonMapper.shared().readTree(new RunFolder(file.resolveSibling("")).recordText(RunFolder.isRecord(file) ? "run.json" : "ledger.json"));
      String id = record.path("run_id").asString();
      String command = record.path("reproduce").asString();
      JsonNode lab = record.path("environment").path("lab").path("memory_bytes");
      String begin = lab.isMissingNode() || record.path("study").hasNonNull("lab") ? "`" : "`./ladder lab --memory " + gib(command, lab.asLong()) + "G ";
      assertThat(page).filteredOn(line -> line.contains("[" + id + "](")).singleElement().asString().contains(begin, command + "` |");
    }
  }

  /** A lab's memory; over hosts, which its own variable does not reach, that is what its kernel has left of it. */
  private static long gib(String command, long bytes) {
    return command.contains(" --hosts ") ? Math.ceilDiv(bytes, 1 << 30) : bytes >> 30;
  }
}
