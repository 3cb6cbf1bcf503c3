package echoladder.harness.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.common.Checkout;
import echoladder.harness.server.ServerManifest;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the project's servers say that a connection costs, when they echo and when they push. */
class ConnectionCostTest {
  private static final Map<String, ServerManifest> SERVERS = ServerManifest.all(Checkout.find());
  private static final Map<String, String> PUSH = Map.of("traffic", "push");
  private static final long SUBSCRIBERS = 10_000;

  private static ServerModel model(String server, Map<String, String> options) {
    return ServerModel.of(Objects.requireNonNull(SERVERS.get(server)), options);
  }

  private static long needed(ServerModel server, String limit) {
    return Objects.requireNonNull(
        Doctor.examine(new Question(SUBSCRIBERS, Role.BOTH, server, 0, null), new Facts().pids(30_000, 10).facts()).rows().stream()
            .filter(row -> row.limit().equals(limit))
            .findFirst()
            .orElseThrow()
            .needed());
  }

  /** A thread reads of each, and another one writes to it. */
  @Test
  void aSubscriberOfPlatformThreadsHasTwoThreads() {
    ServerModel echo = model("platform-threads", Map.of());
    ServerModel push = model("platform-threads", PUSH);
    assertThat(echo.threadsPerConnection()).isEqualTo(1);
    assertThat(push.threadsPerConnection()).isEqualTo(2);
    for (String limit : new String[] {"kernel.threads-max", "kernel.pid_max", "cgroup pids"}) {
      assertThat(needed(push, limit) - needed(echo, limit)).as(limit).isEqualTo(SUBSCRIBERS);
    }
  }

  @Test
  void whereThePublisherWritesASubscriberHasOneThread() {
    ServerModel model = model("platform-threads", Map.of("traffic", "push", "push-writer", "publisher"));
    assertThat(model.threadsPerConnection()).isEqualTo(1);
    assertThat(model.bytesPerConnection()).as("nobody has measured it").isNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"floor", "platform-threads", "virtual-threads", "netty", "go-echo"})
  void theMemoryOfAnEchoIsNotThatOfASubscriber(String server) {
    assertThat(model(server, Map.of()).bytesPerConnection()).isPositive();
    assertThat(model(server, PUSH).bytesPerConnection()).as("nobody has measured it").isNull();
  }
}
