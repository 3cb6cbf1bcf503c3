package echoladder.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script {@code ladder} with the little that sudo leaves of an environment: no JAVA_HOME, another PATH and HOME. */
class LadderScriptTest {
  @TempDir private Path checkout;

  @TempDir private Path jdk;

  private record Ended(int status, String out, String err) {}

  /** A checkout that is built, by a JDK where nobody looks for one. */
  @BeforeEach
  void built() throws IOException {
    Files.copy(Path.of("..", "ladder"), checkout.resolve("ladder"));
    executable(checkout.resolve("ladder"));
    Files.writeString(checkout.resolve("pom.xml"), "<project/>");
    Files.createDirectories(checkout.resolve("harness/target/lib"));
    Files.createDirectories(checkout.resolve("go-echo/target"));
    executable(Files.createFile(checkout.resolve("go-echo/target/go-echo")));
    Files.writeString(jdk.resolve("release"), "JAVA_VERSION=\"25.0.9\"\n");
    Files.createDirectories(jdk.resolve("bin"));
    executable(Files.writeString(jdk.resolve("bin/java"), "#!/bin/sh\necho \"the recorded JDK runs\"\n"));
    Files.createDirectories(checkout.resolve("target"));
    Files.writeString(checkout.resolve("target/ladder-jdk"), jdk + "\n");
    Files.createFile(checkout.resolve("target/ladder-built"));
    Files.setLastModifiedTime(checkout.resolve("target/ladder-built"), FileTime.from(Instant.now().plusSeconds(3600)));
  }

  private static void executable(Path file) {
    assertThat(file.toFile().setExecutable(true)).isTrue();
  }

  private Ended sudo() throws IOException, InterruptedException {
    List<String> argv = new ArrayList<>(List.of("env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/nonexistent"));
    argv.addAll(List.of("SUDO_UID=1000", "SUDO_GID=1000", checkout.resolve("ladder").toString(), "tune", "restore"));
    Path err = checkout.resolve("err");
    Process process = new ProcessBuilder(argv).redirectError(err.toFile()).start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return new Ended(process.exitValue(), out, Files.readString(err));
  }

  @Test
  void findsTheJdkThatBuiltIt() throws Exception {
    assertThat(sudo()).isEqualTo(new Ended(0, "the recorded JDK runs\n", ""));
  }

  @Test
  void buildsNothingAsRootThatItsOwnerCouldNotReplace() throws Exception {
    Files.setLastModifiedTime(checkout.resolve("target/ladder-built"), FileTime.from(Instant.EPOCH));
    Ended ended = sudo();
    assertThat(ended.status()).isEqualTo(3);
    assertThat(ended.err()).contains("its owner could not replace what root builds", "run ./ladder --help without sudo first");
    assertThat(checkout.resolve("target/ladder-build.log")).doesNotExist();
  }
}
