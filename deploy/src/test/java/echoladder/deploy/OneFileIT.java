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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
  static void close() throws IOException {
    bare.close();
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
}
