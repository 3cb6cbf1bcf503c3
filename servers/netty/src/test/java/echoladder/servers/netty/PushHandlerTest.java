package echoladder.servers.netty;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.servers.kit.AcceptErrors;
import echoladder.servers.kit.DescriptorReserve;
import echoladder.servers.kit.EchoContext;
import echoladder.servers.kit.EchoMetrics;
import echoladder.servers.kit.PushFrames;
import echoladder.servers.kit.ServerLog;
import echoladder.servers.kit.options.PushOptions;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.ReferenceCountUtil;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class PushHandlerTest {
  private final PrometheusRegistry registry = new PrometheusRegistry();
  private final EchoMetrics metrics = new EchoMetrics();
  private final ServerLog log = new ServerLog("netty", new PrintStream(OutputStream.nullOutputStream()));
  private final EchoContext context =
      new EchoContext(metrics, new AcceptErrors(metrics, new DescriptorReserve(), log, () -> 0), log, registry, because -> {});

  /** As the codec of WebSocket does behind a close frame. */
  private static final class Refusing extends ChannelOutboundHandlerAdapter {
    @Override
    public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
      ReferenceCountUtil.release(message);
      var _ = promise.setFailure(new ClosedChannelException());
    }
  }

  private static byte[] frame(byte kind) {
    return ByteBuffer.allocate(9).putInt(5).put(kind).putInt(7).array();
  }

  @Test
  void whatAHandlerRefusesToWriteIsDroppedAndBreaksNothingOff() throws IOException {
    EmbeddedChannel channel = new EmbeddedChannel(new Refusing(), new PushHandler(new PushHub(new PushOptions(), registry), context));
    channel.writeInbound(Unpooled.wrappedBuffer(frame(PushFrames.SUBSCRIBE), frame(PushFrames.PUBLISH)));
    ByteArrayOutputStream page = new ByteArrayOutputStream();
    PrometheusTextFormatWriter.builder().build().write(page, registry.scrape());
    assertThat(page.toString(StandardCharsets.UTF_8).lines())
        .contains(
            "echo_push_published_total 1.0", "echo_push_messages_total 0.0", "echo_push_dropped_total 1.0",
            "echo_push_queued_bytes 0.0");
    assertThat(metrics.broken()).isZero();
  }
}
