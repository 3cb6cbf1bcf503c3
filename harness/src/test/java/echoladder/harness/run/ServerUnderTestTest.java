package echoladder.harness.run;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.TestCheckout;
import echoladder.harness.study.Study;
import echoladder.harness.study.StudyReader;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a server is told by the study. */
final class ServerUnderTestTest {
  private static final String STUDY =
      """
      name: t
      question: Where does each listen?
      servers:
        - fake
        - {name: fake, label: several, settings: {client: {target_addresses: [127.0.0.1, 127.0.0.2]}}}
      rungs: [10]
      load: {rate: {total: 100/s}}
      phases: {steady: 2s}
      """;

  /** At no address that another host reaches. */
  @Test
  void aServerThatIsLoadedAtSeveralAddressesListensAtAllOfLoopback(@TempDir Path root) {
    TestCheckout checkout = new TestCheckout(root).study("t", STUDY);
    Study study = new StudyReader(checkout.checkout(), checkout.servers()).read("t");
    assertThat(study.servers())
        .extracting(entry -> host(new ServerUnderTest(entry, Objects.requireNonNull(checkout.servers().get(entry.server())))))
        .containsExactly("127.0.0.1", "127.0.0.0/8");
  }

  private static String host(ServerUnderTest contender) {
    List<String> argv = contender.argv();
    return argv.get(argv.indexOf("--host") + 1);
  }
}
