package echoladder.harness.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class LadderBuildTest {
  private static final Map<String, String> FILES = Map.of("harness-1.jar", "aa", "linux-1.jar", "bb");

  @Test
  void aCheckoutAndAReleaseOfTheSameFilesAreTheSame() {
    LadderBuild release = new LadderBuild("1", "0123456789abcdef", false, FILES);
    assertThat(new LadderBuild("1", "0123456789abcdef", true, FILES).otherThan(release, "/opt/ladder")).isNull();
    assertThat(new LadderBuild("1", null, null, FILES).otherThan(release, "/opt/ladder")).isNull();
  }

  @Test
  void whatDiffersIsSaidWithTheCommitsAndWhatToDo() {
    LadderBuild release = new LadderBuild("1", "0123456789abcdef", false, FILES);
    LadderBuild here = new LadderBuild("1", "fedcba9876543210", true, Map.of("harness-1.jar", "cc", "linux-1.jar", "bb"));
    assertThat(here.otherThan(release, "/opt/ladder"))
        .isEqualTo(
            "has another version of the ladder at /opt/ladder: 1 of commit 0123456789 there, 1 of commit fedcba9876 with changes here; other files:"
                + " harness-1.jar; run the ladder here that was installed there, or install this one there: 'mvn package' makes its tarball,"
                + " prepare.yml unpacks it");
  }

  @Test
  void ofManyFilesSomeAreNamed() {
    LadderBuild one = new LadderBuild("1", null, null, Map.of("a", "1", "b", "1", "c", "1", "d", "1", "e", "1"));
    LadderBuild two = new LadderBuild("2", null, null, Map.of("a", "1", "f", "1"));
    assertThat(one.otherThan(two, "/opt")).startsWith("has another version of the ladder at /opt: 2 there, 1 here; other files: b, c, d and 2 more; ");
  }
}
