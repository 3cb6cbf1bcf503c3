package echoladder.servers.contract.tls;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.servers.contract.NeverReads;
import echoladder.servers.contract.RunningServer;
import echoladder.servers.contract.ServerSlot;
import echoladder.servers.contract.SharedServer;
import echoladder.servers.contract.Variant;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.provider.MethodSource;

/** Echo over TLS, and clients that do not keep to it: all of a server's tests load one process of it. */
@Order(1)
@SharedServer
@MethodSource("echoladder.servers.contract.tls.TlsServer#all")
record TlsEchoIT(Variant variant) {
  private static final int HANDSHAKES_AT_ONCE = 500;
  private static final int MANY_HANDSHAKES_AT_ONCE = 2_000;
  private static final int SMALL_BUFFER_BYTES = 16 << 10;

  /** What a server may hold for who does not read beyond the kernel's buffers, generously. */
  private static final long SERVER_BYTES_MAX = 8 << 20;

  /** So many that what a server keeps for each is more than what it holds now and then. */
  private static final int COME_AND_GO = 2_000;

  /** A guess, less than a session's buffers: nobody has calibrated it. */
  private static final int KEPT_BYTES_MAX = 512;

  private static final String RECEIVED = "echo_received_bytes_total";

  /** Around a buffer, a record, several records. */
  private static final int[] SIZES = {1, 2, 255, 256, 257, 4_096, 16_383, 16_384, 16_385, 32_768, 40_000, 65_536};

  private static final ServerSlot<TlsServer> SERVER = new ServerSlot<>();

  @BeforeParameterizedClassInvocation
  static void start(Variant variant) throws Exception {
    SERVER.start(() -> TlsServer.start(variant));
  }

  @AfterParameterizedClassInvocation
  static void stop() throws Exception {
    SERVER.stop();
  }

  @Test
  void saysThatItSpeaksTls() {
    Map<String, @Nullable Object> config = SERVER.get().running().ready().config();
    assertThat(config).containsEntry("tls", "on").containsEntry("tls_cert", "server.pem").containsEntry("tls_key", "server-key.pem");
    assertThat(String.valueOf(config.get("tls_library"))).isNotEqualTo("null").isNotBlank();
  }

  @Test
  void echoesEveryByteOverTheBordersOfRecords() throws Exception {
    SERVER.get().running().awaitOpen(0);
    Map<String, Long> before = SERVER.get().running().counts();
    long bytes = 0;
    for (String version : new String[] {"1.3", "1.2"}) {
      try (TlsPeer peer = SERVER.get().connect(version)) {
        assertThat(peer.tls().getSession().getProtocol()).isEqualTo("TLSv" + version);
        for (int size : SIZES) {
          peer.echo(TlsPeer.bytes(size, size));
          bytes += size;
        }
      }
    }
    long expected = bytes;
    SERVER.get().running().await("counts").untilAsserted(
        () -> {
          assertThat(since(before, RECEIVED)).as("it counts what is said over TLS, not its records").isEqualTo(expected);
          assertThat(since(before, "echo_sent_bytes_total")).isEqualTo(expected);
          assertThat(since(before, "echo_connections_accepted_total")).isEqualTo(2);
        });
    SERVER.get().running().awaitOpen(0);
  }

  /** A client that can speak HTTP/2 too gets HTTP/1.1: the folder's name says what is measured. */
  @Test
  void choosesNoHttp2() throws Exception {
    SERVER.get().running().awaitOpen(0);
    assertThat(TlsPeer.chosen(SERVER.get().running().address(), "http/1.1")).isIn("", "http/1.1");
    assertThat(TlsPeer.chosen(SERVER.get().running().address(), "h2", "http/1.1")).isIn("", "http/1.1");
    SERVER.get().running().awaitOpen(0);
  }

  @Test
  void answersCloseNotifyBehindWhatItOwes() throws Exception {
    SERVER.get().running().awaitOpen(0);
    byte[] message = TlsPeer.bytes(7, 40_000);
    try (TlsPeer busy = SERVER.get().connect("1.3");
        TlsPeer idle = SERVER.get().connect("1.2")) {
      busy.send(message);
      busy.sayEnd();
      busy.expect(message);
      busy.expectEnd();
      idle.echo(TlsPeer.bytes(1, 64));
      idle.sayEnd();
      idle.expectEnd();
      SERVER.get().running().awaitOpen(0);
    }
  }

  @Test
  void answersABareFinByCloseNotify() throws Exception {
    SERVER.get().running().awaitOpen(0);
    try (TlsPeer peer = SERVER.get().connect("1.3")) {
      peer.echo(TlsPeer.bytes(1, 64));
      peer.fin();
      peer.expectEnd();
      SERVER.get().running().awaitOpen(0);
    }
  }

