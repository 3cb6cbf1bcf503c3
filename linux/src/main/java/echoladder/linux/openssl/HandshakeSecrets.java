package echoladder.linux.openssl;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.HexFormat;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The first application traffic secrets of a handshake over TLS 1.3 (RFC 8446, 7.1), as OpenSSL tells them for a key log. A client is
 * told both within the call that ends the handshake. A server is told its own one handshake message earlier. Belongs to one thread.
 */
public final class HandshakeSecrets {
  private static final String CLIENT = "CLIENT_TRAFFIC_SECRET_0";
  private static final String SERVER = "SERVER_TRAFFIC_SECRET_0";
  private static final byte[] NONE = {};

  private byte[] client = NONE;
  private byte[] server = NONE;

  /**
   * The address of a function for SSL_CTX_set_keylog_callback; valid as long as the arena.
   *
   * @param whose finds where the secrets of a session go, by its address; called on the thread that shakes hands. What it gives null
   *     for is dropped
   */
  public static long callback(Arena arena, LongFunction<@Nullable HandshakeSecrets> whose) {
    try {
      MethodType type = MethodType.methodType(void.class, LongFunction.class, long.class, long.class);
      MethodHandle line = MethodHandles.lookup().findStatic(HandshakeSecrets.class, "line", type);
      return Linker.nativeLinker().upcallStub(line.bindTo(whose), FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_LONG), arena).address();
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("HandshakeSecrets.line", e);
    }
  }

  /**
   * Takes a line of a key log, {@code LABEL CLIENT_RANDOM SECRET}. OpenSSL calls this.
   *
   * @param ssl whose line it is
   * @param line address of a C string
   */
  static void line(LongFunction<@Nullable HandshakeSecrets> whose, long ssl, long line) {
    HandshakeSecrets secrets = null;
    try {
      secrets = whose.apply(ssl);
      if (secrets != null) {
        secrets.take(OpenSsl.text(line).split(" ", -1));
      }
    } catch (Throwable t) {
      // What leaves an upcall ends the JVM, errors too. Without secrets the session stays with OpenSSL.
      if (secrets != null) {
        secrets.forget();
      }
    }
  }

  private void take(String[] words) {
    if (words[0].equals(CLIENT)) {
      client = HexFormat.of().parseHex(words[2]);
    } else if (words[0].equals(SERVER)) {
      server = HexFormat.of().parseHex(words[2]);
    }
  }

  /** Whether both are there, of the length that SHA-256 gives. */
  public boolean known() {
    return client.length == TrafficKeys.SECRET_BYTES && server.length == TrafficKeys.SECRET_BYTES;
  }

  /** The secret of what the client sends. */
  public byte[] client() {
    return client;
  }

  /** The secret of what the server sends. */
  public byte[] server() {
    return server;
  }

  public void forget() {
    client = NONE;
    server = NONE;
  }
}
