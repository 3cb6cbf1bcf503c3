package echoladder.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.deploy.Commands.Ended;
import echoladder.needs.Need;
import echoladder.needs.Needs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The container image of the release, as the OCI's image-spec has it: its layout, and its files with nothing else of the host around. */
@Tag("long")
class ImageIT {
  @TempDir private static Path dir;
  private static Path image;
  private static Path layout;

  @BeforeAll
  static void make() throws Exception {
    image = dir.resolve("image.tar");
    done("env", "OUT=" + image, Tarball.CHECKOUT.resolve("deploy/make-image.sh").toString(), Tarball.file().toString());
    layout = unpacked(image, "layout");
  }

  private static Ended done(String... command) throws IOException, InterruptedException {
    Ended ended = Commands.run(command);
    assertThat(ended.status()).as(ended.said()).isZero();
    return ended;
  }

  private static Path unpacked(Path tar, String name) throws IOException, InterruptedException {
    Path to = Files.createDirectory(dir.resolve(name));
    done("tar", "-xf", tar.toString(), "-C", to.toString());
    return to;
  }

  private static JsonNode json(Path file) throws IOException {
    return JsonMapper.shared().readTree(Files.readString(file));
  }

  /** What a descriptor of the layout leads to, once its size and hash are right. */
  private static Path blob(Path in, JsonNode descriptor) throws Exception {
    String digest = descriptor.get("digest").asString();
    Path file = in.resolve("blobs/sha256").resolve(digest.replace("sha256:", ""));
    assertThat(Files.size(file)).isEqualTo(descriptor.get("size").asLong());
    byte[] hash = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
    assertThat("sha256:" + HexFormat.of().formatHex(hash)).isEqualTo(digest);
    return file;
  }

  @Needs({Need.UNSHARE, Need.NAMESPACES})
  @Test
  void itsFilesRunWithNothingElseAroundAndNotAsRoot() throws Exception {
    assertThat(json(layout.resolve("oci-layout")).get("imageLayoutVersion").asString()).isEqualTo("1.0.0");
    JsonNode index = json(layout.resolve("index.json"));
    assertThat(index.get("manifests")).hasSize(1);
    JsonNode manifest = json(blob(layout, index.at("/manifests/0")));
    JsonNode config = json(blob(layout, manifest.get("config")));
    assertThat(config.at("/config/User").asString()).isEqualTo("65532:65532");
    assertThat(config.get("architecture")).isEqualTo(index.at("/manifests/0/platform/architecture"));
    assertThat(manifest.get("layers")).hasSize(1);
    Path layer = blob(layout, manifest.at("/layers/0"));
    assertThat(done("sh", "-c", "gzip -dc \"$1\" | sha256sum | cut -d ' ' -f 1", "sh", layer.toString()).out().strip())
        .isEqualTo(config.at("/rootfs/diff_ids/0").asString().replace("sha256:", ""));
    Path files = unpacked(layer, "files");
    assertThat(done("tar", "-tzvf", layer.toString(), "--numeric-owner", "./var/ladder/", "./opt/echo-ladder/results/").said())
        .contains("65532/65532", "./var/ladder/", "./opt/echo-ladder/results/");
    for (String shell : List.of("bin/sh", "usr/bin/sh", "bin/bash", "usr/bin/bash")) {
      assertThat(files.resolve(shell)).doesNotExist();
    }
    List<String> command = new ArrayList<>(List.of(
        "unshare", "--user", "--map-root-user", "--mount", "sh", "-c",
        "mount --rbind /proc \"$0/proc\" && exec chroot \"$0\" \"$@\"", files.toString()));
    config.at("/config/Entrypoint").forEach(word -> command.add(word.asString()));
    command.addAll(List.of("doctor", "--connections", "1000"));
    assertThat(Commands.run(command.toArray(String[]::new)).said()).contains("1,000 connections, both ends on this host: ");
  }

  /** With an image whose index says another architecture, as there is a host of one alone here. */
  @Test
  void imagesOfSeveralArchitecturesAreJoined() throws Exception {
    Path other = Files.createDirectory(dir.resolve("other"));
    done("sh", "-c", "cp -r \"$0/.\" \"$1\" && sed -i -E 's/\"architecture\": \"[a-z0-9]+\"/\"architecture\": \"riscv64\"/' \"$1/index.json\"", layout.toString(), other.toString());
    done("tar", "-cf", dir.resolve("other.tar").toString(), "-C", other.toString(), ".");
    String join = Tarball.CHECKOUT.resolve("deploy/join-images.sh").toString();
    done(join, dir.resolve("both.tar").toString(), image.toString(), dir.resolve("other.tar").toString());
    Path both = unpacked(dir.resolve("both.tar"), "both");
    JsonNode manifests = json(both.resolve("index.json")).get("manifests");
    assertThat(Stream.of(0, 1).map(i -> manifests.get(i).at("/platform/architecture").asString()).toList()).hasSize(2).endsWith("riscv64").doesNotHaveDuplicates();
    blob(both, manifests.get(0));
    Ended twice = Commands.run(join, dir.resolve("twice.tar").toString(), image.toString(), image.toString());
    assertThat(twice.status()).isEqualTo(2);
    assertThat(twice.said()).contains("two images have \"architecture\"");
  }
}
