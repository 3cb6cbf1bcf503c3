package echoladder.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import echoladder.harness.soak.ServerSoak;
import echoladder.harness.soak.Soak;
import echoladder.harness.soak.SoakFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A soak from the command line to its page, with real servers; short, so that it finds only what grows fast. */
class SoakIT {
  private static final Path HOME = Path.of("..").toAbsolutePath().normalize();

  /** How long a server of each kind is soaked. */
  private static final String LONG = System.getProperty("soak.for", "2m");

  @TempDir private Path dir;

  private static Path folder(Path results) throws IOException {
    return RunBelow.folder(results, "soak");
  }

  private LadderProcess soak(String server, String length, int connections) throws IOException {
    Path results = Files.createDirectory(dir.resolve(server));
    return LadderProcess.start(
        HOME, dir, "soak", "--for", length, "--server", server, "--connections", String.valueOf(connections), "--results", results.toString());
  }

  private ServerSoak soaked(LadderProcess ladder, String server) throws Exception {
    assertThat(ladder.status()).as("%s%n%s", ladder.out(), ladder.err()).isZero();
    return SoakFiles.read(RunFolder.open(folder(dir.resolve(server)))).done().getFirst();
  }

  private static void isVisited(ServerSoak server) {
    assertThat(server.visits().slowReaders()).isPositive();
    assertThat(server.visits().resets()).isPositive();
    assertThat(server.visits().halfCloses()).isPositive();
    assertThat(server.visits().scrapes()).isPositive();
    assertThat(server.visits().failed()).isZero();
  }

  /** Two protocols and two runtimes, side by side; the ladder itself beside them, for as many rungs as tell growth from chance. */
  @Test
  @Tag("long")
  void aServerOfEachKindAndTheLadderHold() throws Exception {
    try (LadderProcess tcp = soak("virtual-threads", LONG, 200);
        LadderProcess http = soak("go-http", LONG, 200);
        LadderProcess itself = soak("ladder", "10s", 200)) {
      ServerSoak ladder = soaked(itself, "ladder");
      assertThat(ladder.rungs()).isGreaterThanOrEqualTo(12);
      assertThat(ladder.samples()).hasSizeGreaterThanOrEqualTo(12).allMatch(sample -> sample.liveHeapBytes() != null);
      assertThat(folder(dir.resolve("ladder")).resolve("SOAK.md")).content().contains("The ladder itself climbed", "| ladder | live heap |");
      assertThat(folder(dir.resolve("ladder")).resolve("runs")).isEmptyDirectory();
      isVisited(soaked(tcp, "virtual-threads"));
      isVisited(soaked(http, "go-http"));
    }
  }

  @Test
  void aServerIsSoakedAndOneThatIsDoneIsNotSoakedAgain() throws Exception {
    try (LadderProcess ladder =
        LadderProcess.start(HOME, dir, "soak", "--for", "10s", "--server", "floor", "--connections", "100", "--results", dir.toString())) {
      assertThat(ladder.status()).as("%s%n%s", ladder.out(), ladder.err()).isZero();
      assertThat(ladder.out()).contains("floor").contains("SOAK.md");
    }
    Path folder = folder(dir);
    Soak soak = SoakFiles.read(RunFolder.open(folder));
    assertThat(soak.status()).isEqualTo(RunRecord.Status.COMPLETE);
    ServerSoak server = soak.done().getFirst();
    assertThat(server.wrong()).isEmpty();
    assertThat(server.samples()).hasSizeGreaterThan(11);
    // Its connections, and a few of its own.
    assertThat(server.samples().getLast().descriptors()).isBetween(100L, 140L);
    isVisited(server);
    assertThat(folder.resolve("SOAK.md")).content().contains("| floor | open descriptors |").contains("![floor](floor.svg)");
    assertThat(folder.resolve("floor.svg")).content().contains("Open descriptors").contains("bound");

    String before = Files.readString(folder.resolve("soak.json"));
    try (LadderProcess ladder = LadderProcess.start(HOME, dir, "soak", "--resume", folder.toString())) {
      assertThat(ladder.status()).as(ladder.err()).isZero();
    }
    assertThat(folder.resolve("soak.json")).hasContent(before);
  }

  /** The others: the same visitors, each in what the server speaks. */
  @Tag("long")
  @ParameterizedTest
  @ValueSource(
      strings = {
        "go-netpoll", "floor-http", "jdk-http", "micronaut-http", "helidon-http", "floor-websocket", "netty-websocket", "go-websocket",
        "micronaut-websocket", "helidon-websocket"
      })
  void anotherServerHolds(String server) throws Exception {
    try (LadderProcess ladder = soak(server, LONG, 1_000)) {
      isVisited(soaked(ladder, server));
    }
  }
}
