package echoladder.servers.contract.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import echoladder.servers.contract.Clause;
import echoladder.servers.contract.ExpectedFailure;
import echoladder.servers.contract.ForeignSocket;
import echoladder.servers.contract.OfVariant;
import echoladder.servers.contract.Peer;
import echoladder.servers.contract.SharedServer;
import echoladder.servers.contract.Variant;
import echoladder.servers.contract.http.HttpPeer.Answer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a running HTTP server owes to its clients, good and bad. One process for all of a subject's tests. */
@Order(1)
@ExtendWith(ExpectedFailure.class)
@SharedServer
@MethodSource("echoladder.servers.contract.http.OneServer#all")
@TestInstance(TestInstance.Lifecycle.PER_METHOD)
final class HttpContractIT implements OfVariant {
  /** The largest body that every server takes: what it is told, or is built with. */
  private static final int BODY_MAX = 1 << 20;

  private static final int MIB = 1 << 20;

  private final HttpServerUnderTest server;
  private final Variant variant;

  HttpContractIT(OneServer one) {
    this.server = one.server();
    this.variant = new Variant(one.subject().manifest(), one.subject().mode());
  }

  @Override
  public Variant variant() {
    return variant;
  }

  @AfterEach
  void holdsNoConnectionOfAClientThatHasGone(TestInfo test) {
    server.holdsNoConnectionAfter(test.getDisplayName());
  }

