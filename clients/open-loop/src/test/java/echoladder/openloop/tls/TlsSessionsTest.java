package echoladder.openloop.tls;

import static echoladder.openloop.tls.EnginePeer.PLAIN;
import static echoladder.openloop.tls.EnginePeer.ROOM;
import static echoladder.openloop.tls.EnginePeer.receive;
import static echoladder.openloop.tls.EnginePeer.sealed;
import static echoladder.openloop.tls.EnginePeer.sent;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import echoladder.client.Tls;
import echoladder.client.tls.ThrowawayCertificate;
import echoladder.openloop.testserver.TlsServer;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sessions by themselves, whose bytes go to an engine of the JDK without a socket. */
@ResourceLock(EnginePeer.MEMORY)
class TlsSessionsTest {
  private static ThrowawayCertificate certificate;
  private static SSLContext context;
  @TempDir private Path dir;

  @BeforeAll
  static void certificate() throws Exception {
    certificate = ThrowawayCertificate.make();
    context = TlsServer.context(certificate);
  }

  private static TlsSessions sessions(String version, int connections) {
    return new TlsSessions(new Tls(version, ThrowawayCertificate.NAME, certificate.authority()), connections);
  }

  private static TlsSessions sessions(int connections) {
    return sessions(Tls.LATEST, connections);
  }

  private static String read(TlsSessions sessions, int c) {
    int n = sessions.read(c, PLAIN, ROOM);
    assertThat(n).as(sessions.failure()).isPositive();
    return new String(PLAIN.asSlice(0, n).toArray(ValueLayout.JAVA_BYTE), StandardCharsets.US_ASCII);
  }

  private static void echoes(TlsSessions sessions, EnginePeer peer, String text) throws SSLException {
    byte[] own = peer.answer(sealed(sessions, 0, text));
    assertThat(peer.text()).isEqualTo(text);
    receive(sessions, 0, own, peer.record(text));
    assertThat(read(sessions, 0)).isEqualTo(text);
  }

  /** An answer frees what waits on its connection, so a loop may seal before it reads on. */
  @Test
  void aFailureBehindAnAnswerIsToldToWhoSealsBeforeItReads() throws Exception {
    try (TlsSessions sessions = sessions(1)) {
      EnginePeer peer = EnginePeer.shaken(context, sessions, 0);
      byte[] right = peer.record("right");
      byte[] broken = peer.record("broken");
      broken[broken.length - 1] ^= 1;
      assertThat(receive(sessions, 0, right, broken)).isZero();
      assertThat(sessions.read(0, PLAIN, ROOM)).isEqualTo("right".length());
      assertThat(sessions.ended(0)).isTrue();
      assertThat(sessions.seal(0, PLAIN, 5)).isEqualTo(TlsSessions.FAILED);
      assertThat(sessions.failure()).isEqualTo("TLS: decryption failed or bad record mac");
    }
  }

  /** OpenSSL has one queue of errors for all sessions of a thread: one that is left there would fail another session. */
  @ParameterizedTest
  @ValueSource(strings = {"1.3", "1.2"})
  void aSessionThatFailsFailsNoOther(String version) throws Exception {
    try (TlsSessions sessions = sessions(version, 4)) {
      EnginePeer peer = EnginePeer.shaken(context, sessions, 0);
      EnginePeer truncated = EnginePeer.shaken(context, sessions, 1);
      byte[] broken = truncated.record("broken");
      broken[broken.length - 1] ^= 1;
      receive(sessions, 1, broken);
      assertThat(sessions.read(1, PLAIN, ROOM)).isEqualTo(TlsSessions.FAILED);
      whoIsWell(sessions, peer);
      sessions.sayEnd(1);
      whoIsWell(sessions, peer);
      sessions.forget(1);
      whoIsWell(sessions, peer);
      assertThat(sessions.shake(2)).isZero();
      assertThat(receive(sessions, 2, new byte[] {22, 3, 3, 0, 4, 2, 0, 0, 0})).isZero();
      assertThat(sessions.shake(2)).isEqualTo(TlsSessions.FAILED);
      whoIsWell(sessions, peer);
      sessions.forget(2);
      whoIsWell(sessions, peer);
    }
  }

  private static void whoIsWell(TlsSessions sessions, EnginePeer peer) throws SSLException {
    assertThat(sessions.read(0, PLAIN, ROOM)).isEqualTo(TlsSessions.NOTHING);
    receive(sessions, 0, peer.record("well"));
    assertThat(read(sessions, 0)).isEqualTo("well");
  }

