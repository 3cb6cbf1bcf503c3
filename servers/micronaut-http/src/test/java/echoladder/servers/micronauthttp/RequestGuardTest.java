package echoladder.servers.micronauthttp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import echoladder.servers.kit.AcceptErrors;
import echoladder.servers.kit.DescriptorReserve;
import echoladder.servers.kit.EchoMetrics;
import echoladder.servers.kit.ServerLog;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class RequestGuardTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final EchoMetrics metrics = new EchoMetrics();
  private final ServerLog log = new ServerLog("micronaut-http", new PrintStream(out, true, StandardCharsets.UTF_8));
  private final AcceptErrors errors = new AcceptErrors(metrics, new DescriptorReserve(), log, () -> 0);

  private EmbeddedChannel channel() {
    return new EmbeddedChannel(new RequestGuard(1_000_000_000, new Traffic(), errors));
  }

  @Test
  void aConnectionWithoutMemoryEndsCountedAndAcceptingPauses() {
    assertThat(errors.mayAccept()).isTrue();
    for (int i = 0; i < 3; i++) {
      EmbeddedChannel channel = channel();
      channel.pipeline().fireExceptionCaught(new OutOfMemoryError("Cannot reserve 65536 bytes of direct buffer memory"));
      assertThat(channel.isOpen()).isFalse();
      // It ends here: Micronaut would print it, a stack for each connection.
      channel.checkException();
    }
    assertThat(metrics.acceptErrors("enomem")).isEqualTo(3);
    assertThat(errors.mayAccept()).isFalse();
    assertThat(out.toString(StandardCharsets.UTF_8).lines())
        .singleElement()
        .asString()
        .contains("Cannot reserve 65536 bytes", "-XX:MaxDirectMemorySize");
  }

  @Test
  void whatElseFailsIsMicronauts() {
    EmbeddedChannel channel = channel();
    channel.pipeline().fireExceptionCaught(new IOException("reset by peer"));
    assertThatThrownBy(channel::checkException).hasMessageContaining("reset by peer");
    assertThat(channel.isOpen()).isTrue();
    assertThat(metrics.acceptErrors("enomem")).isZero();
    assertThat(out.size()).isZero();
  }
}
