package echoladder.harness;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.needs.Need;
import echoladder.needs.Needs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** deploy/install.sh and deploy/make-formula.sh, with small releases in a folder. */
final class InstallScriptsTest {
  private static final Path DEPLOY = Path.of("../deploy").toAbsolutePath().normalize();

  @TempDir private Path dir;

  /** What a script ended with, and printed. */
  private record Ended(int status, String said) {}

  private Ended run(String script, Map<String, String> variables, String... arguments) throws IOException, InterruptedException {
    List<String> argv = Stream.concat(Stream.of(DEPLOY.resolve(script).toString()), Stream.of(arguments)).toList();
    ProcessBuilder builder = new ProcessBuilder(argv).redirectErrorStream(true);
    builder.environment().putAll(variables);
    Process process = builder.start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Ended(process.waitFor(), said);
  }

  private Ended install(String... arguments) throws IOException, InterruptedException {
    return run("install.sh", Map.of("ECHO_LADDER_HOME", dir.resolve("home").toString(), "ECHO_LADDER_RELEASES", "file://" + dir), arguments);
  }

  private void release(String version) throws IOException, InterruptedException {
    Path release = Files.createDirectories(dir.resolve("v" + version));
    String script =
        """
        name=echo-ladder-%1$s-linux-$(uname -m) && mkdir $name && echo version=%1$s >$name/RELEASE && printf '#!/bin/sh\\necho %1$s\\n' >$name/ladder
        chmod +x $name/ladder && tar -czf $name.tar.gz $name && rm -r $name && sha256sum *.tar.gz >SHA256SUMS
        """
            .formatted(version);
    assertThat(new ProcessBuilder("sh", "-c", script).directory(release.toFile()).inheritIO().start().waitFor()).isZero();
  }

  @BeforeEach
  void releases() throws Exception {
    release("0.3.0");
    release("0.4.0");
  }

  private String current() throws IOException, InterruptedException {
    Process ladder = new ProcessBuilder(dir.resolve("home/current/ladder").toString()).start();
    return new String(ladder.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
  }

  @Needs(Need.CURL)
  @Test
  void releasesAreInstalledBesideEachOtherAndOneIsInUse() throws Exception {
    assertThat(install("install", "0.3.0")).isEqualTo(new Ended(0, "%1$s/current is 0.3.0; its command: %1$s/current/ladder (or: PATH=\"%1$s/current:$PATH\")\n".formatted(dir.resolve("home"))));
    assertThat(install("install", "0.4.0").status()).isZero();
    assertThat(current()).isEqualTo("0.4.0");
    assertThat(install("list").said()).isEqualTo("0.3.0\n0.4.0 (current)\n");
    assertThat(install("use", "0.3.0").status()).isZero();
    assertThat(current()).isEqualTo("0.3.0");
    assertThat(install("install", "0.4.0").said()).contains("version 0.4.0 is there already", "current is 0.4.0");
    assertThat(install("remove", "0.4.0").status()).isZero();
    assertThat(install("list").said()).isEqualTo("0.3.0\n");
    assertThat(dir.resolve("home/current")).doesNotExist();
  }

  @Needs(Need.CURL)
  @Test
  void whatHasAnotherHashIsNotInstalled() throws Exception {
    try (Stream<Path> files = Files.list(dir.resolve("v0.3.0"))) {
      Path tarball = files.filter(file -> file.toString().endsWith(".tar.gz")).findFirst().orElseThrow();
      Files.write(tarball, new byte[] {0}, StandardOpenOption.APPEND);
    }
    Ended ended = install("install", "0.3.0");
    assertThat(ended.status()).isEqualTo(3);
    assertThat(ended.said()).contains(" has the hash ", "nothing was installed");
    try (Stream<Path> left = Files.list(dir.resolve("home"))) {
      assertThat(left).isEmpty();
    }
  }

  @Needs(Need.CURL)
  @Test
  void aVersionThatThereIsNotIsSaidAndAPathIsNone() throws Exception {
    assertThat(install("install", "9.9.9")).satisfies(
        ended -> assertThat(ended.status()).isEqualTo(3), ended -> assertThat(ended.said()).contains("v9.9.9/SHA256SUMS could not be fetched"));
    assertThat(install("use", "0.9.0")).satisfies(
        ended -> assertThat(ended.status()).isEqualTo(3), ended -> assertThat(ended.said()).contains("version 0.9.0 is not in ", "which has nothing"));
    assertThat(install("install", "0.3.0").status()).isZero();
    assertThat(install("use", "0.9.0").said()).contains("home, which has 0.3.0 (current). 'install.sh install 0.9.0' gets it.");
    // The name of the link is no version: a link to itself leads nowhere.
    for (String verb : List.of("use", "install", "remove")) {
      assertThat(install(verb, "current").status()).as(verb).isEqualTo(2);
    }
    assertThat(current()).isEqualTo("0.3.0");
    for (String none : List.of("../x", "", "-rf", ".")) {
      assertThat(install("remove", none).status()).as(none).isEqualTo(2);
    }
    assertThat(install().status()).isEqualTo(2);
  }

  @Needs(Need.BASH)
  @Test
  void theFormulaHasTheHashOfTheRelease() throws Exception {
    Path sums = Files.writeString(dir.resolve("SUMS"), "a".repeat(64) + "  echo-ladder-0.3.0-linux-x86_64.tar.gz\n");
    Path formula = dir.resolve("echo-ladder.rb");
    Map<String, String> variables = Map.of("SUMS", sums.toString(), "OUT", formula.toString());
    assertThat(run("make-formula.sh", variables, "0.3.0")).isEqualTo(new Ended(0, ""));
    assertThat(formula)
        .content()
        .contains("class EchoLadder < Formula", "version \"0.3.0\"", "on_intel do", "/releases/download/v0.3.0/echo-ladder-0.3.0-linux-x86_64.tar.gz\"")
        .contains("sha256 \"" + "a".repeat(64) + "\"", "shell_output(\"#{bin}/ladder --version\")")
        .doesNotContain("on_arm");
    Ended other = run("make-formula.sh", variables, "0.4.0");
    assertThat(other.status()).isEqualTo(3);
    assertThat(other.said()).contains("has no tarball of version 0.4.0");
  }
}
