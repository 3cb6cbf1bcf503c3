package echoladder.servers.contract;

import static org.junit.jupiter.api.Assumptions.abort;

import echoladder.harness.common.Checkout;
import echoladder.harness.common.Jdks;
import echoladder.harness.server.ReadyLine;
import echoladder.harness.server.ServerBuild;
import echoladder.harness.server.ServerManifest;
import echoladder.harness.server.ServerSettings;
import echoladder.jvm.SharedArchive;
import echoladder.needs.Lacks;
import echoladder.needs.Need;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The servers that the suite is run against: each folder of the project with a server.yaml, and those of the suite itself
 * under src/test/servers, which are built in target/.
 */
public final class Tested {
  /** System property with the name of a server: the suite is then run against this one only. */
  static final String ONLY = "contract.server";

  private static final String TRAFFIC = "traffic";
  private static final String PUSH = "push";

  /** What tells a server to push. */
  public static final Map<String, String> PUSHING = Map.of(TRAFFIC, PUSH);

  /** System property: {@code all} takes every mode of each server, all else the one it has by itself. */
  private static final String MODES = "contract.modes";

  private static final Map<String, Optional<SharedArchive>> ARCHIVES = new ConcurrentHashMap<>();

  private Tested() {}

  private static final class Known {
    private static final Map<String, ServerManifest> ALL = all();
  }

  private static Map<String, ServerManifest> all() {
    Checkout checkout = Checkout.find();
    Map<String, ServerManifest> all = new TreeMap<>(ServerManifest.all(checkout));
    Path suite = checkout.root().resolve("servers/contract-test");
    for (Path source : list(suite.resolve("src/test/servers"))) {
      Path copy = suite.resolve("target/servers").resolve(source.getFileName());
      copy(source, copy);
      ServerManifest manifest = ServerManifest.read(copy.resolve(ServerManifest.FILE), copy.toString());
      all.put(manifest.name(), manifest);
    }
    return all;
  }

  private static List<Path> list(Path dir) {
    try (Stream<Path> files = Files.list(dir)) {
      return files.sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Files keep their times, by which {@link ServerBuild} knows what it has built. */
  private static void copy(Path source, Path copy) {
    try {
      Files.createDirectories(copy);
      for (Path file : list(source)) {
        Path to = copy.resolve(file.getFileName());
        if (!Files.exists(to) || Files.mismatch(file, to) >= 0) {
          Files.copy(file, to, StandardCopyOption.COPY_ATTRIBUTES, StandardCopyOption.REPLACE_EXISTING);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The name of the one server that the suite is to be run against; null = all of them. */
  static @Nullable String only() {
    return System.getProperty(ONLY);
  }

  /** Whether the suite takes each server in every mode: a build of all tests does, and one against a single server. */
  public static boolean everyMode() {
    return only() != null || "all".equals(System.getProperty(MODES));
  }

  /**
   * Those of some protocols. Where the one that was asked for speaks another, the test is skipped.
   *
   * @param protocols {@code tcp}, {@code http} or {@code websocket}
   */
  public static Stream<ServerManifest> servers(String... protocols) {
    List<String> spoken = List.of(protocols);
    String only = only();
    if (only != null && !Known.ALL.containsKey(only)) {
      throw new IllegalStateException(
          "-D%s=%s: there is no such server; known: %s".formatted(ONLY, only, String.join(", ", Known.ALL.keySet())));
    }
    List<ServerManifest> found =
        Known.ALL.values().stream()
            .filter(manifest -> spoken.contains(manifest.protocol()))
            .filter(manifest -> only == null || manifest.name().equals(only))
            .toList();
    if (found.isEmpty()) {
      abort("this is for servers of " + String.join(" and ", spoken) + ", and " + only + " is none");
    }
    return found.stream();
  }

  /** Whether a server can be told {@link #PUSHING}. */
  public static boolean canPush(ServerManifest manifest) {
    ServerManifest.Option traffic = manifest.options().get(TRAFFIC);
    return traffic != null && traffic.values().contains(PUSH);
  }

  /** Every one of them by name. */
  static Map<String, ServerManifest> known() {
    return Known.ALL;
  }

  /** That of a name. */
  public static ServerManifest named(String name) {
    return Objects.requireNonNull(Known.ALL.get(name), name);
  }

  /** Some of the servers of a protocol; where the one that was asked for is none of them, the test is skipped. */
  public static <T> Stream<T> some(Stream<T> found, String description) {
    List<T> all = found.toList();
    if (all.isEmpty()) {
      String why = only() == null ? "the modes of this build have none: -D" + MODES + "=all has all" : only() + " is none";
      abort("this is for " + description + ", and " + why);
    }
    return all.stream();
  }

  /** The server, built where its server.yaml says how; without the program for that, the test is skipped. */
  public static ServerManifest built(ServerManifest manifest) {
    String missing = ServerBuild.missing(manifest);
    if (missing != null) {
      throw Lacks.found(
          Need.SERVER_BUILD, manifest.name() + " is built by '" + String.join(" ", manifest.build()) + "', and there is no " + missing);
    }
    ServerBuild.ensure(manifest);
    return manifest;
  }

  /**
   * The command with the first compiler alone, and with its classes from an archive: hundreds of servers are started here, and
   * none is measured.
   *
   * @param command that starts a server as it stands
   */
  public static List<String> quick(ServerManifest manifest, List<String> command) {
    List<String> quick = new ArrayList<>(command);
    if (quick.getFirst().equals(Jdks.java().toString())) {
      quick.add(1, "-XX:TieredStopAtLevel=1");
      ARCHIVES.computeIfAbsent(manifest.name(), _ -> archive(manifest)).ifPresent(archive -> archive.addTo(quick));
    }
    return quick;
  }

  private static Optional<SharedArchive> archive(ServerManifest manifest) {
    return Optional.ofNullable(
        SharedArchive.make(manifest.name(), manifest.argv(Jdks.java(), ServerSettings.DEFAULT), Tested::startAndStop));
  }

  /** Has it show its page, and stops it. */
  private static void startAndStop(Process server) throws IOException {
    try (BufferedReader out = server.inputReader()) {
      String line = out.readLine();
      if (line != null) {
        URI page = ReadyLine.parse(line).metrics();
        page.toURL().openStream().close();
      }
      server.destroy();
    }
  }
}
