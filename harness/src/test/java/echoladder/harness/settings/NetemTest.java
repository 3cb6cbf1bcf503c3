package echoladder.harness.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import echoladder.harness.study.Network;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What tc is told, and what it answers. */
class NetemTest {
  private static String told(Network network) {
    return String.join(" ", Netem.arguments(network));
  }

  @Test
  void aCutLosesEveryPacketWithoutDelay() {
    assertThat(Netem.cut()).isEqualTo(List.of("limit", "1000000", "loss", "100.0000000%"));
    assertThat(new LinkCounters(10, 3).since(new LinkCounters(4, 1))).isEqualTo(new LinkCounters(6, 2));
  }

  @Test
  void eachDirectionHasHalfOfARoundTrip() {
    assertThat(told(new Network(20_000_000, 0, 0, null, 0, 1500))).isEqualTo("limit 1000000 delay 10000us");
    assertThat(told(new Network(20_000_000, 3_000_000, 0.001, null, 0.25, 1500)))
        .isEqualTo("limit 1000000 delay 10000us 1500us loss 0.1000000% reorder 25.0000000%");
    assertThat(told(new Network(0, 0, 0, null, 0, 9000))).isEqualTo("limit 1000000");
  }

  /** A link of a rate has the queue of a router: what the delay holds, and what a round trip carries. */
  @Test
  void aRateBoundsTheQueue() {
    assertThat(told(new Network(0, 0, 0, 1e7, 0, 1500))).isEqualTo("limit 1000 rate 10000000bit");
    // 1 Gbit/s x 20 ms = 2.5 MB = 1,667 packets.
    assertThat(told(new Network(20_000_000, 0, 0, 1e9, 0, 1500))).isEqualTo("limit 2500 delay 10000us rate 1000000000bit");
  }

  @Test
  void countersAreThoseOfNetemAtTheRoot() throws Exception {
    String answer =
        """
        [{"kind":"netem","handle":"8001:","root":true,"refcnt":3,"options":{"limit":1000000,"delay":{"delay":0.01,"jitter":0,"correlation":0},
        "ecn":false,"gap":0},"bytes":4960,"packets":64,"drops":3,"overlimits":0,"requeues":0,"backlog":0,"qlen":0}]
        """;
    assertThat(LinkCounters.ofAnswer(answer)).isEqualTo(new LinkCounters(64, 3));
    assertThat(new LinkCounters(64, 3).and(new LinkCounters(1, 2))).isEqualTo(new LinkCounters(65, 5));
  }

  @Test
  void anotherQdiscHasNoCountersOfTheNetwork() {
    assertThatThrownBy(() -> LinkCounters.ofAnswer("[{\"kind\":\"noqueue\",\"root\":true,\"packets\":0,\"drops\":0}]"))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("tc names no netem at the root");
    assertThatThrownBy(() -> LinkCounters.ofAnswer("Device does not exist"))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("tc gave no JSON");
  }
}
