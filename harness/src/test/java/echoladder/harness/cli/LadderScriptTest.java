package echoladder.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.common.Jdks;
import echoladder.needs.Need;
import echoladder.needs.Needs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The script {@code ladder} with the little that sudo leaves of an environment: no JAVA_HOME, another PATH and HOME. */
@Needs(Need.BASH)
class LadderScriptTest {
  private static final Ended RUNS = new Ended(0, "the recorded JDK runs\n", "");

  @TempDir private Path checkout;

  @TempDir private Path jdk;

  private record Ended(int status, String out, String err) {}

  /** A checkout that is built, by a JDK where nobody looks for one. */
  @BeforeEach
  void built() throws IOException {
    for (String script : List.of("ladder", "build.sh")) {
      Files.copy(Path.of("..", script), checkout.resolve(script));
      executable(checkout.resolve(script));
    }
    Files.writeString(checkout.resolve("pom.xml"), "<project/>");
    Files.createDirectories(checkout.resolve("harness/target/lib"));
    Files.createDirectories(checkout.resolve("harness/src/main"));
    Files.createDirectories(checkout.resolve("go-echo/target"));
    executable(Files.createFile(checkout.resolve("go-echo/target/go-echo")));
    Files.writeString(jdk.resolve("release"), "JAVA_VERSION=\"25.0.9\"\n");
    Files.createDirectories(jdk.resolve("bin"));
    executable(Files.writeString(jdk.resolve("bin/java"), "#!/bin/sh\necho \"the recorded JDK runs\"\n"));
    executable(Files.writeString(jdk.resolve("bin/javac"), ""));
    Files.createDirectories(checkout.resolve("target"));
    Files.writeString(checkout.resolve("target/ladder-jdk"), jdk + "\n");
    Files.createFile(checkout.resolve("target/ladder-built"));
    Files.setLastModifiedTime(checkout.resolve("target/ladder-built"), FileTime.from(Instant.now().plusSeconds(3600)));
  }

  private static void executable(Path file) {
    assertThat(file.toFile().setExecutable(true)).isTrue();
  }

  /** As root whom nobody's sudo made so. */
  private Ended root(String path) throws IOException, InterruptedException {
    return start(path, List.of());
  }

  private Ended sudo() throws IOException, InterruptedException {
    return start("", List.of("SUDO_UID=1000", "SUDO_GID=1000"));
  }

  /** With that before the usual PATH. */
  private Ended start(String path, List<String> variables) throws IOException, InterruptedException {
    List<String> argv = new ArrayList<>(List.of("env", "-i", "PATH=" + path + "/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/nonexistent"));
    argv.addAll(variables);
    argv.addAll(List.of(checkout.resolve("ladder").toString(), "tune", "restore"));
    Path err = checkout.resolve("err");
    Process process = new ProcessBuilder(argv).redirectError(err.toFile()).start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return new Ended(process.exitValue(), out, Files.readString(err));
  }

  /** As cron, CI, docker exec and an ssh that hands on a locale which is not here have it, and as it is right already. */
  @Needs(Need.UTF8_LOCALE)
  @ParameterizedTest
  @ValueSource(strings = {"", "LC_ALL=C", "LC_ALL=POSIX", "LANG=C", "LC_CTYPE=xx_XX.UTF-8", "LC_ALL=xx_XX.UTF-8", "LC_ALL=C.UTF-8", "LANG=C.UTF-8"})
  void aJvmHasAlwaysMoreThanAscii(String variable) throws Exception {
    Files.writeString(
        jdk.resolve("bin/java"),
        "#!/bin/sh\nexec " + Jdks.java() + " -XX:TieredStopAtLevel=1 -XshowSettings:properties -version 2>&1 | grep -o '[a-z]*[.]\\(jnu[.]\\)*encoding = .*'\n");
    Ended ended = start("", variable.isEmpty() ? List.of() : List.of(variable));
    assertThat(ended.out()).contains("sun.jnu.encoding = UTF-8", "native.encoding = UTF-8", "stdout.encoding = UTF-8");
    // bash itself warns of one that is not there.
    assertThat(ended.err().lines()).noneMatch(line -> line.startsWith("ladder:"));
  }

