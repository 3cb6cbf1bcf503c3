package echoladder.servers.netty;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.servers.kit.AcceptErrors;
import echoladder.servers.kit.DescriptorReserve;
import echoladder.servers.kit.EchoContext;
import echoladder.servers.kit.EchoMetrics;
import echoladder.servers.kit.ServerLog;
import io.netty.channel.embedded.EmbeddedChannel;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class EchoHandlerTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final EchoMetrics metrics = new EchoMetrics();
  private final ServerLog log = new ServerLog("netty", new PrintStream(out, true, StandardCharsets.UTF_8));
  private final AcceptErrors errors = new AcceptErrors(metrics, new DescriptorReserve(), log, () -> 0);

  /** What Netty throws when there is no buffer to read into. */
  @Test
  void aConnectionWithoutMemoryEndsCountedAndAcceptingPauses() {
    assertThat(errors.mayAccept()).isTrue();
    for (int i = 0; i < 3; i++) {
      EmbeddedChannel channel =
          new EmbeddedChannel(
              new EchoHandler(new EchoContext(metrics, errors, log, new PrometheusRegistry(), because -> {})));
      channel.pipeline().fireExceptionCaught(new OutOfMemoryError("Cannot reserve 65536 bytes of direct buffer memory"));
      assertThat(channel.isOpen()).isFalse();
    }
    assertThat(metrics.acceptErrors("enomem")).isEqualTo(3);
    assertThat(metrics.broken()).isEqualTo(3);
    assertThat(metrics.open()).isZero();
    assertThat(errors.mayAccept()).isFalse();
    assertThat(out.toString(StandardCharsets.UTF_8).lines())
        .singleElement()
        .asString()
        .contains("Cannot reserve 65536 bytes", "-XX:MaxDirectMemorySize");
  }
}