  @Test
  void refusesPlainTextAndHarmsNobody() throws Exception {
    SERVER.get().running().awaitOpen(0);
    Map<String, Long> before = SERVER.get().running().counts();
    try (TlsPeer peer = SERVER.get().connect("1.3")) {
      peer.echo(TlsPeer.bytes(1, 64));
      for (int i = 0; i < 20; i++) {
        try (Socket plain = SERVER.get().plain()) {
          plain.getOutputStream().write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
          TlsServer.awaitEnd(plain);
        }
        peer.echo(TlsPeer.bytes(i, 300));
      }
      try (TlsPeer another = SERVER.get().connect("1.2")) {
        another.echo(TlsPeer.bytes(2, 64));
        SERVER.get().running().awaitOpen(2);
      }
      assertThat(since(before, RECEIVED)).as("plain text is no echo").isEqualTo(64L + 20 * 300 + 64);
    }
  }

  /** By how much a count has grown. */
  private static long since(Map<String, Long> before, String name) {
    return SERVER.get().running().counts().getOrDefault(name, 0L) - before.getOrDefault(name, 0L);
  }

  @Test
  void shakesHandsWithManyAtOnce() throws Exception {
    shakeHands(HANDSHAKES_AT_ONCE);
  }

  @Tag("long")
  @Test
  void shakesHandsWithTwoThousandAtOnce() throws Exception {
    shakeHands(MANY_HANDSHAKES_AT_ONCE);
  }

  private static void shakeHands(int atOnce) throws Exception {
    SERVER.get().running().awaitOpen(0);
    List<TlsPeer> peers = new ArrayList<>();
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      Semaphore begin = new Semaphore(0);
      List<Future<TlsPeer>> shaking = new ArrayList<>();
      for (int i = 0; i < atOnce; i++) {
        byte[] message = TlsPeer.bytes(i, 64 + i);
        shaking.add(
            executor.submit(
                () -> {
                  begin.acquire();
                  TlsPeer peer = SERVER.get().connect("1.3");
                  peer.echo(message);
                  return peer;
                }));
      }
      begin.release(atOnce);
      try {
        for (Future<TlsPeer> one : shaking) {
          peers.add(one.get());
        }
      } catch (ExecutionException e) {
        // The tests behind this one find the server without its connections.
        for (Future<TlsPeer> one : shaking) {
          try {
            one.get().close();
          } catch (ExecutionException other) {
            e.addSuppressed(other);
          }
        }
        throw e;
      }
    }
    SERVER.get().running().awaitOpen(atOnce);
    for (TlsPeer peer : peers) {
      peer.sayEnd();
      peer.expectEnd();
      peer.close();
    }
    SERVER.get().running().awaitOpen(0);
  }

  @Test
  void stopsReadingFromWhoDoesNotRead() throws Exception {
    SERVER.get().running().awaitOpen(0);
    long mostBytes = NeverReads.kernelBytes(SMALL_BUFFER_BYTES, SERVER_BYTES_MAX) + SERVER_BYTES_MAX;
    byte[] message = TlsPeer.bytes(3, 64 << 10);
    AtomicLong sentBytes = new AtomicLong();
    try (TlsPeer other = SERVER.get().connect("1.3")) {
      Thread sending;
      long slowestNs;
      try (TlsPeer deaf = SERVER.get().connect("1.3", SMALL_BUFFER_BYTES)) {
        sending =
            Thread.ofVirtual().start(
                () -> {
                  try {
                    while (sentBytes.get() < 2 * mostBytes) {
                      deaf.send(message);
                      sentBytes.addAndGet(message.length);
                    }
                  } catch (IOException e) {
                    // The test has ended it.
                  }
                });
        slowestNs =
            NeverReads.slowestUntilStuckNs(
                () -> {
                  other.echo(TlsPeer.bytes(1, 64));
                  return other;
                },
                sentBytes::get);
        // Else its close would wait for its write.
        deaf.tls().setSoLinger(true, 0);
      }
      sending.join();
      assertThat(sentBytes.get()).as("%s: bytes taken from who does not read", SERVER.get().running()).isLessThan(mostBytes);
      assertThat(Duration.ofNanos(slowestNs)).as("%s: slowest echo beside it", SERVER.get().running()).isLessThan(NeverReads.OTHERS_MAX);
      other.echo(TlsPeer.bytes(2, 64));
      SERVER.get().running().awaitOpen(1);
    }
  }

  /** A client that takes tickets, as that of a load does, keeps its session itself. */
  @Tag("long")
  @Test
  void whoHasGoneLeavesNothingBehind() throws Exception {
    SERVER.get().running().awaitOpen(0);
    comeAndGo(COME_AND_GO / 10);
    long before = SERVER.get().running().heldBytes();
    comeAndGo(COME_AND_GO);
    assertThat((SERVER.get().running().heldBytes() - before) / COME_AND_GO)
        .as("%s: bytes kept for each connection that has ended", SERVER.get().running())
        .isLessThan(KEPT_BYTES_MAX);
  }

  private static void comeAndGo(int times) throws IOException {
    for (int i = 0; i < times; i++) {
      try (TlsPeer peer = SERVER.get().connect(i % 2 == 0 ? "1.3" : "1.2")) {
        peer.send(TlsPeer.bytes(i, 64));
        peer.expect(TlsPeer.bytes(i, 64));
        peer.sayEnd();
        peer.expectEnd();
        // Else the next one would go on with it.
        peer.tls().getSession().invalidate();
      }
    }
    SERVER.get().running().awaitOpen(0);
  }
}
