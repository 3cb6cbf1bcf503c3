package echoladder.servers.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Every byte comes back, and every one is counted. One process serves all of these, one after the other. */
@ExtendWith(ExpectedFailure.class)
@SharedServer
@MethodSource("echoladder.servers.contract.Variant#all")
record EchoIT(Variant variant) implements OfVariant {
  private static final int BURST = 2_000;
  private static final int ENDED_AT_ONCE = 200;

  @SuppressWarnings("NullAway.Init")
  private static RunningServer server;

  @BeforeParameterizedClassInvocation
  static void start(Variant variant) throws Exception {
    server = RunningServer.start(variant);
  }

  @AfterParameterizedClassInvocation
  static void stop() throws IOException {
    try (RunningServer last = server) {
      last.leaksNothing();
    }
  }

  @ParameterizedTest(name = "{0} B")
  @ValueSource(ints = {1, 64, 1 << 20})
  void returnsEveryByte(int size) {
    byte[] message = EchoClient.bytes(size, size);
    try (EchoClient client = server.connect()) {
      CompletableFuture<Void> sent = client.sendBehind(message, false);
      client.expect(message);
      sent.join();
      client.echo(EchoClient.bytes(2, 64));
    }
  }

  @Test
  void doesNotCareHowBytesAreCut() {
    byte[] message = EchoClient.bytes(3, 64);
    try (EchoClient client = server.connect()) {
      for (byte b : message) {
        client.send(new byte[] {b});
      }
      client.expect(message);

      ByteBuffer merged = ByteBuffer.allocate(500 * 64);
      for (int i = 0; i < 500; i++) {
        merged.put(EchoClient.bytes(i, 64));
      }
      CompletableFuture<Void> sent = client.sendBehind(merged.array(), false);
      client.expect(merged.array());
      sent.join();
    }
  }

  @Test
  void keepsConnectionsApart() {
    List<EchoClient> clients = server.connect(50);
    for (int round = 0; round < 4; round++) {
      for (int i = 0; i < clients.size(); i++) {
        clients.get(i).send(EchoClient.bytes(100L * round + i, 200));
      }
      for (int i = clients.size() - 1; i >= 0; i--) {
        clients.get(i).expect(EchoClient.bytes(100L * round + i, 200));
      }
    }
    clients.forEach(EchoClient::close);
  }

  /** Also where the server has stopped reading by then, as nobody takes the echoes. */
  @Clause(Clause.Name.BYTES_BEFORE_FIN)
  @ParameterizedTest(name = "{0} B before FIN")
  @ValueSource(ints = {64, 1 << 20, 24 << 20})
  void returnsWhatCameBeforeFin(int size) {
    byte[] message = EchoClient.bytes(size, size);
    try (EchoClient client = server.connect()) {
      CompletableFuture<Void> sent = client.sendBehind(message, true);
      if (size <= 1 << 20) {
        sent.join();
      }
      client.expect(message);
      client.expectEnd();
      sent.join();
    }
  }

  /** The FIN is there when the server looks for the first time, or comes while it answers. */
  @Clause(Clause.Name.BYTES_BEFORE_FIN)
  @Test
  void returnsWhatManyHadSentWhoEndedAtOnce() {
    byte[] message = EchoClient.bytes(9, 64);
    for (int i = 0; i < ENDED_AT_ONCE; i++) {
      try (EchoClient client = server.connect()) {
        client.send(message);
        client.fin();
        client.expect(message);
        client.expectEnd();
      }
    }
  }

  @Test
  void answersFinWithFin() {
    try (EchoClient client = server.connect()) {
      client.sendBehind(new byte[0], true).join();
      client.expectEnd();
    }
  }

