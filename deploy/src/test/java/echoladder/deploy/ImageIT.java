package echoladder.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.deploy.Commands.Ended;
import echoladder.needs.Lacks;
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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The container image of the release, as the OCI's image-spec has it: its layout, its files as its user, and by an engine where one runs. */
class ImageIT {
  /** The user of the image, who is not root. */
  private static final int USER = 65_532;

  @TempDir private static Path dir;

  /** Made once, by the first test that runs here. */
  private static Path image() throws Exception {
    Path image = dir.resolve("image.tar");
    if (!Files.exists(image)) {
      done("env", "OUT=" + image, Tarball.CHECKOUT.resolve("deploy/make-image.sh").toString(), Tarball.file().toString());
    }
    return image;
  }

  private static Path layout() throws Exception {
    Path layout = dir.resolve("layout");
    return Files.exists(layout) ? layout : unpacked(image(), "layout");
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

  private static JsonNode manifest() throws Exception {
    JsonNode index = json(layout().resolve("index.json"));
    assertThat(index.get("manifests")).hasSize(1);
    return json(blob(layout(), index.at("/manifests/0")));
  }

  private static JsonNode config() throws Exception {
    return json(blob(layout(), manifest().get("config")));
  }

  private static Path layer() throws Exception {
    JsonNode manifest = manifest();
    assertThat(manifest.get("layers")).hasSize(1);
    return blob(layout(), manifest.at("/layers/0"));
  }

  @Test
  void itsLayoutIsThatOfAnImage() throws Exception {
    assertThat(json(layout().resolve("oci-layout")).get("imageLayoutVersion").asString()).isEqualTo("1.0.0");
    JsonNode config = config();
    assertThat(config.at("/config/User").asString()).isEqualTo(USER + ":" + USER);
    assertThat(config.get("architecture")).isEqualTo(json(layout().resolve("index.json")).at("/manifests/0/platform/architecture"));
    assertThat(done("sh", "-c", "gzip -dc \"$1\" | sha256sum | cut -d ' ' -f 1", "sh", layer().toString()).out().strip())
        .isEqualTo(config.at("/rootfs/diff_ids/0").asString().replace("sha256:", ""));
    List<String> entries = done("tar", "-tzvf", layer().toString(), "--numeric-owner").out().lines().toList();
    for (String own : List.of("./var/ladder/", "./opt/echo-ladder/results/")) {
      assertThat(entries).filteredOn(line -> line.endsWith(" " + own)).singleElement().asString().contains(" %1$d/%1$d ".formatted(USER));
    }
    assertThat(entries).filteredOn(line -> !line.contains(" 0/0 ")).as("all else is root's").hasSize(2);
    assertThat(entries).noneMatch(line -> line.matches(".* \\./(usr/)?bin/(ba|da)?sh"));
  }

  /** As the number that the image names, with no group besides, and with no file of the host but those of /proc. */
  @Needs({Need.UNSHARE, Need.NAMESPACES, Need.OTHER_OWNERS})
  @Tag("long")
  @Test
  void itsFilesRunAsItsUserWithNothingElseAround() throws Exception {
    Path files = unpacked(layer(), "files");
    Ended answer = asItsUser(files, "doctor", "--connections", "1000", "--write", "/var/ladder/tuned");
    assertThat(answer.said()).contains("1,000 connections, both ends on this host: ");
    Path written = files.resolve("var/ladder/tuned/sysctl.d/90-echo-ladder.conf");
    assertThat(Files.getAttribute(written, "unix:uid")).isEqualTo(USER);
    assertThat(Files.getAttribute(written, "unix:gid")).isEqualTo(USER);
    Ended refused = asItsUser(files, "doctor", "--connections", "1000", "--write", "/opt/echo-ladder/tuned");
    assertThat(refused.status()).as("root's folder is not for this user").isEqualTo(3);
    assertThat(refused.err()).contains("cannot write to /opt/echo-ladder/tuned: ");
  }

  private static Ended asItsUser(Path files, String... arguments) throws Exception {
    JsonNode config = config();
    List<String> command = new ArrayList<>(List.of(
        "unshare", "--mount", "--propagation", "private", "sh", "-c",
        "mount --rbind /proc \"$0/proc\" && user=$1 && shift && exec chroot --userspec=\"$user\" --groups= \"$0\" \"$@\"",
        files.toString(), config.at("/config/User").asString()));
    config.at("/config/Entrypoint").forEach(word -> command.add(word.asString()));
    command.addAll(List.of(arguments));
    return Commands.run(command.toArray(String[]::new));
  }

  /** By the commands of docs/container.md, in a store of its own and without a network: that of podman adds rules to the host's filter. */
  @Needs(Need.PODMAN)
  @Test
  void podmanLoadsAndRunsIt() throws Exception {
    Ended trial = Commands.run(Tarball.CHECKOUT.resolve(".ci/podman-runs").toString());
    if (trial.status() != 0) {
      throw Lacks.found(Need.PODMAN, "podman starts no container here (%s)".formatted(trial.err().strip().replaceFirst("(?s).*\n", "")));
    }
    try {
      String name = podman("load", "-i", image().toString()).out().strip().replaceFirst("(?s).*: ", "");
      Ended answer = podman("run", "--rm", "--network", "none", name, "doctor", "--connections", "100000");
      assertThat(answer.out()).as(answer.said()).contains("100,000 connections, both ends on this host: ", "nofile hard, server");
      Path results = Files.createDirectory(dir.resolve("podman-results"));
      Ended wrote =
          podman(
              "run", "--rm", "--network", "none", "-v", results + ":/var/ladder/results:U", name, "doctor", "--connections", "100000", "--write", "results/tuned");
      assertThat(results.resolve("tuned/limits.d/90-echo-ladder.conf")).as(wrote.said()).isRegularFile();
      assertThat(Files.getAttribute(results.resolve("tuned/limits.d/90-echo-ladder.conf"), "unix:uid")).isEqualTo(USER);
    } finally {
      podman("rmi", "--all", "--force");
    }
  }

  private static Ended podman(String... arguments) throws Exception {
    Path store = dir.resolve("podman");
    List<String> command = new ArrayList<>(List.of(
        "podman", "--root", store + "/root", "--runroot", store + "/run", "--tmpdir", store + "/tmp", "--network-config-dir", store + "/net",
        "--storage-driver", "vfs"));
    command.addAll(List.of(arguments));
    return Commands.run(command.toArray(String[]::new));
  }

  /** With an image whose index says another architecture, as there is a host of one alone here. */
  @Test
  void imagesOfSeveralArchitecturesAreJoined() throws Exception {
    Path other = Files.createDirectory(dir.resolve("other"));
    done("sh", "-c", "cp -r \"$0/.\" \"$1\" && sed -i -E 's/\"architecture\": \"[a-z0-9]+\"/\"architecture\": \"riscv64\"/' \"$1/index.json\"", layout().toString(), other.toString());
    done("tar", "-cf", dir.resolve("other.tar").toString(), "-C", other.toString(), ".");
    String join = Tarball.CHECKOUT.resolve("deploy/join-images.sh").toString();
    done(join, dir.resolve("both.tar").toString(), image().toString(), dir.resolve("other.tar").toString());
    Path both = unpacked(dir.resolve("both.tar"), "both");
    JsonNode manifests = json(both.resolve("index.json")).get("manifests");
    assertThat(Stream.of(0, 1).map(i -> manifests.get(i).at("/platform/architecture").asString()).toList()).hasSize(2).endsWith("riscv64").doesNotHaveDuplicates();
    blob(both, manifests.get(0));
    Ended twice = Commands.run(join, dir.resolve("twice.tar").toString(), image().toString(), image().toString());
    assertThat(twice.status()).isEqualTo(2);
    assertThat(twice.said()).contains("two images have \"architecture\"");
  }
}
