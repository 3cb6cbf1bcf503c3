package echoladder.deploy;

import echoladder.harness.common.Jdks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A host that has a kernel and seven packages: a mount namespace without any Java, Maven and Go of this host, where PATH has
 * programs of bash, coreutils, findutils, gzip, sed, tar and util-linux alone. Nothing outside of it changes.
 */
final class BareHost implements AutoCloseable {
  private static final List<String> PROGRAMS =
      List.of(
          "bash", "cat", "chmod", "cp", "cut", "date", "dirname", "dmesg", "env", "find", "flock", "gzip", "head", "id", "kill", "ln", "ls",
          "mkdir", "mktemp", "mv", "nice", "nproc", "prlimit", "readlink", "realpath", "rm", "rmdir", "sed", "seq", "setsid", "sha256sum",
          "sleep", "sort", "stat", "tail", "tar", "taskset", "tee", "test", "timeout", "touch", "tr", "true", "uname", "uniq", "wc", "xargs");

  private static final String HIDE =
      """
      set -e
      path=$1
      hidden=$2
      shift 2
      for program in java javac mvn go; do
        for dir in ${PATH//:/ }; do
          [ ! -e "$dir/$program" ] || mount --bind /dev/null "$(readlink -f "$dir/$program")"
        done
      done
      for dir in $hidden; do mount -t tmpfs tmpfs "$dir"; done
      for program in java javac mvn go; do
        [ ! -x "$(type -P $program)" ] || { echo "$program is still there" >&2; exit 99; }
      done
      exec env -i PATH="$path" HOME=/nonexistent "$@"
      """;

  private final Path programs;

  /** With a folder for its programs. */
  BareHost(Path dir) throws IOException {
    programs = Files.createDirectories(dir.resolve("programs"));
    for (String program : PROGRAMS) {
      for (String folder : List.of("/usr/bin", "/bin")) {
        if (Files.exists(Path.of(folder, program)) && !Files.exists(programs.resolve(program))) {
          Files.createSymbolicLink(programs.resolve(program), Path.of(folder, program));
        }
      }
    }
    // Every Linux has one; this one is bash.
    Files.createSymbolicLink(programs.resolve("sh"), Path.of("/bin/bash"));
  }

  /** A command on it. */
  ProcessBuilder command(Path directory, String... command) {
    List<String> hidden =
        Stream.concat(Jdks.of(List.of()).folders().stream(), Stream.of(Jdks.own()))
            .filter(Files::isDirectory)
            .map(Path::toString)
            .toList();
    List<String> argv =
        new ArrayList<>(
            List.of(
                "unshare", "--mount", "--propagation", "private", "bash", "-c", HIDE, "bare", programs.toString(),
                String.join(" ", hidden.reversed())));
    argv.addAll(List.of(command));
    return new ProcessBuilder(argv).directory(directory.toFile());
  }

  /** Removes the folder of its programs, whose links a test would be warned of. */
  @Override
  public void close() throws IOException {
    try (Stream<Path> links = Files.list(programs)) {
      for (Path link : links.toList()) {
        Files.delete(link);
      }
    }
    Files.delete(programs);
  }
}
