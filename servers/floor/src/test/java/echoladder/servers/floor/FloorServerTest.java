package echoladder.servers.floor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import echoladder.linux.process.ProcessCpu;
import echoladder.servers.kit.AcceptErrors;
import echoladder.servers.kit.DescriptorReserve;
import echoladder.servers.kit.EchoContext;
import echoladder.servers.kit.EchoMetrics;
import echoladder.servers.kit.ServerLog;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What edge-triggered reading and parking could get wrong; the contract suite covers the rest of the process. */
@Timeout(60)
@Isolated("it asks for the CPU of this process")
class FloorServerTest {
  private static final Executor THREADS = Executors.newVirtualThreadPerTaskExecutor();

  private final ConcurrentLinkedQueue<Throwable> defects = new ConcurrentLinkedQueue<>();
  private final ByteArrayOutputStream log = new ByteArrayOutputStream();
  private final EchoMetrics metrics = new EchoMetrics();
  private final List<FloorServer> servers = new ArrayList<>();

  private FloorServer start(int loops, int bufferBytes) throws IOException {
    return start(0, loops, bufferBytes);
  }

  private FloorServer start(int port, int loops, int bufferBytes) throws IOException {
    ServerLog to = new ServerLog("floor", new PrintStream(log, true, StandardCharsets.UTF_8));
    AcceptErrors errors = new AcceptErrors(metrics, new DescriptorReserve(), to, System::nanoTime);
    InetSocketAddress address = new InetSocketAddress("127.0.0.1", port);
    EchoContext context = new EchoContext(metrics, errors, to, new PrometheusRegistry(), because -> {});
    FloorServer.Loops made = new FloorServer.Loops(loops, bufferBytes, EchoLoop::new, Map.of());
    FloorServer server = FloorServer.start(address, 128, made, context, defects::add);
    servers.add(server);
    return server;
  }

  private static Socket connect(FloorServer server) throws IOException {
    Socket socket = new Socket("127.0.0.1", server.port());
    socket.setSoTimeout(20_000);
    return socket;
  }

  private static byte[] random(int bytes) {
    byte[] message = new byte[bytes];
    new Random(bytes).nextBytes(message);
    return message;
  }

  private static byte[] echo(Socket socket, byte[] message) throws IOException {
    CompletableFuture<Void> writing =
        CompletableFuture.runAsync(
            () -> {
              try {
                socket.getOutputStream().write(message);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            },
            THREADS);
    byte[] answer = new byte[message.length];
    new DataInputStream(socket.getInputStream()).readFully(answer);
    writing.join();
    return answer;
  }

  @AfterEach
  void stop() throws InterruptedException {
    for (FloorServer server : servers) {
      assertThat(server.drain(Duration.ofSeconds(5))).isZero();
    }
    assertThat(metrics.open()).isZero();
    assertThat(defects).isEmpty();
    assertThat(log.toString(StandardCharsets.UTF_8)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 64, 65_536})
  void echoesWhatFitsTheBufferExactlyAndWhatDoesNot(int bufferBytes) throws Exception {
    FloorServer server = start(2, bufferBytes);
    long bytes = 0;
    for (int length : new int[] {1, 63, 64, 65, 128, 5_000, 65_536, 131_072}) {
      if (length / bufferBytes > 10_000) {
        continue; // One byte at a time is slow; the lengths below say the same.
      }
      try (Socket socket = connect(server)) {
        assertThat(echo(socket, random(length))).isEqualTo(random(length));
        assertThat(echo(socket, random(1))).isEqualTo(random(1));
        bytes += length + 1;
      }
    }
    long all = bytes;
    await().untilAsserted(() -> assertThat(metrics.sentBytes()).isEqualTo(all));
    assertThat(metrics.receivedBytes()).isEqualTo(all);
    await().untilAsserted(() -> assertThat(metrics.open()).isZero());
  }

  @ParameterizedTest
  @ValueSource(ints = {7, 65_536})
  void returnsEverythingBeforeFinWhenThePeerHalfCloses(int bufferBytes) throws Exception {
    FloorServer server = start(1, bufferBytes);
    for (int i = 0; i < 200; i++) {
      try (Socket socket = connect(server)) {
        byte[] message = random(1 + i * 7);
        socket.getOutputStream().write(message);
        socket.shutdownOutput();
        assertThat(socket.getInputStream().readAllBytes()).isEqualTo(message);
      }
    }
    assertThat(metrics.accepted()).isEqualTo(200);
  }

  @Test
  void owesAtMostOneBufferToPeersThatDoNotReadAndServesTheOthers() throws Exception {
    FloorServer server = start(1, 65_536);
    List<SocketChannel> stuck = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      stuck.add(fill(server));
    }
    long owed = metrics.receivedBytes() - metrics.sentBytes();
    assertThat(owed).isBetween(1L, 3 * 65_536L);
    try (Socket other = connect(server)) {
      for (int i = 0; i < 100; i++) {
        assertThat(echo(other, random(64))).isEqualTo(random(64));
      }
    }
    long received = metrics.receivedBytes();
    assertThat(stuck.getFirst().write(ByteBuffer.allocate(1))).isZero();
    assertThat(metrics.receivedBytes()).isEqualTo(received);

    // The first begins to read and gets all of it; the second resets; the third is there when the server stops.
    long sent = readAll(stuck.get(0));
    assertThat(sent).isGreaterThan(65_536);
    stuck.get(1).setOption(StandardSocketOptions.SO_LINGER, 0).close();
    await().untilAsserted(() -> assertThat(metrics.open()).isEqualTo(1));
    ProcessCpu cpu = new ProcessCpu();
    long cpuNs = cpu.ownNs();
    assertThat(server.drain(Duration.ofSeconds(2))).isEqualTo(1);
    // It waits for the third all that time, without spinning: what a starting JVM does beside it is far less.
    assertThat(cpu.ownNs() - cpuNs).isLessThan(1_000_000_000);
    assertThat(metrics.open()).isZero();
    stuck.get(2).close();
    servers.clear();
  }