  @Test
  void aClosedStdoutIsSaidBeforeAFileTakesItsPlace() throws Exception {
    Process process =
        new ProcessBuilder("sh", "-c", "exec \"$0\" tune restore >&- <&-", checkout.resolve("ladder").toString()).start();
    assertThat(new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8))
        .isEqualTo("ladder: stdout is closed, so nobody could read the results; have it written to a file, or to /dev/null\n");
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isEqualTo(3);
  }

  @Test
  void findsTheJdkThatBuiltIt() throws Exception {
    assertThat(sudo()).isEqualTo(RUNS);
  }

  @Test
  void buildsNothingAsRootThatItsOwnerCouldNotReplace() throws Exception {
    Files.setLastModifiedTime(checkout.resolve("target/ladder-built"), FileTime.from(Instant.EPOCH));
    Ended ended = sudo();
    assertThat(ended.status()).isEqualTo(3);
    assertThat(ended.err()).contains("its owner could not replace what root builds", "run ./ladder --help without sudo first");
    assertThat(checkout.resolve("target/ladder-build.log")).doesNotExist();
  }

  /** What a newcomer sees: with every folder hidden in which a JDK is looked for, and few programs on PATH. */
  @Needs({Need.UNSHARE, Need.MOUNT, Need.NAMESPACES})
  @Test
  void saysWhereItLookedForAJdkAsThePageHasIt(@TempDir Path programs) throws Exception {
    Files.delete(checkout.resolve("target/ladder-jdk"));
    Ended ended = alone(programs, "run");
    assertThat(ended.status()).as(ended.err()).isEqualTo(3);
    assertThat(ended.out()).isEmpty();
    String page = Files.readString(Path.of("../docs/FIRST-TEN-MINUTES.md"));
    assertThat(page).contains("```console not-run\n$ ./ladder run\n" + ended.err() + "```\n");
  }

  @Needs({Need.UNSHARE, Need.MOUNT, Need.NAMESPACES})
  @Test
  void namesWhatTheBuildLacks(@TempDir Path programs) throws Exception {
    Files.setLastModifiedTime(checkout.resolve("target/ladder-built"), FileTime.from(Instant.EPOCH));
    Files.delete(jdk.resolve("bin/javac"));
    Ended ended = alone(programs, "run");
    assertThat(ended.status()).as(ended.err()).isEqualTo(3);
    assertThat(ended.err())
        .contains(
            "has no javac: it is a runtime only", "Maven (mvn) is not on PATH. The build needs 3.8 or newer",
            "Go (go) is not on PATH. The build needs 1.26 or newer: https://go.dev/dl/");
  }

  /**
   * Runs the script on a machine that has the programs of this one that the script needs before it builds, and none of its
   * JDKs.
   */
  private Ended alone(Path programs, String verb) throws IOException, InterruptedException {
    for (String program : List.of("bash", "cat", "dirname", "env", "find", "flock", "grep", "readlink", "sha256sum", "sort", "touch", "xargs")) {
      Path found =
          Stream.of("/usr/bin", "/bin").map(folder -> Path.of(folder, program)).filter(Files::isExecutable).findFirst().orElseThrow();
      Files.createSymbolicLink(programs.resolve(program), found);
    }
    String hide = "for d in /usr/lib/jvm /opt; do [ ! -d $d ] || mount -t tmpfs tmpfs $d; done; exec env -i PATH=\"$1\" HOME=/nonexistent \"$0\" \"$2\"";
    Path err = checkout.resolve("err");
    Process process =
        new ProcessBuilder("unshare", "--mount", "bash", "-c", hide, checkout.resolve("ladder").toString(), programs.toString(), verb)
            .redirectError(err.toFile())
            .start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return new Ended(process.exitValue(), out, Files.readString(err));
  }

  /** A folder with Maven and Go that build nothing, and count how often. */
  private String tools(Path dir) throws IOException {
    executable(Files.writeString(dir.resolve("mvn"), "#!/bin/sh\nmkdir -p harness/target/lib; echo built >>target/builds\n"));
    executable(Files.writeString(dir.resolve("go"), "#!/bin/sh\n"));
    return dir + ":";
  }

  private int builds() throws IOException {
    return Files.readAllLines(checkout.resolve("target/builds")).size();
  }

  private void allNewerThanTheBuild() throws IOException {
    try (Stream<Path> files = Files.walk(checkout)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Files.setLastModifiedTime(file, FileTime.from(Instant.now()));
      }
    }
    Files.setLastModifiedTime(checkout.resolve("target/ladder-built"), FileTime.from(Instant.EPOCH));
  }

  @Test
  void aCopyIsNotBuiltForItsTimesButForItsContents(@TempDir Path programs) throws Exception {
    String path = tools(programs);
    Files.delete(checkout.resolve("target/ladder-built"));
    assertThat(root(path).out()).isEqualTo(RUNS.out());
    assertThat(builds()).isEqualTo(1);
    allNewerThanTheBuild();
    assertThat(root(path)).isEqualTo(RUNS);
    assertThat(builds()).as("the same contents").isEqualTo(1);
    assertThat(Files.getLastModifiedTime(checkout.resolve("target/ladder-built"))).isGreaterThan(FileTime.from(Instant.EPOCH));
    Path source = Files.writeString(checkout.resolve("harness/src/main/One.java"), "class One {}");
    allNewerThanTheBuild();
    assertThat(root(path).status()).isZero();
    assertThat(builds()).as("other contents").isEqualTo(2);
    Files.move(source, checkout.resolve("harness/src/main/Two.java"));
    allNewerThanTheBuild();
    assertThat(root(path).status()).isZero();
    assertThat(builds()).as("the same contents under another name").isEqualTo(3);
  }

  /** What an unpacked release has: no build, no sources, no script that builds. */
  private void release(String architecture) throws IOException {
    Files.delete(checkout.resolve("target/ladder-built"));
    Files.delete(checkout.resolve("build.sh"));
    Files.createDirectories(checkout.resolve("runtime/bin"));
    executable(Files.writeString(checkout.resolve("runtime/bin/java"), "#!/bin/sh\necho \"the release's own Java runs\"\n"));
    Files.writeString(checkout.resolve("RELEASE"), "version=1.2.3\narch=" + architecture + "\n");
  }

  @Test
  void aReleaseIsNeverBuiltAndTakesItsOwnJava() throws Exception {
    release(Objects.requireNonNull(System.getProperty("os.arch")).replace("amd64", "x86_64"));
    assertThat(sudo()).isEqualTo(new Ended(0, "the release's own Java runs\n", ""));
  }

  @Test
  void aReleaseForAnotherProcessorSaysSo() throws Exception {
    release("riscv128");
    Ended ended = sudo();
    assertThat(ended.status()).isEqualTo(3);
    assertThat(ended.out()).isEmpty();
    assertThat(ended.err()).contains("not for this host's processor", "arch=riscv128", "version=1.2.3");
  }
}
