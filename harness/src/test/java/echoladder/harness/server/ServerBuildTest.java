package echoladder.harness.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import echoladder.harness.TestCheckout;
import echoladder.harness.common.Refusal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerBuildTest {
  @TempDir private Path dir;

  private ServerManifest one(String build) {
    TestCheckout test =
        new TestCheckout(dir)
            .write(
                "servers/one/server.yaml",
                "name: one\ntitle: One\nprotocol: tcp\nrole: contender\nruntime: native\ncommand: [\"{dir}/target/one\"]\n"
                    + build);
    return Objects.requireNonNull(test.servers().get("one"));
  }

  private int builds() throws IOException {
    return Files.readAllLines(dir.resolve("servers/one/target/builds")).size();
  }

  @Test
  void buildsAnewOnlyWhereTheFolderIsNewerAndHasOtherContents() throws IOException {
    ServerManifest one = one("build: [sh, -c, \"echo built >>target/builds; touch target/more\"]\n");
    ServerBuild.ensure(one);
    assertThat(builds()).isEqualTo(1);
    // The manifest was written just before, perhaps within the clock's grain.
    Path source = Files.writeString(one.dir().resolve("one.c"), "int x;");
    Instant past = Instant.now().minusSeconds(60);
    Files.setLastModifiedTime(source, FileTime.from(past));
    Files.setLastModifiedTime(one.dir().resolve("server.yaml"), FileTime.from(past));
    Files.setLastModifiedTime(one.dir(), FileTime.from(past));
    ServerBuild.ensure(one);
    assertThat(builds()).as("nothing is newer").isEqualTo(1);
    Files.setLastModifiedTime(source, FileTime.from(Instant.now().plusSeconds(60)));
    ServerBuild.ensure(one);
    assertThat(builds()).as("a source is newer, and was not there").isEqualTo(2);
    Path stamp = one.dir().resolve("target/server-built");
    Files.setLastModifiedTime(stamp, FileTime.from(Instant.EPOCH));
    ServerBuild.ensure(one);
    assertThat(builds()).as("all is newer, as in a copy, and as it was").isEqualTo(2);
    assertThat(Files.getLastModifiedTime(stamp)).isGreaterThan(FileTime.from(past));
    Files.writeString(source, "int y;");
    Files.setLastModifiedTime(stamp, FileTime.from(Instant.EPOCH));
    ServerBuild.ensure(one);
    assertThat(builds()).as("other contents").isEqualTo(3);
    Files.move(source, one.dir().resolve("two.c"));
    ServerBuild.ensure(one);
    assertThat(builds()).as("another name").isEqualTo(4);
  }

  @Test
  void saysWhatFailedAndTriesAgain() {
    ServerManifest one = one("build: [sh, -c, \"echo no such header; exit 4\"]\n");
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> ServerBuild.ensure(one))
          .isInstanceOf(Refusal.class)
          .hasMessageContaining("the build of server 'one' ended with exit status 4")
          .hasMessageContaining("no such header")
          .hasMessageContaining("target/server-build.log");
    }
  }

  @Test
  void namesTheProgramThatIsMissing() {
    ServerManifest one = one("build: [no-such-compiler, one.c]\n");
    assertThat(ServerBuild.missing(one)).isEqualTo("no-such-compiler");
    assertThatThrownBy(() -> ServerBuild.ensure(one))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("no-such-compiler is not there");
    assertThat(ServerBuild.missing(one("build: [sh, -c, \"true\"]\n"))).isNull();
  }

  /** As a folder of Java that is in no Maven build would be: the compiler of the JDK that the ladder runs on. */
  @Test
  void buildsWithTheJdkThatItRunsOn() throws IOException {
    ServerManifest one =
        one("build: [\"{java}\", -m, jdk.compiler/com.sun.tools.javac.Main, -d, target/classes, One.java]\n");
    Files.writeString(one.dir().resolve("One.java"), "class One {}");
    assertThat(ServerBuild.missing(one)).isNull();
    ServerBuild.ensure(one);
    assertThat(one.dir().resolve("target/classes/One.class")).isRegularFile();
  }

  @Test
  void leavesAServerOfTheProjectsOwnBuildAlone() {
    ServerManifest one = one("");
    ServerBuild.ensure(one);
    assertThat(one.dir().resolve("target")).doesNotExist();
  }
}