  /** Writes until the server takes no more, 64 KiB at a time, each byte the low one of its position. */
  private SocketChannel fill(FloorServer server) throws IOException {
    SocketChannel channel = SocketChannel.open(new InetSocketAddress("127.0.0.1", server.port()));
    channel.configureBlocking(false);
    ByteBuffer bytes = ByteBuffer.allocate(1 << 16);
    for (int i = 0; i < bytes.capacity(); i++) {
      bytes.put(i, (byte) i);
    }
    long written = 0;
    long unchanged = 0;
    while (unchanged < 200) {
      bytes.position((int) (written & 0xffff));
      int n = channel.write(bytes);
      written += n;
      unchanged = n == 0 ? unchanged + 1 : 0;
      if (n == 0) {
        long before = metrics.receivedBytes();
        await().pollDelay(Duration.ofMillis(2)).until(() -> true);
        unchanged = metrics.receivedBytes() == before ? unchanged : 0;
      }
    }
    return channel;
  }

  private static long readAll(SocketChannel channel) throws IOException {
    channel.configureBlocking(true);
    channel.shutdownOutput();
    ByteBuffer bytes = ByteBuffer.allocate(1 << 16);
    long position = 0;
    while (channel.read(bytes.clear()) >= 0) {
      for (int i = 0; i < bytes.position(); i++, position++) {
        if (bytes.get(i) != (byte) position) {
          throw new AssertionError("byte " + position + " is " + bytes.get(i));
        }
      }
    }
    channel.close();
    return position;
  }

  @Test
  void goesOnAfterUrgentData() throws Exception {
    FloorServer server = start(1, 65_536);
    try (Socket socket = connect(server)) {
      OutputStream out = socket.getOutputStream();
      out.write(random(100));
      socket.sendUrgentData(1); // Not part of the stream: it is not echoed.
      out.write(random(100));
      DataInputStream in = new DataInputStream(socket.getInputStream());
      byte[] answer = new byte[100];
      in.readFully(answer);
      assertThat(answer).isEqualTo(random(100));
      in.readFully(answer);
      assertThat(answer).isEqualTo(random(100));
    }
  }

  @Test
  void survivesResetsAndCountsEachConnectionOnce() throws Exception {
    FloorServer server = start(2, 65_536);
    for (int i = 0; i < 300; i++) {
      try (Socket socket = connect(server)) {
        socket.getOutputStream().write(random(64));
        socket.setSoLinger(true, 0);
      }
    }
    await().untilAsserted(() -> assertThat(metrics.accepted()).isEqualTo(300));
    await().untilAsserted(() -> assertThat(metrics.open()).isZero());
  }

  @Test
  void drainEchoesWhatWasReceivedAndEndsIdleConnectionsAtOnce() throws Exception {
    FloorServer server = start(2, 65_536);
    List<Socket> sockets = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      Socket socket = connect(server);
      assertThat(echo(socket, random(64))).isEqualTo(random(64));
      sockets.add(socket);
    }
    for (Socket socket : sockets.subList(0, 10)) {
      socket.getOutputStream().write(random(500));
    }
    assertThat(server.drain(Duration.ofSeconds(50))).isZero();
    servers.clear();
    for (int i = 0; i < 20; i++) {
      assertThat(sockets.get(i).getInputStream().readAllBytes()).isEqualTo(i < 10 ? random(500) : new byte[0]);
      sockets.get(i).close();
    }
    assertThatThrownBy(() -> connect(server)).isInstanceOf(IOException.class);
  }

  @Test
  void saysThatThePortIsTaken() throws Exception {
    FloorServer server = start(1, 64);
    assertThatThrownBy(() -> start(server.port(), 1, 64))
        .isInstanceOf(BindException.class)
        .hasMessageContaining("EADDRINUSE");
  }

  @Test
  void dealsConnectionsToAllLoopsInTurn() throws Exception {
    FloorServer server = start(3, 64);
    List<Socket> sockets = new ArrayList<>();
    for (int i = 0; i < 9; i++) {
      sockets.add(connect(server));
    }
    await().untilAsserted(() -> assertThat(server.openByLoop()).containsExactly(3, 3, 3));
    for (Socket socket : sockets) {
      socket.close();
    }
  }
}
