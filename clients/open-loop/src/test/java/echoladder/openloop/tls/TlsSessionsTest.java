package echoladder.openloop.tls;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.Tls;
import echoladder.client.tls.ThrowawayCertificate;
import echoladder.openloop.testserver.TlsServer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Sessions by themselves, whose bytes go to an engine of the JDK without a socket. */
class TlsSessionsTest {
  private static final int ROOM = 64 << 10;
  private static ThrowawayCertificate certificate;
  private static SSLContext context;
  private final MemorySegment memory = Arena.ofAuto().allocate(ROOM, 8);

  @BeforeAll
  static void certificate() throws Exception {
    certificate = ThrowawayCertificate.make();
    context = TlsServer.context(certificate);
  }

  private static TlsSessions sessions(int connections) {
    return new TlsSessions(new Tls(Tls.LATEST, ThrowawayCertificate.NAME, certificate.authority()), connections);
  }

  /** The server's end of a session. */
  private static final class Peer {
    private final SSLEngine engine = context.createSSLEngine();
    private final ByteBuffer plain = ByteBuffer.allocate(ROOM);
    private final ByteBuffer out = ByteBuffer.allocate(ROOM);

    Peer() {
      engine.setUseClientMode(false);
    }

    /** Takes what a client sent, and gives what has to go back. */
    byte[] answer(byte[] bytes) throws SSLException {
      ByteBuffer in = ByteBuffer.wrap(bytes);
      boolean moved = true;
      while (moved) {
        SSLEngineResult result =
            switch (engine.getHandshakeStatus()) {
              case NEED_TASK -> {
                engine.getDelegatedTask().run();
                yield null;
              }
              case NEED_WRAP -> engine.wrap(ByteBuffer.allocate(0), out);
              default -> engine.unwrap(in, plain);
            };
        moved = result == null || result.bytesConsumed() + result.bytesProduced() > 0;
      }
      return taken();
    }

    /** A record with that text, behind whatever the engine has to say itself. */
    byte[] record(String text) throws SSLException {
      ByteBuffer in = ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
      while (in.hasRemaining()) {
        engine.wrap(in, out);
      }
      return taken();
    }

    private byte[] taken() {
      byte[] bytes = new byte[out.flip().remaining()];
      out.get(bytes).clear();
      return bytes;
    }
  }

  private static byte[] sent(TlsSessions sessions, int c) {
    int n = sessions.waiting(c);
    byte[] bytes = MemorySegment.ofAddress(sessions.waitingAt()).reinterpret(n).toArray(ValueLayout.JAVA_BYTE);
    sessions.sent(c, n);
    return bytes;
  }

  private int receive(TlsSessions sessions, int c, byte[]... parts) {
    int n = 0;
    for (byte[] part : parts) {
      MemorySegment.copy(part, 0, memory, ValueLayout.JAVA_BYTE, n, part.length);
      n += part.length;
    }
    return n == 0 ? 0 : sessions.received(c, memory, n);
  }

  private Peer shaken(TlsSessions sessions, int c) throws SSLException {
    Peer peer = new Peer();
    for (int turns = 0; !sessions.established(c) && turns < 10; turns++) {
      assertThat(sessions.shake(c)).as(sessions.failure()).isZero();
      assertThat(receive(sessions, c, peer.answer(sent(sessions, c)))).isZero();
      assertThat(sessions.shake(c)).as(sessions.failure()).isZero();
    }
    assertThat(sessions.established(c)).isTrue();
    // The client's end of the handshake, and the server's tickets.
    receive(sessions, c, peer.answer(sent(sessions, c)));
    return peer;
  }

  /** An answer frees what waits on its connection, so a loop may seal before it reads on. */
  @Test
  void aFailureBehindAnAnswerIsToldToWhoSealsBeforeItReads() throws Exception {
    try (TlsSessions sessions = sessions(1)) {
      Peer peer = shaken(sessions, 0);
      byte[] right = peer.record("right");
      byte[] broken = peer.record("broken");
      broken[broken.length - 1] ^= 1;
      assertThat(receive(sessions, 0, right, broken)).isZero();
      assertThat(sessions.read(0, memory, ROOM)).isEqualTo("right".length());
      assertThat(sessions.ended(0)).isTrue();
      assertThat(sessions.seal(0, memory, 5)).isEqualTo(TlsSessions.FAILED);
      assertThat(sessions.failure()).isEqualTo("TLS: decryption failed or bad record mac");
    }
  }

  /** OpenSSL has one queue of errors for all sessions of a thread: one that is left there would fail another session. */
  @Test
  void aSessionThatFailsFailsNoOther() throws Exception {
    try (TlsSessions sessions = sessions(4)) {
      Peer peer = shaken(sessions, 0);
      Peer truncated = shaken(sessions, 1);
      byte[] broken = truncated.record("broken");
      broken[broken.length - 1] ^= 1;
      receive(sessions, 1, broken);
      assertThat(sessions.read(1, memory, ROOM)).isEqualTo(TlsSessions.FAILED);
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

  private void whoIsWell(TlsSessions sessions, Peer peer) throws SSLException {
    assertThat(sessions.read(0, memory, ROOM)).isEqualTo(TlsSessions.NOTHING);
    receive(sessions, 0, peer.record("well"));
    assertThat(sessions.read(0, memory, ROOM)).isEqualTo(4);
  }
}
