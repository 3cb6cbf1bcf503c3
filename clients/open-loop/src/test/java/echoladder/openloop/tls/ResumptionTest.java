package echoladder.openloop.tls;

import static echoladder.openloop.tls.EnginePeer.PLAIN;
import static echoladder.openloop.tls.EnginePeer.ROOM;
import static echoladder.openloop.tls.EnginePeer.receive;
import static echoladder.openloop.tls.EnginePeer.sealed;
import static echoladder.openloop.tls.EnginePeer.sent;
import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.Tls;
import echoladder.client.tls.ThrowawayCertificate;
import echoladder.openloop.testserver.TlsServer;
import java.nio.file.Path;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sessions that are resumed, without a socket: which of them, and when a server no longer takes one. */
@ResourceLock(EnginePeer.MEMORY)
class ResumptionTest {
  private static ThrowawayCertificate certificate;
  @TempDir private Path dir;

  @BeforeAll
  static void certificate() throws Exception {
    certificate = ThrowawayCertificate.make();
  }

  private static TlsSessions sessions(String version, int connections) {
    return new TlsSessions(new Tls(version, ThrowawayCertificate.NAME, certificate.authority(), true), connections);
  }

  private static SSLContext context() throws Exception {
    return TlsServer.context(certificate);
  }

  /** Shakes hands on a connection, and has it carry a message each way. */
  private static boolean resumes(SSLContext context, TlsSessions sessions, int c) throws Exception {
    EnginePeer peer = EnginePeer.shaken(context, sessions, c);
    boolean resumed = sessions.resumed();
    peer.answer(sealed(sessions, c, "text"));
    assertThat(peer.text()).isEqualTo("text");
    receive(sessions, c, peer.record("answer"));
    assertThat(sessions.read(c, PLAIN, ROOM)).isEqualTo("answer".length());
    return resumed;
  }

  @ParameterizedTest
  @ValueSource(strings = {"1.3", "1.2"})
  void oneSessionServesEveryConnectionBehindTheFirst(String version) throws Exception {
    SSLContext context = context();
    try (TlsSessions sessions = sessions(version, 8)) {
      assertThat(resumes(context, sessions, 0)).isFalse();
      for (int c = 1; c < 8; c++) {
        assertThat(resumes(context, sessions, c)).as("connection %d", c).isTrue();
        sessions.sayEnd(c);
        sessions.forget(c);
      }
      sessions.forget(0);
      assertThat(resumes(context, sessions, 0)).as("opened anew").isTrue();
    }
  }

  /** As when a server is started again. */
  @ParameterizedTest
  @ValueSource(strings = {"1.3", "1.2"})
  void aSessionThatIsRefusedIsReplacedByTheNextOne(String version) throws Exception {
    SSLContext first = context();
    SSLContext second = context();
    try (TlsSessions sessions = sessions(version, 4)) {
      assertThat(resumes(first, sessions, 0)).isFalse();
      assertThat(resumes(second, sessions, 1)).as("of another process").isFalse();
      assertThat(resumes(second, sessions, 2)).isTrue();
      assertThat(resumes(second, sessions, 3)).isTrue();
    }
  }

  /** Handshakes that were under way with an old session end after a new one is there. */
  @Test
  void aLateRefusalOfAnOldSessionLeavesTheNewOne() throws Exception {
    SSLContext first = context();
    SSLContext second = context();
    try (TlsSessions sessions = sessions(Tls.LATEST, 4)) {
      assertThat(resumes(first, sessions, 0)).isFalse();
      assertThat(sessions.shake(1)).as("begins with the old one").isZero();
      assertThat(resumes(second, sessions, 2)).isFalse();
      assertThat(resumes(second, sessions, 1)).isFalse();
      assertThat(resumes(second, sessions, 3)).isTrue();
    }
  }

  @Test
  void aConnectionThatEndsBeforeItsTicketLeavesTheTaskToTheNext() throws Exception {
    SSLContext context = context();
    try (TlsSessions sessions = sessions(Tls.LATEST, 3)) {
      assertThat(sessions.shake(0)).isZero();
      certificate.writtenTo(dir);
      try (OpenSslPeer peer = new OpenSslPeer(dir.resolve("server.pem"), dir.resolve("server-key.pem"))) {
        receive(sessions, 0, peer.greeted(sent(sessions, 0), "early"));
        assertThat(sessions.shake(0)).as(sessions.failure()).isZero();
      } catch (Throwable t) {
        throw new AssertionError(t);
      }
      sessions.forget(0);
      assertThat(resumes(context, sessions, 1)).isFalse();
      assertThat(resumes(context, sessions, 2)).isTrue();
    }
  }

  /** A connection whose server gives no ticket is given up behind its first records: the next one's ticket is taken. */
  @Test
  void aTicketIsNotAwaitedForEver() throws Throwable {
    certificate.writtenTo(dir);
    SSLContext context = context();
    try (TlsSessions sessions = sessions(Tls.LATEST, 3);
        OpenSslPeer peer = new OpenSslPeer(dir.resolve("server.pem"), dir.resolve("server-key.pem"), 0)) {
      assertThat(sessions.shake(0)).isZero();
      receive(sessions, 0, peer.greeted(sent(sessions, 0), "early"));
      assertThat(sessions.shake(0)).as(sessions.failure()).isZero();
      assertThat(sessions.read(0, PLAIN, ROOM)).isEqualTo("early".length());
      assertThat(peer.accepted(sent(sessions, 0))).isEmpty();
      for (int i = 0; i < 20; i++) {
        receive(sessions, 0, peer.sealed("later"));
        assertThat(sessions.read(0, PLAIN, ROOM)).isEqualTo("later".length());
      }
      assertThat(resumes(context, sessions, 1)).isFalse();
      assertThat(resumes(context, sessions, 2)).isTrue();
    }
  }

  /** Whoever opens a record for the load says what is wrong with it. */
  @Test
  void aForgedRecordBeforeTheTicketFailsAsItDoesWithout() throws Throwable {
    certificate.writtenTo(dir);
    try (TlsSessions sessions = sessions(Tls.LATEST, 1);
        OpenSslPeer peer = new OpenSslPeer(dir.resolve("server.pem"), dir.resolve("server-key.pem"))) {
      assertThat(sessions.shake(0)).isZero();
      byte[] flight = peer.greeted(sent(sessions, 0), "early");
      flight[flight.length - 1] ^= 1;
      receive(sessions, 0, flight);
      assertThat(sessions.shake(0)).as(sessions.failure()).isZero();
      assertThat(sessions.read(0, PLAIN, ROOM)).isEqualTo(TlsSessions.FAILED);
      assertThat(sessions.failure()).isEqualTo("TLS: decryption failed or bad record mac");
    }
  }
}