  private static byte[] random(int bytes) {
    byte[] all = new byte[bytes];
    new Random(bytes).nextBytes(all);
    return all;
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 64, 4_096, 8_191, 8_192, 8_193, 65_536, 100_000, BODY_MAX})
  void echoesABodyByteByByteOnOneConnection(int bytes) throws IOException {
    byte[] body = random(bytes);
    try (HttpPeer peer = server.connect()) {
      for (byte[] request : List.of(HttpPeer.post(body), HttpPeer.postChunked(body, 10_000), HttpPeer.post(body))) {
        var _ = peer.sendBehind(request, 1);
        Answer answer = peer.answer();
        assertThat(answer.status()).as(answer::text).isEqualTo(200);
        assertThat(answer.body()).isEqualTo(body);
        assertThat(answer.closes()).as("keep-alive: %s", answer.headers()).isFalse();
      }
    }
  }

  @Test
  void hasNoDelayOn() throws IOException {
    try (HttpPeer peer = server.connect()) {
      peer.send(HttpPeer.post(random(64)));
      assertThat(peer.answer().status()).isEqualTo(200);
      int noDelay = ForeignSocket.noDelay(server.ready().pid(), server.ready().port(), peer.port());
      assertThat(noDelay).as("TCP_NODELAY of an accepted connection").isNotZero();
    }
  }

  @Test
  void answersPipelinedRequestsInOrder() throws IOException {
    try (HttpPeer peer = server.connect()) {
      StringBuilder requests = new StringBuilder();
      for (int i = 0; i < 20; i++) {
        requests.append(new String(HttpPeer.post(("message " + i).getBytes(ISO_8859_1)), ISO_8859_1));
      }
      peer.send(requests.toString());
      peer.get("/api/light");
      for (int i = 0; i < 20; i++) {
        assertThat(peer.answer().text()).isEqualTo("message " + i);
      }
      assertThat(peer.answer().text()).isEqualTo("light\n");
    }
  }

  @Test
  void answersAClientThatHasEndedItsSide() throws IOException {
    try (HttpPeer peer = server.connect()) {
      byte[] body = random(50_000);
      peer.send(HttpPeer.post(body));
      peer.fin();
      assertThat(peer.answer().body()).isEqualTo(body);
      assertThat(peer.untilClosed()).isEmpty();
    }
  }

  @Test
  void answersManyRequestsOfAClientThatHasEndedItsSide() throws IOException {
    byte[] requests = "GET /api/light HTTP/1.1\r\nHost: t\r\n\r\n".repeat(3).getBytes(ISO_8859_1);
    for (int i = 0; i < 20; i++) {
      try (HttpPeer peer = server.connect()) {
        peer.send(requests);
        peer.fin();
        for (int answer = 0; answer < 3; answer++) {
          assertThat(peer.answer().text()).as("answer %d of 3", answer + 1).isEqualTo("light\n");
        }
        assertThat(peer.untilClosed()).isEmpty();
      }
    }
  }

  @Test
  void heavyTakesItsTimeAndLightDoesNotWaitForIt() throws IOException {
    try (HttpPeer heavy = server.connect();
        HttpPeer light = server.connect()) {
      long beganNs = System.nanoTime();
      heavy.get("/api/heavy?duration=300");
      light.get("/api/light");
      assertThat(light.answer().status()).isEqualTo(200);
      assertThat(heavy.answer().status()).isEqualTo(200);
      assertThat(System.nanoTime() - beganNs).isGreaterThanOrEqualTo(300_000_000L);
      heavy.get("/api/heavy?duration=0");
      assertThat(heavy.answer().status()).isEqualTo(200);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"?duration=x", "?duration=-1", "?duration=60001", "?duration=1e3", "?duration=", "?duration=99999999999", ""})
  void refusesABadDurationWithTheReason(String query) throws IOException {
    try (HttpPeer peer = server.connect()) {
      peer.get("/api/heavy" + query);
      Answer answer = peer.answer();
      assertThat(answer.status()).isEqualTo(400);
      assertThat(answer.text()).contains("duration").contains("60000").hasSizeLessThan(300);
    }
  }

  @Test
  void refusesWhatItDoesNotHave() throws IOException {
    try (HttpPeer peer = server.connect()) {
      peer.get("/nowhere");
      assertThat(peer.answer().status()).isEqualTo(404);
    }
    try (HttpPeer peer = server.connect()) {
      peer.get("/echo");
      assertThat(peer.answer().status()).isEqualTo(405);
    }
  }

  @Test
  void refusesABodyThatIsTooLarge() throws IOException {
    byte[] body = random(BODY_MAX + 1);
    for (byte[] request : List.of(HttpPeer.post(body), HttpPeer.postChunked(body, 60_000))) {
      try (HttpPeer peer = server.connect()) {
        var _ = peer.sendBehind(request, 1);
        assertThat(peer.answer().status()).isEqualTo(413);
      }
    }
  }

  @Test
  void refusesABodyByItsAnnouncedLengthBeforeItComes() throws IOException {
    try (HttpPeer peer = server.connect()) {
      peer.send("POST /echo HTTP/1.1\r\nHost: test\r\nContent-Length: 99999999999\r\n\r\n");
      assertThat(peer.answer().status()).isEqualTo(413);
    }
  }

  @Clause(Clause.Name.LONG_HEAD)
  @Test
  void refusesAHeadThatIsTooLong() throws IOException {
    try (HttpPeer peer = server.connect()) {
      var _ = peer.sendBehind(
          ("GET /api/light HTTP/1.1\r\nHost: test\r\nX: " + "a".repeat(100_000) + "\r\n\r\n").getBytes(ISO_8859_1), 1);
      assertThat(peer.answer().status()).isEqualTo(431);
    }
  }

  @Test
  void endsAConnectionWhoseHeadHasNoEnd() throws IOException {
    try (HttpPeer peer = server.connect()) {
      peer.send("GET /api/light HTTP/1.1\r\nHost: test\r\n");
      var _ = peer.sendBehind("X: yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy\r\n".repeat(1_000).getBytes(ISO_8859_1), 400);
      assertThat(new String(peer.untilClosed(), ISO_8859_1)).doesNotContain(" 200 ");
    }
  }

  @Test
  void closesASlowRequestAndKeepsAnIdleConnection() throws IOException {
    try (HttpPeer idle = server.connect();
        HttpPeer slowHead = server.connect()) {
      idle.send(HttpPeer.post(random(64)));
      assertThat(idle.answer().status()).isEqualTo(200);
      slowHead.send("POST /echo HTTP/1.1\r\nHost: te");
      // Closed by the server's bound, with or without 408; a timeout of this read fails the test.
      assertThat(new String(slowHead.untilClosed(), ISO_8859_1)).doesNotContain(" 200 ");
      // The idle one has now been idle for longer than that bound.
      idle.send(HttpPeer.post(random(64)));
      assertThat(idle.answer().body()).isEqualTo(random(64));
    }
  }

  @Test
  void countsWhatWasDone() throws Exception {
    double accepted = server.metric("echo_connections_accepted_total");
    double received = server.metric("echo_received_bytes_total");
    double sent = server.metric("echo_sent_bytes_total");
    List<HttpPeer> peers = new ArrayList<>();
    try {
      for (int i = 0; i < 5; i++) {
        HttpPeer peer = server.connect();
        peers.add(peer);
        for (int j = 0; j < 3; j++) {
          peer.send(HttpPeer.post(random(100)));
          assertThat(peer.answer().status()).isEqualTo(200);
        }
      }
      assertThat(server.metric("echo_connections_accepted_total") - accepted).isEqualTo(5);
      assertThat(server.metric("echo_connections_open")).isEqualTo(5);
      assertThat(server.metric("echo_received_bytes_total") - received).isEqualTo(1_500);
      await().atMost(Peer.PATIENCE).until(() -> server.metric("echo_sent_bytes_total") - sent == 1_500);
    } finally {
      for (HttpPeer peer : peers) {
        peer.close();
      }
    }
    await().atMost(Peer.PATIENCE).until(() -> server.metric("echo_connections_open") == 0);
    assertThat(server.metric("echo_accept_errors_total{reason=\"emfile\"}")).isZero();
  }

  @Test
  void holdsTwoThousandConnections() throws Exception {
    List<HttpPeer> peers = new ArrayList<>();
    byte[] body = random(64);
    try {
      for (int i = 0; i < 2_000; i++) {
        HttpPeer peer = server.connect();
        peers.add(peer);
        peer.send(HttpPeer.post(body));
        assertThat(peer.answer().body()).isEqualTo(body);
      }
      assertThat(server.metric("echo_connections_open")).isGreaterThanOrEqualTo(2_000);
      for (HttpPeer peer : peers) {
        peer.send(HttpPeer.post(body));
      }
      for (HttpPeer peer : peers) {
        assertThat(peer.answer().body()).isEqualTo(body);
      }
    } finally {
      for (HttpPeer peer : peers) {
        peer.close();
      }
    }
  }

  @Test
  void aClientThatNeverReadsSlowsNobody() throws Exception {
    long beforeBytes = server.heldBytes();
    try (HttpPeer deaf = server.connect();
        HttpPeer other = server.connect()) {
      var _ = deaf.sendBehind(HttpPeer.post(random(100_000)), 640);
      for (int i = 0; i < 50; i++) {
        other.send(HttpPeer.post(random(64)));
        assertThat(other.answer().status()).isEqualTo(200);
      }
      await()
          .during(Duration.ofMillis(500))
          .atMost(Peer.PATIENCE)
          .until(() -> server.heldBytes() < beforeBytes + 16L * MIB);
    }
  }
}
