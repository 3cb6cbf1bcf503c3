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
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A soak from the command line to its page, with a real server; short, so that its bounds are no more than tried. */
class SoakIT {
  private static final Path HOME = Path.of("..").toAbsolutePath().normalize();

  /** Of each server that the build does not soak. */
  private static final String LONG = System.getProperty("soak.for", "2m");

  @TempDir private Path dir;

  private Path folder() throws IOException {
    try (Stream<Path> folders = Files.list(dir.resolve("soak"))) {
      return folders.findFirst().orElseThrow();
    }
  }

  @Test
  void aServerIsSoakedAndOneThatIsDoneIsNotSoakedAgain() throws Exception {
    try (LadderProcess ladder =
        LadderProcess.start(HOME, dir, "soak", "--for", "10s", "--server", "floor", "--connections", "100", "--results", dir.toString())) {
      assertThat(ladder.status()).as("%s%n%s", ladder.out(), ladder.err()).isZero();
      assertThat(ladder.out()).contains("floor").contains("SOAK.md");
    }
    Path folder = folder();
    Soak soak = SoakFiles.read(RunFolder.open(folder));
    assertThat(soak.status()).isEqualTo(RunRecord.Status.COMPLETE);
    ServerSoak server = soak.done().getFirst();
    assertThat(server.wrong()).isEmpty();
    assertThat(server.samples()).hasSizeGreaterThan(11);
    // Its connections, and a few of its own.
    assertThat(server.samples().getLast().descriptors()).isBetween(100L, 140L);
    assertThat(server.visits().slowReaders()).isPositive();
    assertThat(server.visits().resets()).isPositive();
    assertThat(server.visits().halfCloses()).isPositive();
    assertThat(server.visits().scrapes()).isPositive();
    assertThat(folder.resolve("SOAK.md")).content().contains("| floor | open descriptors |").contains("![floor](floor.svg)");
    assertThat(folder.resolve("floor.svg")).content().contains("Open descriptors").contains("bound");

    String before = Files.readString(folder.resolve("soak.json"));
    try (LadderProcess ladder = LadderProcess.start(HOME, dir, "soak", "--resume", folder.toString())) {
      assertThat(ladder.status()).as(ladder.err()).isZero();
    }
    assertThat(folder.resolve("soak.json")).hasContent(before);
  }

  /** The other protocols and runtimes: the same visitors, each in what the server speaks. */
  @Tag("long")
  @ParameterizedTest
  @ValueSource(
      strings = {
        "floor-http", "go-http", "jdk-http", "micronaut-http", "helidon-http", "floor-websocket", "go-websocket", "netty-websocket",
        "micronaut-websocket", "helidon-websocket"
      })
  void aServerOfEachKindHolds(String server) throws Exception {
    try (LadderProcess ladder = LadderProcess.start(HOME, dir, "soak", "--for", LONG, "--server", server, "--results", dir.toString())) {
      assertThat(ladder.status()).as("%s%n%s", ladder.out(), ladder.err()).isZero();
    }
    ServerSoak soaked = SoakFiles.read(RunFolder.open(folder())).done().getFirst();
    assertThat(soaked.visits().slowReaders()).isPositive();
    assertThat(soaked.visits().resets()).isPositive();
    assertThat(soaked.visits().halfCloses()).isPositive();
    assertThat(soaked.visits().failed()).isZero();
  }
}