  /** A server may send behind its end of the handshake before it has the client's (RFC 8446, 2): OpenSSL has got that too. */
  @Test
  void anIdleConnectionHasNoBuffer() throws Exception {
    try (TlsSessions sessions = sessions(2)) {
      EnginePeer peer = EnginePeer.shaken(context, sessions, 0);
      assertThat(sessions.shake(1)).isZero();
      assertThat(sessions.buffers()).as("of the one that shakes hands").isEqualTo(2);
      sessions.forget(1);
      assertThat(sessions.buffers()).isZero();
      echoes(sessions, peer, "text");
      assertThat(sessions.buffers()).isZero();
    }
  }

  @Test
  void whatCameWithTheEndOfTheHandshakeIsNotLost() throws Throwable {
    try (TlsSessions sessions = sessions(1); OpenSslPeer peer = peer()) {
      assertThat(sessions.shake(0)).isZero();
      receive(sessions, 0, peer.greeted(sent(sessions, 0), "early"));
      assertThat(sessions.shake(0)).as(sessions.failure()).isZero();
      assertThat(sessions.established(0)).isTrue();
      assertThat(read(sessions, 0)).isEqualTo("early");
      receive(sessions, 0, peer.accepted(sent(sessions, 0)), peer.sealed("later"));
      assertThat(read(sessions, 0)).isEqualTo("later");
      assertThat(peer.opened(sealed(sessions, 0, "text"))).isEqualTo("text");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {OpenSslPeer.NOT_REQUESTED, OpenSslPeer.REQUESTED})
  void keyUpdatesOfOpenSslAreFollowed(int asked) throws Throwable {
    try (TlsSessions sessions = sessions(1); OpenSslPeer peer = peer()) {
      assertThat(sessions.shake(0)).isZero();
      receive(sessions, 0, peer.greeted(sent(sessions, 0), "early"));
      assertThat(sessions.shake(0)).as(sessions.failure()).isZero();
      assertThat(read(sessions, 0)).isEqualTo("early");
      receive(sessions, 0, peer.accepted(sent(sessions, 0)));
      assertThat(sessions.read(0, PLAIN, ROOM)).isEqualTo(TlsSessions.NOTHING);
      for (int i = 0; i < 3; i++) {
        receive(sessions, 0, peer.updated(asked, "behind"));
        assertThat(read(sessions, 0)).isEqualTo("behind");
        assertThat(sessions.waiting(0) > 0).as("answered").isEqualTo(asked == OpenSslPeer.REQUESTED);
        assertThat(peer.opened(sealed(sessions, 0, "text"))).isEqualTo("text");
      }
    }
  }

  private OpenSslPeer peer() throws Throwable {
    certificate.writtenTo(dir);
    return new OpenSslPeer(dir.resolve("server.pem"), dir.resolve("server-key.pem"));
  }

  /** The server's TLS asks for new keys after 50,000 bytes. */
  @Test
  void theServersKeyUpdatesAreFollowedAndAnswered() throws Exception {
    try (TlsSessions sessions = sessions(1)) {
      EnginePeer peer = EnginePeer.shaken(context, sessions, 0);
      int answers = 0;
      for (int i = 0; i < 40; i++) {
        receive(sessions, 0, peer.record("x".repeat(10_000)));
        assertThat(read(sessions, 0)).hasSize(10_000);
        answers += sessions.waiting(0) > 0 ? 1 : 0;
        echoes(sessions, peer, "between");
      }
      assertThat(answers).isGreaterThan(2);
    }
  }

  @Test
  void theServersAlertIsToldByItsName() throws Exception {
    try (TlsSessions sessions = sessions(1)) {
      EnginePeer peer = EnginePeer.shaken(context, sessions, 0);
      byte[] broken = sealed(sessions, 0, "broken");
      broken[broken.length - 1] ^= 1;
      assertThatThrownBy(() -> peer.answer(broken)).isInstanceOf(SSLException.class);
      receive(sessions, 0, peer.alert());
      assertThat(sessions.read(0, PLAIN, ROOM)).isEqualTo(TlsSessions.FAILED);
      assertThat(sessions.failure()).isEqualTo("TLS: alert from the server: bad record mac");
      assertThat(sessions.waiting(0)).isZero();
    }
  }

  @Test
  void theEndIsSaid() throws Exception {
    try (TlsSessions sessions = sessions(1)) {
      EnginePeer peer = EnginePeer.shaken(context, sessions, 0);
      sessions.sayEnd(0);
      peer.answer(sent(sessions, 0));
      assertThat(peer.ended()).isTrue();
    }
  }
}
