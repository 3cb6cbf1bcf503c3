package echoladder.harness.study;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.TestCheckout;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IdleTest {
  @TempDir private Path dir;

  @Test
  void whereItIsAllowedIsKnownBeforeARunBegins() {
    TestCheckout test = new TestCheckout(dir);
    test.study(
        "a",
        """
        name: a
        question: What do processors do that have nothing to do?
        servers: [fake, {name: fake, label: halts, load: {idle: halt}}]
        rungs: [10]
        repeats: 1
        load: {rate: {total: 100/s}, idle: poll_if_allowed}
        phases: {connect_rate: 10/s, steady: 1s}
        bounds: {response_time_p99: 1s}
        """);
    Study study = new StudyReader(test.checkout(), test.servers()).read("a");
    Study.Entry halts = study.entry("halts").orElseThrow();
    assertThat(study.load().idle()).isEqualTo(Idle.POLL_IF_ALLOWED);
    assertThat(study.idle(true).load().idle()).isEqualTo(Idle.POLL);
    assertThat(study.idle(false).load().idle()).isEqualTo(Idle.HALT);
    assertThat(study.idle(true).load(study.idle(true).entry("halts").orElseThrow()).idle()).isEqualTo(Idle.HALT);
    assertThat(study.load(halts).idle()).isEqualTo(Idle.HALT);
    assertThat(study.load(halts).place()).isEqualTo("shared");
    assertThat(study.idle(true).load().place()).isEqualTo("shared idle=poll");
  }
}
