package echoladder.servers.floor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import echoladder.servers.kit.AcceptErrors;
import echoladder.servers.kit.DescriptorReserve;
import echoladder.servers.kit.EchoContext;
import echoladder.servers.kit.EchoMetrics;
import echoladder.servers.kit.ServerLog;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;

/** A server within the test. At its end every connection must have gone, and nothing have been said. */
final class RunningFloor implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  final EchoMetrics metrics = new EchoMetrics();
  private final ConcurrentLinkedQueue<Throwable> defects = new ConcurrentLinkedQueue<>();
  private final ByteArrayOutputStream log = new ByteArrayOutputStream();
  private final FloorServer server;
  private boolean drained;

  /** Two loops that read so many bytes at once. */
  RunningFloor(int bufferBytes, Function<LoopSetup, Loop> loop) throws IOException {
    ServerLog to = new ServerLog("floor", new PrintStream(log, true, StandardCharsets.UTF_8));
    AcceptErrors errors = new AcceptErrors(metrics, new DescriptorReserve(), to, System::nanoTime);
    EchoContext context = new EchoContext(metrics, errors, to, new PrometheusRegistry(), because -> {});
    InetSocketAddress any = new InetSocketAddress("127.0.0.1", 0);
    server = FloorServer.start(any, 128, new FloorServer.Loops(2, bufferBytes, loop, Map.of()), context, defects::add);
  }

  Socket connect() throws IOException {
    Socket socket = new Socket("127.0.0.1", server.port());
    socket.setSoTimeout((int) PATIENCE.toMillis());
    socket.setTcpNoDelay(true);
    return socket;
  }

  /** Connects with a receive buffer of that size, so that the kernel holds little of what the test does not read. */
  Socket connect(int bufferBytes) throws IOException {
    Socket socket = new Socket();
    socket.setReceiveBufferSize(bufferBytes);
    socket.setSoTimeout((int) PATIENCE.toMillis());
    socket.setTcpNoDelay(true);
    socket.connect(new InetSocketAddress("127.0.0.1", server.port()));
    return socket;
  }

  void awaitOpen(long connections) {
    await().atMost(PATIENCE).untilAsserted(() -> assertThat(metrics.open()).isEqualTo(connections));
  }

  /** Stops it; gives how many connections it cut off. */
  long drain() {
    drained = true;
    try {
      return server.drain(PATIENCE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() {
    if (!drained) {
      assertThat(drain()).isZero();
    }
    assertThat(metrics.open()).isZero();
    assertThat(defects).isEmpty();
    assertThat(log.toString(StandardCharsets.UTF_8)).isEmpty();
  }
}
