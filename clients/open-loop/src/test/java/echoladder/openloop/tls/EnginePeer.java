package echoladder.openloop.tls;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLException;

/** The server's end of a session without a socket: an engine of the JDK. */
final class EnginePeer {
  /** Names the memory that all peers share, for the tests that use it not to run beside each other. */
  static final String MEMORY = "echoladder.openloop.tls.EnginePeer";

  /** Memory that sessions read from and into. */
  static final int ROOM = 64 << 10;

  private static final MemorySegment RECEIVED = Arena.global().allocate(ROOM, 8);

  /** Where sessions read to. */
  static final MemorySegment PLAIN = Arena.global().allocate(ROOM, 8);

  private final SSLEngine engine;
  private final ByteBuffer plain = ByteBuffer.allocate(ROOM);
  private final ByteBuffer out = ByteBuffer.allocate(ROOM);

  private EnginePeer(SSLContext context) {
    engine = context.createSSLEngine();
    engine.setUseClientMode(false);
  }

  /** Shakes hands with a client's session, up to the tickets behind the handshake. */
  static EnginePeer shaken(SSLContext context, TlsSessions sessions, int c) throws SSLException {
    EnginePeer peer = new EnginePeer(context);
    for (int turns = 0; !sessions.established(c) && turns < 10; turns++) {
      assertThat(sessions.shake(c)).as(sessions.failure()).isZero();
      assertThat(receive(sessions, c, peer.answer(sent(sessions, c)))).isZero();
      assertThat(sessions.shake(c)).as(sessions.failure()).isZero();
    }
    assertThat(sessions.established(c)).isTrue();
    // The client's end of the handshake, and the server's tickets.
    receive(sessions, c, peer.answer(sent(sessions, c)));
    assertThat(sessions.read(c, PLAIN, ROOM)).isEqualTo(TlsSessions.NOTHING);
    return peer;
  }

  /** What a client wants to send. */
  static byte[] sent(TlsSessions sessions, int c) {
    int n = sessions.waiting(c);
    byte[] bytes = n == 0 ? new byte[0] : MemorySegment.ofAddress(sessions.waitingAt(c)).reinterpret(n).toArray(ValueLayout.JAVA_BYTE);
    sessions.sent(c, n);
    return bytes;
  }

  /** Hands a client what came for it, which it has to read before the next of any connection. */
  static int receive(TlsSessions sessions, int c, byte[]... parts) {
    int n = 0;
    for (byte[] part : parts) {
      MemorySegment.copy(part, 0, RECEIVED, ValueLayout.JAVA_BYTE, n, part.length);
      n += part.length;
    }
    return n == 0 ? 0 : sessions.received(c, RECEIVED, n);
  }

  /** Seals a text as a client. */
  static byte[] sealed(TlsSessions sessions, int c, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    MemorySegment.copy(bytes, 0, PLAIN, ValueLayout.JAVA_BYTE, 0, bytes.length);
    assertThat(sessions.seal(c, PLAIN, bytes.length)).isEqualTo(bytes.length);
    return sent(sessions, c);
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

  /** What the engine says about what it could not take. */
  byte[] alert() throws SSLException {
    engine.wrap(ByteBuffer.allocate(0), out);
    return taken();
  }

  /** The texts that came since this was asked last. */
  String text() {
    byte[] bytes = new byte[plain.flip().remaining()];
    plain.get(bytes).clear();
    return new String(bytes, StandardCharsets.US_ASCII);
  }

  /** Whether the client has said that it ends. */
  boolean ended() {
    return engine.isInboundDone();
  }

  private byte[] taken() {
    byte[] bytes = new byte[out.flip().remaining()];
    out.get(bytes).clear();
    return bytes;
  }
}
