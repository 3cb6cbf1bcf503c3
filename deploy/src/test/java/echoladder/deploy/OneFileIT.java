package echoladder.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.deploy.Commands.Ended;
import echoladder.needs.Need;
import echoladder.needs.Needs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The one file for an incident, on a host that has no JDK, Maven or Go. */
@Order(2)
@Needs({Need.BASH, Need.MOUNT, Need.NAMESPACES, Need.UNSHARE})
final class OneFileIT {
  private static final long MOST_BYTES = 40_000_000;

  @TempDir private static Path dir;

  private static Path cache = Path.of("");
  private static BareHost bare;

  @BeforeAll
  static void begin() throws IOException {
    cache = dir.resolve("cache");
    bare = new BareHost(dir);
  }

  @AfterAll
  static void close() throws Exception {
    bare.close();
    // A JVM that knows ASCII alone could not remove it.
    Commands.run("rm", "-rf", dir.resolve("above").toString());
  }

  static Path file() {
    List<Path> found = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(Tarball.CHECKOUT.resolve("target"), "echo-ladder-doctor-*")) {
      files.forEach(found::add);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    assertThat(found).as("of `mvn package`, in target/").hasSize(1);
    return found.getFirst();
  }

  private static Ended run(String... arguments) throws IOException, InterruptedException {
    String[] command =
        Stream.concat(Stream.of("env", "LADDER_CACHE=" + cache, file().toString()), Arrays.stream(arguments)).toArray(String[]::new);
    return Commands.run(bare.command(dir, command));
  }

  private static List<Path> unpacked() throws IOException {
    return inside(cache);
  }

  private static List<Path> inside(Path cache) throws IOException {
    try (Stream<Path> folders = Files.list(cache)) {
      return folders.toList();
    }
  }

  @Test
  void isNoLargerThanItMayBe() throws IOException {
    assertThat(Files.size(file())).isLessThanOrEqualTo(MOST_BYTES);
  }

  @Test
  void unpacksItselfOnceAndAnswersWithoutABuild() throws Exception {
    Ended explained = run("explain", "Cannot assign requested address");
    assertThat(explained.status()).as(explained.said()).isZero();
    assertThat(explained.out()).contains("ip_local_port_range", "runbooks/symptoms/ephemeral-ports-exhausted.md");
    assertThat(unpacked()).hasSize(1);
    Object first = Files.readAttributes(unpacked().getFirst(), "unix:ino").get("ino");
    assertThat(Files.exists(unpacked().getFirst().resolve("runbooks/symptoms/ephemeral-ports-exhausted.md"))).as("the page that it names").isTrue();
    Ended doctor = run("doctor", "--connections", "100");
    assertThat(doctor.status()).as(doctor.said()).isZero();
    assertThat(doctor.out()).contains("100 connections");
    Ended size = run("size", "--connections", "10000");
    assertThat(size.out()).as(size.said()).contains("virtual-threads");
    // Of all servers, and some have no published run at that rate.
    Ended unmeasured = run("size", "--connections", "10000", "--rate", "5000/s");
    assertThat(unmeasured.status()).as(unmeasured.said()).isEqualTo(1);
    assertThat(unmeasured.out()).as(unmeasured.said()).contains("Not answered:", "to measure it: ./ladder run ");
    Ended load = run("load", "--target", "127.0.0.1:1", "--connections", "1", "--rate", "1", "--duration", "1s");
    assertThat(load.status()).as("nothing listens there: %s", load.said()).isNotZero();
    assertThat(load.err()).contains("ECONNREFUSED");
    assertThat(Files.readAttributes(unpacked().getFirst(), "unix:ino").get("ino")).isEqualTo(first);
  }

  /** Both find nothing in the cache and unpack; one of them comes too late to put its folder in place. */
  @Test
  void twoThatUnpackAtOnceLeaveOneFolder() throws Exception {
    Path shared = dir.resolve("shared-cache");
    String twice = "\"$0\" explain EMFILE & \"$0\" explain EMFILE; second=$?; wait $! && exit $second";
    Ended both = Commands.run(bare.command(dir, "env", "LADDER_CACHE=" + shared, "bash", "-c", twice, file().toString()));
    assertThat(both.status()).as(both.said()).isZero();
    assertThat(inside(shared)).hasSize(1);
  }

  @Test
  void namesTheReleaseForWhatItHasNot() throws Exception {
    Ended run = run("run");
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).contains("'run' is not in this file, which has doctor, explain, load and size", ".tar.gz");
    assertThat(run("--help").out()).contains("usage: ", "doctor --connections 100000");
  }

  @Test
  void saysWhereItCouldNotUnpack() throws Exception {
    Path inTheWay = Files.writeString(dir.resolve("in-the-way"), "");
    Ended refused = Commands.run(bare.command(dir, "env", "LADDER_CACHE=" + inTheWay, file().toString(), "explain", "x"));
    assertThat(refused.status()).isEqualTo(3);
    assertThat(refused.err()).contains("could not be unpacked into " + inTheWay, "LADDER_CACHE");
  }

  @Test
  void aClosedStdoutIsSaidBeforeAFileTakesItsPlace() throws Exception {
    Ended closed = Commands.run(bare.command(dir, "bash", "-c", "exec \"$0\" explain EMFILE >&- <&-", file().toString()));
    assertThat(closed.status()).as(closed.said()).isEqualTo(3);
    assertThat(closed.err()).contains("stdout is closed, so nobody could read the answer");
  }

  /**
   * As cron, docker exec and an ssh that hands on a locale which is not here have it, with file, cache and working directory in a folder
   * that ASCII has no name for. The names are the shell's: the JVM of this test may have no such name either.
   */
  @Needs(Need.UTF8_LOCALE)
  @Tag("long")
  @ParameterizedTest
  @ValueSource(strings = {"LANG=", "LC_ALL=C", "LC_ALL=xx_XX.UTF-8", "LC_CTYPE=xx_XX.UTF-8", "LC_ALL=C.UTF-8"})
  void startsInEachLocaleFromAFolderWithAnUmlaut(String variable) throws Exception {
    String start =
        "folder=$1/$(printf 'pr\\303\\274fstand'); mkdir -p \"$folder\"; cd \"$folder\"; ln -sf \"$0\" doctor;"
            + " LADDER_CACHE=$folder/cache exec \"$folder/doctor\" size --connections 10000 --rate 5000/s --server netty,virtual-threads";
    Ended size = Commands.run(bare.command(dir, "env", variable, "bash", "-c", start, file().toString(), dir.resolve("above").toString()));
    assertThat(size.status()).as(size.said()).isLessThanOrEqualTo(1);
    assertThat(size.out()).as(size.said()).containsPattern("\\d µs").doesNotContain("?s");
  }

  /** The set of characters of a host that has locale(1) is asked of that. */
  @Needs(Need.UTF8_LOCALE)
  @Test
  void aLocaleThatIsNotInstalledIsNotTakenByItsName() throws Exception {
    Ended size =
        Commands.run(
            "env", "-u", "LANG", "-u", "LC_CTYPE", "LC_ALL=xx_XX.UTF-8", "LADDER_CACHE=" + cache, file().toString(), "size", "--connections", "10000",
            "--rate", "5000/s", "--server", "netty,virtual-threads");
    assertThat(size.status()).as(size.said()).isLessThanOrEqualTo(1);
    assertThat(size.out()).as(size.said()).containsPattern("\\d µs");
  }
}
