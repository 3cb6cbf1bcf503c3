package echoladder.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/** A folder on a disk that fails from a moment on, for processes that have its environment, and for those that they start. */
record FailingDisk(Path folder, Path library, Path when) {
  /** Builds it in an empty folder. */
  static FailingDisk in(Path dir) throws IOException, InterruptedException {
    Path source = dir.resolve("failing-disk.c");
    try (InputStream in = Objects.requireNonNull(FailingDisk.class.getResourceAsStream("failing-disk.c"))) {
      Files.copy(in, source);
    }
    Path library = dir.resolve("failing-disk.so");
    Process compiler =
        new ProcessBuilder(List.of(compiler(), "-O1", "-Wall", "-Werror", "-shared", "-fPIC", "-o", library.toString(), source.toString()))
            .redirectErrorStream(true)
            .start();
    String said = new String(compiler.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(compiler.waitFor()).as(said).isZero();
    return new FailingDisk(Files.createDirectory(dir.resolve("failing")), library, dir.resolve("failing.when"));
  }

  private static String compiler() {
    List<String> names = List.of("cc", "gcc", "clang");
    return Stream.of(String.valueOf(System.getenv("PATH")).split(":", -1))
        .flatMap(path -> names.stream().filter(name -> Files.isExecutable(Path.of(path, name))))
        .findFirst()
        .orElseThrow();
  }

  /** What a process must have to see it. */
  Map<String, String> environment() {
    return Map.of("LD_PRELOAD", library.toString(), "FAILING_DIR", folder.toString(), "FAILING_WHEN", when.toString());
  }

  /** From now on these calls, {@code write} or {@code fsync}, fail with that errno. */
  void fail(int errno, String calls) throws IOException {
    Path next = Files.writeString(when.resolveSibling("failing.next"), errno + " " + calls);
    Files.move(next, when);
  }

  /** It works again. */
  void mend() throws IOException {
    Files.delete(when);
  }
}
