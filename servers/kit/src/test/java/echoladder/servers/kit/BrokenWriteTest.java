package echoladder.servers.kit;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.servers.kit.options.PushOptions;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is counted of pushes whose write fails, and who hears of it. */
@Timeout(60)
class BrokenWriteTest {
  private static final int MESSAGES = 11;
  private static final byte[] MESSAGE = message(100);
  private static final byte[] REPLY = PushFrames.reply(PushFrames.SUBSCRIBED, 7);

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final PrometheusRegistry registry = new PrometheusRegistry();
  private final EchoMetrics echo = new EchoMetrics();
  private final PushMetrics metrics = new PushMetrics(registry);
  private final ServerLog log = new ServerLog("kit", new PrintStream(out, true, StandardCharsets.UTF_8));
  private final EchoContext context =
      new EchoContext(echo, new AcceptErrors(echo, new DescriptorReserve(), log, () -> 0), log, registry, because -> {});

  /** How a write fails. */
  enum Failure {
    RESET,
    NO_DIRECT_MEMORY;

    void happens() throws IOException {
      if (this == RESET) {
        throw new IOException("Connection reset by peer");
      }
      throw new OutOfMemoryError("Cannot reserve 32768 bytes of direct buffer memory");
    }
  }

  private static byte[] message(int bodyBytes) {
    int length = 5 + bodyBytes;
    return ByteBuffer.allocate(4 + length).putInt(length).put(PushFrames.MESSAGE).putInt(7).array();
  }

  /** A connection that takes so many bytes, once it may, and then fails. */
  private static final class Failing extends SocketChannel {
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch mayGoOn = new CountDownLatch(1);
    private final Failure failure;
    private int room;

    Failing(int room, Failure failure) {
      super(SelectorProvider.provider());
      this.room = room;
      this.failure = failure;
    }

    @Override
    public int write(ByteBuffer bytes) throws IOException {
      begun.countDown();
      try {
        mayGoOn.await();
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
      if (room == 0) {
        failure.happens();
      }
      int taken = Math.min(room, bytes.remaining());
      bytes.position(bytes.position() + taken);
      room -= taken;
      return taken;
    }

    @Override
    public long write(ByteBuffer[] bytes, int from, int count) throws IOException {
      throw new IOException("not written so");
    }

    @Override
    public int read(ByteBuffer into) {
      return -1;
    }

    @Override
    public long read(ByteBuffer[] into, int from, int count) {
      return -1;
    }

    @Override
    public SocketChannel bind(@Nullable SocketAddress address) {
      return this;
    }

    @Override
    public <T> SocketChannel setOption(SocketOption<T> name, T value) {
      return this;
    }

    @Override
    public <T> @Nullable T getOption(SocketOption<T> name) {
      return null;
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
      return Set.of();
    }

    @Override
    public SocketChannel shutdownInput() {
      return this;
    }

    @Override
    public SocketChannel shutdownOutput() {
      return this;
    }

    @Override
    public Socket socket() {
      return new Socket();
    }

    @Override
    public boolean isConnected() {
      return true;
    }

    @Override
    public boolean isConnectionPending() {
      return false;
    }

    @Override
    public boolean connect(SocketAddress remote) {
      return true;
    }

    @Override
    public boolean finishConnect() {
      return true;
    }

    @Override
    public @Nullable SocketAddress getRemoteAddress() {
      return null;
    }

    @Override
    public @Nullable SocketAddress getLocalAddress() {
      return null;
    }

    @Override
    protected void implCloseSelectableChannel() {
      // Nothing is open.
    }

    @Override
    protected void implConfigureBlocking(boolean block) {
      // It is always.
    }
  }

  private Stream<String> page() throws IOException {
    ByteArrayOutputStream page = new ByteArrayOutputStream();
    PrometheusTextFormatWriter.builder().build().write(page, registry.scrape());
    return page.toString(StandardCharsets.UTF_8).lines();
  }

  private void isSaid(Failure failure) {
    long said = failure == Failure.NO_DIRECT_MEMORY ? 1 : 0;
    assertThat(echo.acceptErrors("enomem")).isEqualTo(said);
    assertThat(out.toString(StandardCharsets.UTF_8).lines().filter(line -> line.contains("-XX:MaxDirectMemorySize"))).hasSize((int) said);
  }

  /** The first is written alone; the others wait meanwhile, and go out in one batch, with a reply among them. */
  @ParameterizedTest
  @EnumSource
  void ofABatchWhatTheKernelTookWholeIsWritten(Failure failure) throws Exception {
    int taken = MESSAGE.length + 2 * MESSAGE.length + REPLY.length + MESSAGE.length + MESSAGE.length / 2;
    Failing channel = new Failing(taken, failure);
    ThreadFactory threads = Thread.ofVirtual().factory();
    PushWriter queue = PushWriter.started(channel, new PushOptions(), context, metrics, threads);
    for (int i = 0; i < MESSAGES; i++) {
      assertThat(queue.message(MESSAGE)).isTrue();
      channel.begun.await();
      if (i == 2) {
        queue.reply(REPLY);
      }
    }
    channel.mayGoOn.countDown();
    queue.finish();
    assertThat(channel.isOpen()).isFalse();
    assertThat(queue.message(MESSAGE)).isFalse();
    assertThat(page()).contains("echo_push_messages_total 4.0", "echo_push_dropped_total 7.0", "echo_push_queued_bytes 0.0");
    assertThat(echo.sentBytes()).isEqualTo(taken);
    isSaid(failure);
  }

  @ParameterizedTest
  @EnumSource
  void aMessageThatItsPublisherCannotWriteIsNotTaken(Failure failure) throws Exception {
    Failing channel = new Failing(MESSAGE.length / 2, failure);
    channel.mayGoOn.countDown();
    PushAtOnce outbox = new PushAtOnce(channel, context, metrics);
    assertThat(outbox.message(MESSAGE)).isFalse();
    assertThat(channel.isOpen()).isFalse();
    assertThat(page()).contains("echo_push_messages_total 0.0", "echo_push_dropped_total 0.0", "echo_push_queued_bytes 0.0");
    isSaid(failure);
  }
}
