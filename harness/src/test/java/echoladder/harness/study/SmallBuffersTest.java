package echoladder.harness.study;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.TestCheckout;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a message costs that is larger than the server's buffer, said before the run. */
class SmallBuffersTest {
  private static final String SERVER =
      """
      name: two
      title: Two
      protocol: tcp
      role: contender
      runtime: go
      command: ["{dir}/two"]
      options:
        OPTION: {default: 256, min: 0, max: 65536, why: "because"}
      """;

  @TempDir private Path dir;

  @ParameterizedTest
  @CsvSource({"64,", "256,", "257,2", "512,2", "65536,256", "65537,257"})
  void aMessageTakesAsManyReadsAsBuffers(int messageBytes, Long reads) {
    var two = Objects.requireNonNull(checkout("buffer-bytes", "64B").servers().get("two"));
    assertThat(SmallBuffers.readsPerMessage(two, Map.of(), messageBytes)).isEqualTo(reads);
    assertThat(SmallBuffers.readsPerMessage(two, Map.of("buffer-bytes", "65536"), Math.min(65_536, messageBytes))).isNull();
  }

  @Test
  void aBufferThatTheServerChoosesIsNotGuessed() {
    var two = Objects.requireNonNull(checkout("receive-buffer-bytes", "64B").servers().get("two"));
    assertThat(SmallBuffers.readsPerMessage(two, Map.of(), 1_000)).isEqualTo(4);
    assertThat(SmallBuffers.readsPerMessage(two, Map.of("receive-buffer-bytes", "0"), 1_000)).isNull();
    var growing = Objects.requireNonNull(checkout("first-buffer-bytes", "64B").servers().get("two"));
    assertThat(SmallBuffers.readsPerMessage(growing, Map.of(), 1_000)).isNull();
  }

  @Test
  void theWarningSaysWhatItCostsAndWhatToSet() {
    assertThat(warnings("64B")).isEmpty();
    assertThat(warnings("64KiB"))
        .containsExactly(
            "two: a message of 65,536 B goes through a buffer of 256 B, which takes 256 reads and as many writes or more: its CPU"
                + " and times are of those; for one read set the server's option buffer-bytes to 65536");
  }

  private List<String> warnings(String message) {
    TestCheckout test = checkout("buffer-bytes", message);
    return SmallBuffers.warnings(new StudyReader(test.checkout(), test.servers()).read("s"), test.servers());
  }

  private TestCheckout checkout(String option, String message) {
    return new TestCheckout(dir)
        .write("servers/two/server.yaml", SERVER.replace("OPTION", option))
        .study(
            "s",
            """
            name: s
            question: What does this study ask, exactly?
            servers: [fake, two]
            rungs: [10]
            load: {rate: {total: 100/s}, message: %s}
            phases: {steady: 2s}
            """
                .formatted(message));
  }
}