  @Test
  void survivesResetsInMidMessage() {
    double open = server.metric("echo_connections_open");
    for (int i = 0; i < 50; i++) {
      EchoClient client = server.connect();
      // More than a server takes in at once, and its echoes are not read.
      client.send(EchoClient.bytes(i, 100_000));
      client.reset();
    }
    server.awaitOpen((long) open);
    try (EchoClient client = server.connect()) {
      client.echo(EchoClient.bytes(5, 64));
    }
    assertThat(server.process().alive()).as("%s", server).isTrue();
    assertThat(server.logLines()).as("%s: a reset is closed quietly", server).hasSizeLessThan(5);
  }

  @Test
  void countsExactlyWhatWasDoneThroughABurst() {
    Map<String, Long> before = settled();
    List<EchoClient> clients = server.connect(BURST);
    for (EchoClient client : clients) {
      client.send(EchoClient.bytes(6, 32));
    }
    for (EchoClient client : clients) {
      client.expect(EchoClient.bytes(6, 32));
    }
    assertThat(server.counts())
        .as("%s: counts with the burst open", server)
        .containsEntry("echo_connections_open", (long) BURST);
    clients.forEach(EchoClient::close);
    byte[] large = EchoClient.bytes(7, 300_000);
    // Where bytes before a FIN may be lost, how many is not to be foretold.
    boolean fin = !variant.manifest().cannot().containsKey(Clause.Name.BYTES_BEFORE_FIN.toString());
    try (EchoClient client = server.connect()) {
      CompletableFuture<Void> sent = client.sendBehind(large, fin);
      client.expect(large);
      if (fin) {
        client.expectEnd();
      }
      sent.join();
    }
    Map<String, Long> expected = new TreeMap<>(before);
    expected.merge("echo_connections_accepted_total", BURST + 1L, Long::sum);
    expected.merge("echo_received_bytes_total", 32L * BURST + large.length, Long::sum);
    expected.merge("echo_sent_bytes_total", 32L * BURST + large.length, Long::sum);
    server.await("counts").untilAsserted(
        () -> assertThat(server.counts()).as("%s: counts after %d connections", server, BURST + 1).isEqualTo(expected));
    assertThat(server.metric("echo_accept_errors_total{reason=\"emfile\"}")).as("%s", server).isZero();
  }

  /** The counts once nobody is connected. */
  private static Map<String, Long> settled() {
    server.awaitOpen(0);
    return server.counts();
  }

  @Test
  void hasNoDelayOn() throws IOException {
    try (EchoClient client = server.connect()) {
      client.echo(EchoClient.bytes(8, 64));
      int noDelay =
          ForeignSocket.noDelay(server.ready().pid(), server.ready().port(), client.socket().getLocalPort());
      assertThat(noDelay).as("%s: TCP_NODELAY of an accepted connection", server).isNotZero();
    }
  }

  @Test
  void showsTheProcessAndOnlyWhatIsAskedFor() {
    assertThat(server.metric("process_cpu_seconds_total")).as("%s", server).isPositive();
    assertThat(server.metric("process_resident_memory_bytes")).as("%s", server).isBetween(1e6, 1e11);
    URI some =
        URI.create(server.ready().metrics() + "?name%5B%5D=echo_connections_open&name%5B%5D=echo_sent_bytes_total");
    assertThat(server.ask("GET", some).body().lines().filter(line -> !line.startsWith("#")).map(EchoIT::nameOf))
        .as("%s: %s", server, some)
        .containsExactlyInAnyOrder("echo_connections_open", "echo_sent_bytes_total");
  }

  private static String nameOf(String line) {
    return line.substring(0, line.indexOf(' '));
  }

  @Test
  void collectsGarbageWhenAsked() {
    HttpResponse<String> answered = server.ask("POST", server.ready().gc());
    String answer = answered.body();
    if (variant.manifest().unmanaged() && answered.statusCode() != 200) {
      // It has no heap that is collected, and says so.
      assertThat(answered.statusCode()).as("%s: POST /gc answered %s", server, answer).isIn(404, 405);
      return;
    }
    JsonNode bytes = JsonMapper.shared().readTree(answer).path("live_heap_bytes");
    assertThat(bytes.asLong()).as("%s: POST /gc answered %s", server, answer).isBetween(10_000L, 1L << 36);
  }
}
