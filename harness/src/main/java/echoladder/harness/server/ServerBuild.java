package echoladder.harness.server;

import echoladder.harness.common.Jdks;
import echoladder.harness.common.Refusal;
import echoladder.harness.common.Sha256;
import echoladder.linux.ErrorText;
import echoladder.linux.output.HeadAndTail;
import echoladder.linux.output.TerminalStream;
import echoladder.linux.process.ChildProcess;
import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Builds a server whose server.yaml says how ({@code build}): in its folder, where the files outside of its {@code target/}
 * are not those of the last good build. Servers of the project's own build say nothing and are left alone.
 */
public final class ServerBuild {
  private static final Duration BOUND = Duration.ofMinutes(10);
  private static final int TAIL_LINES = 10;

  private final ServerManifest manifest;
  private final Path target;
  private final Path stamp;

  private ServerBuild(ServerManifest manifest) {
    this.manifest = manifest;
    this.target = manifest.dir().resolve("target");
    this.stamp = target.resolve("server-built");
  }

  /** The program that builds the server, where it needs one and PATH does not have it; else null. */
  public static @Nullable String missing(ServerManifest manifest) {
    if (manifest.build().isEmpty()) {
      return null;
    }
    String program = command(manifest).getFirst();
    if (program.contains("/")) {
      return Files.isExecutable(manifest.dir().resolve(program)) ? null : program;
    }
    String path = System.getenv().getOrDefault("PATH", "");
    boolean found =
        Arrays.stream(path.split(File.pathSeparator, -1)).anyMatch(dir -> Files.isExecutable(Path.of(dir, program)));
    return found ? null : program;
  }

  private static List<String> command(ServerManifest manifest) {
    String java = Jdks.java().toString();
    return manifest.build().stream().map(part -> part.replace("{java}", java)).toList();
  }

  /**
   * Builds where that is needed; a second caller waits for the first.
   *
   * @throws Refusal (cannot run) naming the program that is missing, or with the end of what the build said
   */
  public static synchronized void ensure(ServerManifest manifest) {
    if (manifest.build().isEmpty()) {
      return;
    }
    String missing = missing(manifest);
    if (missing != null) {
      throw Refusal.cannotRun(
          "server '%s' is built by '%s', and %s is not there; install it, or take another server"
              .formatted(manifest.name(), String.join(" ", manifest.build()), missing));
    }
    try {
      new ServerBuild(manifest).ensure();
    } catch (IOException e) {
      throw Refusal.cannotRun("cannot build server '" + manifest.name() + "' in " + manifest.dir() + ": " + ErrorText.of(e));
    }
  }

  private void ensure() throws IOException {
    Files.createDirectories(target);
    try (FileChannel file =
            FileChannel.open(target.resolve("server-build.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock _ = file.lock()) {
      if (stale()) {
        Instant began = Instant.now();
        String contents = contents();
        run();
        Files.writeString(stamp, contents);
        Files.setLastModifiedTime(stamp, FileTime.from(began));
      }
    }
  }

  /** Mostly times tell; where a copy changed times alone, contents do. */
  private boolean stale() throws IOException {
    if (!Files.exists(stamp)) {
      return true;
    }
    Instant now = Instant.now();
    FileTime built = Files.getLastModifiedTime(stamp);
    // A folder is newer when a file in it came or went.
    if (inputs((_, attributes) -> attributes.lastModifiedTime().compareTo(built) > 0).isEmpty()) {
      return false;
    }
    if (!Files.readString(stamp).equals(contents())) {
      return true;
    }
    Files.setLastModifiedTime(stamp, FileTime.from(now));
    return false;
  }

  /** A hash of the names and contents of all files that go into the build. */
  private String contents() throws IOException {
    MessageDigest digest = Sha256.digest();
    for (Path file : inputs((_, attributes) -> attributes.isRegularFile())) {
      byte[] bytes = Files.readAllBytes(file);
      digest.update((manifest.dir().relativize(file) + "\0" + bytes.length + "\0").getBytes(StandardCharsets.UTF_8));
      digest.update(bytes);
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  /** The server's folder and all below that is of this kind, sorted, without its {@code target/}. */
  private SortedSet<Path> inputs(BiPredicate<Path, BasicFileAttributes> kind) throws IOException {
    try (Stream<Path> found =
        Files.find(manifest.dir(), Integer.MAX_VALUE, (path, is) -> !path.startsWith(target) && kind.test(path, is))) {
      return found.collect(Collectors.toCollection(TreeSet::new));
    }
  }

  private void run() throws IOException {
    Path log = target.resolve("server-build.log");
    System.err.println("ladder: building server '" + manifest.name() + "': " + String.join(" ", manifest.build()));
    ProcessBuilder builder =
        new ProcessBuilder(command(manifest)).directory(manifest.dir().toFile()).redirectErrorStream(true);
    String seen;
    String tail;
    try (HeadAndTail kept = HeadAndTail.log(TerminalStream.ofOthers(Files.newOutputStream(log)));
        ChildProcess build = ChildProcess.start(builder, kept, null)) {
      try {
        seen = build.endsWithin(BOUND) && build.drained()
            ? build.ending()
            : "did not end within " + BOUND.toMinutes() + " minutes";
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        seen = "was interrupted";
      }
      tail = kept.tail();
    }
    if (!seen.endsWith(" status 0")) {
      List<String> said = tail.lines().toList();
      throw Refusal.cannotRun(
          "the build of server '%s' %s: %s in %s%n%s%nall it said is in %s"
              .formatted(
                  manifest.name(), seen, String.join(" ", manifest.build()), manifest.dir(),
                  String.join("\n", said.subList(Math.max(0, said.size() - TAIL_LINES), said.size())), log));
    }
  }
}
