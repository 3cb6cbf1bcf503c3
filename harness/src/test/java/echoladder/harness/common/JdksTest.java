package echoladder.harness.common;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JdksTest {
  @TempDir private Path dir;

  private Path jdk(String name, String version) throws IOException {
    Path home = dir.resolve(name);
    Files.createDirectories(home.resolve("bin"));
    Files.writeString(home.resolve("release"), "IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"" + version + "\"\n");
    assertThat(Files.createFile(home.resolve("bin/java")).toFile().setExecutable(true)).isTrue();
    return home;
  }

  @Test
  void findsOneByItsRelease() throws IOException {
    Path first = jdk("all/a", "21.0.5");
    jdk("all/b", "17.0.1");
    jdk("all/c", "22");
    jdk("all/d", "2.1");
    Jdks jdks = new Jdks(List.of(), List.of(dir.resolve("none"), dir.resolve("all")));
    assertThat(jdks.find(21)).isEqualTo(first);
    assertThat(jdks.find(22)).isEqualTo(dir.resolve("all/c"));
    assertThat(jdks.find(2)).isEqualTo(dir.resolve("all/d"));
    assertThat(jdks.find(25)).isNull();
    assertThat(jdks.places()).isEqualTo(dir.resolve("none") + ", " + dir.resolve("all"));
  }

  @Test
  void theNamedComeFirstAndARuntimeWithoutJavaIsNone() throws IOException {
    jdk("all/a", "21");
    Path named = jdk("mine", "21.0.1");
    assertThat(new Jdks(List.of(named), List.of(dir.resolve("all"))).find(21)).isEqualTo(named);
    Files.delete(named.resolve("bin/java"));
    assertThat(new Jdks(List.of(named), List.of()).find(21)).isNull();
  }

  @Test
  void theScriptsLookInTheSamePlaces() throws IOException {
    String home = System.getProperty("user.home");
    for (String script : List.of("build.sh", ".ci/run")) {
      String text = Files.readString(Path.of("..", script));
      assertThat(Jdks.of(List.of()).folders())
          .as(script)
          .isNotEmpty()
          .allSatisfy(folder -> assertThat(text).contains(folder.toString().replace(home, "~") + "/*"));
    }
  }
}
