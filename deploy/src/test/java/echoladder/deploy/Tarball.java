package echoladder.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.deploy.Commands.Ended;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The one that the build has made. */
final class Tarball {
  static final Path CHECKOUT = Path.of("..").toAbsolutePath().normalize();

  private static @Nullable Path unpacked;

  private Tarball() {}

  static Path file() {
    List<Path> found = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(CHECKOUT.resolve("target"), "echo-ladder-*.tar.gz")) {
      files.forEach(found::add);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    assertThat(found).as("of `mvn package`, in target/").hasSize(1);
    return found.getFirst();
  }

  /** Unpacks it, as a user would; gives the folder that was in it. */
  static Path unpackIn(Path dir) throws IOException, InterruptedException {
    Ended tar = Commands.run("tar", "-xzf", file().toString(), "-C", dir.toString());
    assertThat(tar.status()).as(tar.said()).isZero();
    return dir.resolve(name());
  }

  /** One unpacked folder for all tests that change nothing in it. */
  static synchronized Path unpacked() throws IOException, InterruptedException {
    if (unpacked == null) {
      Path dir = CHECKOUT.resolve("deploy/target/unpacked");
      Ended empty = Commands.run("sh", "-c", "rm -rf \"$1\" && mkdir \"$1\"", "empty", dir.toString());
      assertThat(empty.status()).as(empty.said()).isZero();
      unpacked = unpackIn(dir);
    }
    return unpacked;
  }

  /** Its name without the ending, which is that of the one folder in it. */
  static String name() {
    return file().getFileName().toString().replace(".tar.gz", "");
  }
}
