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

  private static final ServerSlot<RunningServer> SERVER = new ServerSlot<>();

  @BeforeParameterizedClassInvocation
  static void start(Variant variant) throws Exception {
    SERVER.start(() -> RunningServer.start(variant));
  }

  @AfterParameterizedClassInvocation
  static void stop() throws Exception {
    try (RunningServer last = SERVER.take()) {
      if (last != null) {
        last.leaksNothing();
      }
    }
  }

  @ParameterizedTest(name = "{0} B")
  @ValueSource(ints = {1, 64, 1 << 20})
  void returnsEveryByte(int size) {
    byte[] message = EchoClient.bytes(size, size);
    try (EchoClient client = SERVER.get().connect()) {
      CompletableFuture<Void> sent = client.sendBehind(message, false);
      client.expect(message);
      sent.join();
      client.echo(EchoClient.bytes(2, 64));
    }
  }

  @Test
  void doesNotCareHowBytesAreCut() {
    byte[] message = EchoClient.bytes(3, 64);
    try (EchoClient client = SERVER.get().connect()) {
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
    List<EchoClient> clients = SERVER.get().connect(50);
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
    try (EchoClient client = SERVER.get().connect()) {
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
      try (EchoClient client = SERVER.get().connect()) {
        client.send(message);
        client.fin();
        client.expect(message);
        client.expectEnd();
      }
    }
  }

  @Test
  void answersFinWithFin() {
    try (EchoClient client = SERVER.get().connect()) {
      client.sendBehind(new byte[0], true).join();
      client.expectEnd();
    }
  }

  @Test
  void survivesResetsInMidMessage() {
    double open = SERVER.get().metric("echo_connections_open");
    for (int i = 0; i < 50; i++) {
      EchoClient client = SERVER.get().connect();
      // More than a server takes in at once, and its echoes are not read.
      client.send(EchoClient.bytes(i, 100_000));
      client.reset();
    }
    SERVER.get().awaitOpen((long) open);
    try (EchoClient client = SERVER.get().connect()) {
      client.echo(EchoClient.bytes(5, 64));
    }
    assertThat(SERVER.get().process().alive()).as("%s", SERVER.get()).isTrue();
    assertThat(SERVER.get().logLines()).as("%s: a reset is closed quietly", SERVER.get()).hasSizeLessThan(5);
  }

  @Test
  void countsExactlyWhatWasDoneThroughABurst() {
    Map<String, Long> before = settled();
    List<EchoClient> clients = SERVER.get().connect(BURST);
    for (EchoClient client : clients) {
      client.send(EchoClient.bytes(6, 32));
    }
    for (EchoClient client : clients) {
      client.expect(EchoClient.bytes(6, 32));
    }
    assertThat(SERVER.get().counts())
        .as("%s: counts with the burst open", SERVER.get())
        .containsEntry("echo_connections_open", (long) BURST);
    clients.forEach(EchoClient::close);
    byte[] large = EchoClient.bytes(7, 300_000);
    // Where bytes before a FIN may be lost, how many is not to be foretold.
    boolean fin = !variant.manifest().cannot().containsKey(Clause.Name.BYTES_BEFORE_FIN.toString());
    try (EchoClient client = SERVER.get().connect()) {
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
    SERVER.get().await("counts").untilAsserted(
        () -> assertThat(SERVER.get().counts()).as("%s: counts after %d connections", SERVER.get(), BURST + 1).isEqualTo(expected));
    assertThat(SERVER.get().metric("echo_accept_errors_total{reason=\"emfile\"}")).as("%s", SERVER.get()).isZero();
  }

  /** The counts once nobody is connected. */
  private static Map<String, Long> settled() {
    SERVER.get().awaitOpen(0);
    return SERVER.get().counts();
  }

  @Test
  void hasNoDelayOn() throws IOException {
    try (EchoClient client = SERVER.get().connect()) {
      client.echo(EchoClient.bytes(8, 64));
      int noDelay =
          ForeignSocket.noDelay(SERVER.get().ready().pid(), SERVER.get().ready().port(), client.socket().getLocalPort());
      assertThat(noDelay).as("%s: TCP_NODELAY of an accepted connection", SERVER.get()).isNotZero();
    }
  }

  @Test
  void showsTheProcessAndOnlyWhatIsAskedFor() {
    assertThat(SERVER.get().metric("process_cpu_seconds_total")).as("%s", SERVER.get()).isPositive();
    assertThat(SERVER.get().metric("process_resident_memory_bytes")).as("%s", SERVER.get()).isBetween(1e6, 1e11);
    URI some =
        URI.create(SERVER.get().ready().metrics() + "?name%5B%5D=echo_connections_open&name%5B%5D=echo_sent_bytes_total");
    assertThat(SERVER.get().ask("GET", some).body().lines().filter(line -> !line.startsWith("#")).map(EchoIT::nameOf))
        .as("%s: %s", SERVER.get(), some)
        .containsExactlyInAnyOrder("echo_connections_open", "echo_sent_bytes_total");
  }

  private static String nameOf(String line) {
    return line.substring(0, line.indexOf(' '));
  }

  @Test
  void collectsGarbageWhenAsked() {
    HttpResponse<String> answered = SERVER.get().ask("POST", SERVER.get().ready().gc());
    String answer = answered.body();
    if (variant.manifest().unmanaged() && answered.statusCode() != 200) {
      // It has no heap that is collected, and says so.
      assertThat(answered.statusCode()).as("%s: POST /gc answered %s", SERVER.get(), answer).isIn(404, 405);
      return;
    }
    JsonNode bytes = JsonMapper.shared().readTree(answer).path("live_heap_bytes");
    assertThat(bytes.asLong()).as("%s: POST /gc answered %s", SERVER.get(), answer).isBetween(10_000L, 1L << 36);
  }
}
