package echoladder.servers.contract.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import echoladder.servers.contract.Peer;
import echoladder.servers.contract.SharedServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Requests that are not what they seem, and requests without end. One process for all of a subject's tests. What a
 * server may do with each is told by {@link Hostile}; what it does is listed in docs/decisions/http-hostile-requests.md.
 */
@SharedServer
@MethodSource("echoladder.servers.contract.http.OneServer#all")
@TestInstance(TestInstance.Lifecycle.PER_METHOD)
final class HostileRequestIT {
  private static final int MIB = 1 << 20;

  /** Beyond what any bound lets through, and within what a test can send. */
  private static final int ENDLESS_BYTES = 24 * MIB;

  /** What a server may hold of all that was sent, at most. */
  private static final int HELD_BYTES_MAX = 16 * MIB;

  private final HttpServerUnderTest server;
  private final HttpSubject subject;

  HostileRequestIT(OneServer one) {
    this.server = one.server();
    this.subject = one.subject();
  }

  @ParameterizedTest
  @MethodSource("echoladder.servers.contract.http.Hostile#all")
  void endsIn400OrAClosedConnectionOrAsListed(Hostile hostile) throws IOException {
    try (HttpPeer peer = server.connect()) {
      peer.send(hostile.text());
      peer.fin();
      Hostile.Seen seen = Hostile.Seen.of(new String(peer.untilClosed(), ISO_8859_1));
      assertThat(seen.outcome()).as("%s of %s: %s", hostile, subject, seen).isEqualTo(hostile.expected(subject.manifest().name()));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "garbage\r\n\r\n",
        "POST /echo HTTP/1.1\r\nHost: test\r\nContent-Length: abc\r\n\r\n",
        "POST /echo HTTP/1.1\r\nHost: test\r\nContent-Length: -1\r\n\r\n",
        "POST /echo HTTP/1.1\r\nHost: test\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
        "POST /echo HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n\r\n",
        "GET /api/light HTTP/1.1\r\nHost: test\r\nbad name: x\r\n\r\n",
      })
  void answersAMalformedRequestWith400AndClosesIt(String request) throws Exception {
    double before = server.openConnections();
    try (HttpPeer peer = server.connect()) {
      peer.send(request);
      HttpPeer.Answer answer = peer.answer();
      assertThat(answer.status()).isEqualTo(400);
      assertThat(answer.text()).doesNotContain("\tat ", "Caused by", "goroutine ");
      assertThat(peer.untilClosed()).isEmpty();
    }
    server.holdsNoMoreAfter(request, before);
  }

  @Test
  void holdsLittleOfABodyWithoutEnd() throws Exception {
    long beforeBytes = server.heldBytes();
    double beforeOpen = server.openConnections();
    List<HttpPeer> peers = new ArrayList<>();
    try {
      byte[] chunk = new byte[100_000 + 9];
      System.arraycopy("186a0\r\n".getBytes(ISO_8859_1), 0, chunk, 0, 7);
      chunk[chunk.length - 2] = '\r';
      chunk[chunk.length - 1] = '\n';
      for (int i = 0; i < 4; i++) {
        HttpPeer peer = server.connect();
        peers.add(peer);
        peer.send("POST /echo HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: chunked\r\n\r\n");
        var _ = peer.sendBehind(chunk, 640);
      }
      for (HttpPeer peer : peers) {
        // 413 may be lost to the reset that follows it when a client goes on sending; to be cut off is enough.
        assertThat(new String(peer.untilClosed(), ISO_8859_1)).doesNotContain(" 200 ");
      }
    } finally {
      for (HttpPeer peer : peers) {
        peer.close();
      }
    }
    await().atMost(Peer.PATIENCE).until(() -> server.heldBytes() < beforeBytes + HELD_BYTES_MAX);
    server.holdsNoMoreAfter("bodies without end", beforeOpen);
  }

  private enum Endless {
    CHUNK_EXTENSION("POST /echo HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n1;x=", "y".repeat(1_000)),
    CHUNK_EXTENSIONS("POST /echo HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n", "1;" + "y".repeat(1_000) + "\r\nz\r\n"),
    TRAILER("POST /echo HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX: ", "y".repeat(1_000)),
    TRAILERS("POST /echo HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n", "X: " + "y".repeat(1_000) + "\r\n"),
    REQUEST_LINE("GET /", "y".repeat(1_000)),
    METHOD("", "Y".repeat(1_000)),
    HEADER("GET /api/light HTTP/1.1\r\nHost: t\r\nX: ", "y".repeat(1_000)),
    HEADERS("GET /api/light HTTP/1.1\r\nHost: t\r\n", "X: y\r\n".repeat(100)),
    EMPTY_LINES("", "\r\n".repeat(500)),
    CHUNK_SIZE("POST /echo HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n", "0".repeat(1_000));

    private final String beginning;
    private final String again;

    Endless(String beginning, String again) {
      this.beginning = beginning;
      this.again = again;
    }
  }

  @Test
  void whatHasNoEndIsCutOffAndHeldInBoundedMemory() throws Exception {
    long beforeBytes = server.heldBytes();
    List<HttpPeer> peers = new ArrayList<>();
    try {
      for (Endless endless : Endless.values()) {
        HttpPeer peer = server.connect();
        peers.add(peer);
        peer.send(endless.beginning);
        var _ = peer.sendBehind(endless.again.getBytes(ISO_8859_1), ENDLESS_BYTES / endless.again.length());
      }
      for (int i = 0; i < peers.size(); i++) {
        assertThat(new String(peers.get(i).untilClosed(), ISO_8859_1))
            .as("%s of %s", Endless.values()[i], subject)
            .doesNotContain(" 200 ");
      }
    } finally {
      for (HttpPeer peer : peers) {
        peer.close();
      }
    }
    await().atMost(Peer.PATIENCE).until(() -> server.heldBytes() < beforeBytes + HELD_BYTES_MAX);
    answers();
  }

  @Test
  void holdsLittleOfRequestsThatAreSentAheadAndSlowsNobody() throws Exception {
    long beforeBytes = server.heldBytes();
    byte[] ahead = "GET /api/light HTTP/1.1\r\nHost: t\r\n\r\n".repeat(1_000).getBytes(ISO_8859_1);
    try (HttpPeer deaf = server.connect()) {
      var _ = deaf.sendBehind(ahead, ENDLESS_BYTES / ahead.length);
      for (int i = 0; i < 50; i++) {
        answers();
      }
      await().atMost(Peer.PATIENCE).until(() -> server.heldBytes() < beforeBytes + HELD_BYTES_MAX);
    }
  }

  private void answers() throws IOException {
    try (HttpPeer other = server.connect()) {
      other.get("/api/light");
      assertThat(other.answer().status()).isEqualTo(200);
    }
  }
}
