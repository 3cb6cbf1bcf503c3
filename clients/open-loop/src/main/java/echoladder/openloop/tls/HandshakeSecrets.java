package echoladder.openloop.tls;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import echoladder.linux.openssl.OpenSsl;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.HexFormat;

/**
 * The first application traffic secrets of the handshake that goes on (RFC 8446, 7.1), as OpenSSL tells them for a key log. OpenSSL
 * tells both within the call that ends a handshake over TLS 1.3. Belongs to one thread.
 */
final class HandshakeSecrets {
  private static final String CLIENT = "CLIENT_TRAFFIC_SECRET_0";
  private static final String SERVER = "SERVER_TRAFFIC_SECRET_0";
  private static final byte[] NONE = {};

  private byte[] client = NONE;
  private byte[] server = NONE;

  /** The address of a function for SSL_CTX_set_keylog_callback; valid as long as the arena. */
  long callback(Arena arena) {
    try {
      MethodType type = MethodType.methodType(void.class, long.class, long.class);
      return Linker.nativeLinker()
          .upcallStub(
              MethodHandles.lookup().findVirtual(HandshakeSecrets.class, "line", type).bindTo(this),
              FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_LONG),
              arena)
          .address();
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
  void line(long ssl, long line) {
    try {
      String[] words = OpenSsl.text(line).split(" ", -1);
      if (words[0].equals(CLIENT)) {
        client = HexFormat.of().parseHex(words[2]);
      } else if (words[0].equals(SERVER)) {
        server = HexFormat.of().parseHex(words[2]);
      }
    } catch (Throwable t) {
      // What leaves an upcall ends the JVM, errors too. Without secrets the session stays with OpenSSL.
      forget();
    }
  }

  /** Whether both are there, of the length that SHA-256 gives. */
  boolean known() {
    return client.length == RecordKeys.SECRET_BYTES && server.length == RecordKeys.SECRET_BYTES;
  }

  byte[] client() {
    return client;
  }

  byte[] server() {
    return server;
  }

  void forget() {
    client = NONE;
    server = NONE;
  }
}
