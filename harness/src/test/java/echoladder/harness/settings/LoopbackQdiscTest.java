package echoladder.harness.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** What tc answers. */
class LoopbackQdiscTest {
  @Test
  void theOneAtTheRootIsItsName() throws IOException {
    assertThat(LoopbackQdisc.ofAnswer("qdisc noqueue 0: root refcnt 2 ")).isEqualTo("noqueue");
    assertThat(LoopbackQdisc.ofAnswer("qdisc pfifo 8005: root refcnt 2 limit 1000p")).isEqualTo("pfifo");
    assertThat(LoopbackQdisc.ofAnswer("qdisc fq_codel 0: parent 8001:1 limit 10240p\nqdisc prio 8001: root refcnt 2")).isEqualTo("prio");
  }

  @Test
  void anAnswerWithoutOneIsAFailure() {
    assertThatThrownBy(() -> LoopbackQdisc.ofAnswer("")).isInstanceOf(IOException.class).hasMessageContaining("no qdisc at the root of lo");
  }
}
