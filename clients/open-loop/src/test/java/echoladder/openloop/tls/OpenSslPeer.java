package echoladder.openloop.tls;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import echoladder.linux.openssl.OpenSsl;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * The server's end of a session without a socket, by OpenSSL. It can do what an engine of the JDK cannot: send before it has the client's
 * end of the handshake, and update keys when it is told to.
 */
final class OpenSslPeer implements AutoCloseable {
  /** What a key update asks of the client: nothing, or one of its own. */
  static final int NOT_REQUESTED = 0;

  static final int REQUESTED = 1;

  private static final int EARLY_DATA_FINISH = 2;
  private static final MethodHandle READ_EARLY =
      OpenSsl.ssl("SSL_read_early_data", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
  private static final MethodHandle WRITE_EARLY =
      OpenSsl.ssl("SSL_write_early_data", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
  private static final MethodHandle NUM_TICKETS = OpenSsl.ssl("SSL_CTX_set_num_tickets", JAVA_INT, JAVA_LONG, JAVA_LONG);
  private static final MethodHandle KEY_UPDATE = OpenSsl.ssl("SSL_key_update", JAVA_INT, JAVA_LONG, JAVA_INT);

  @SuppressWarnings("MustBeClosedChecker") // close() does it.
  private final Arena arena = Arena.ofShared();
  private final MemorySegment memory = arena.allocate(EnginePeer.ROOM);
  private final MemorySegment count = arena.allocate(JAVA_LONG);
  private final long context;
  private final long ssl;
  private final long in;
  private final long out;

  /** Has that certificate and key, PEM files, and gives OpenSSL's usual two tickets. */
  OpenSslPeer(Path chain, Path key) throws Throwable {
    this(chain, key, 2);
  }

  /** Gives so many tickets. */
  OpenSslPeer(Path chain, Path key, long tickets) throws Throwable {
    context = (long) OpenSsl.CTX_NEW.invokeExact((long) OpenSsl.TLS_SERVER_METHOD.invokeExact());
    assertThat((int) NUM_TICKETS.invokeExact(context, tickets)).isEqualTo(1);
    assertThat((int) OpenSsl.CTX_USE_CHAIN_FILE.invokeExact(context, arena.allocateFrom(chain.toString()).address())).isEqualTo(1);
    long keyFile = arena.allocateFrom(key.toString()).address();
    assertThat((int) OpenSsl.CTX_USE_KEY_FILE.invokeExact(context, keyFile, OpenSsl.SSL_FILETYPE_PEM)).isEqualTo(1);
    ssl = (long) OpenSsl.NEW.invokeExact(context);
    in = (long) OpenSsl.BIO_NEW.invokeExact((long) OpenSsl.BIO_S_MEM.invokeExact());
    out = (long) OpenSsl.BIO_NEW.invokeExact((long) OpenSsl.BIO_S_MEM.invokeExact());
    OpenSsl.SET_BIO.invokeExact(ssl, in, out);
    OpenSsl.SET_ACCEPT_STATE.invokeExact(ssl);
  }

  private void came(byte[] bytes) throws Throwable {
    MemorySegment.copy(bytes, 0, memory, JAVA_BYTE, 0, bytes.length);
    assertThat((int) OpenSsl.BIO_WRITE.invokeExact(in, memory.address(), bytes.length)).isEqualTo(bytes.length);
  }

  private byte[] taken() throws Throwable {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (int n = some(); n > 0; n = some()) {
      all.writeBytes(memory.asSlice(0, n).toArray(JAVA_BYTE));
    }
    return all.toByteArray();
  }

  private int some() throws Throwable {
    return (int) OpenSsl.BIO_READ.invokeExact(out, memory.address(), EnginePeer.ROOM);
  }

  private int put(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    MemorySegment.copy(bytes, 0, memory, JAVA_BYTE, 0, bytes.length);
    return bytes.length;
  }

  /** Takes a client's greeting, and gives the server's part of the handshake with a text behind it. */
  byte[] greeted(byte[] greeting, String early) throws Throwable {
    came(greeting);
    assertThat((int) READ_EARLY.invokeExact(ssl, memory.address(), (long) EnginePeer.ROOM, count.address())).isEqualTo(EARLY_DATA_FINISH);
    assertThat((int) WRITE_EARLY.invokeExact(ssl, memory.address(), (long) put(early), count.address())).isEqualTo(1);
    return taken();
  }

  /** Takes the client's end of the handshake, and gives tickets. */
  byte[] accepted(byte[] finished) throws Throwable {
    came(finished);
    assertThat((int) OpenSsl.DO_HANDSHAKE.invokeExact(ssl)).isEqualTo(1);
    return taken();
  }

  /** Updates its keys, and seals a text by the new ones. */
  byte[] updated(int asked, String text) throws Throwable {
    assertThat((int) KEY_UPDATE.invokeExact(ssl, asked)).isEqualTo(1);
    return sealed(text);
  }

  byte[] sealed(String text) throws Throwable {
    int bytes = put(text);
    assertThat((int) OpenSsl.WRITE.invokeExact(ssl, memory.address(), bytes)).isEqualTo(bytes);
    return taken();
  }

  /** The text of what a client has sealed. */
  String opened(byte[] records) throws Throwable {
    came(records);
    int n = (int) OpenSsl.READ.invokeExact(ssl, memory.address(), EnginePeer.ROOM);
    assertThat(n).as("read").isPositive();
    return new String(memory.asSlice(0, n).toArray(JAVA_BYTE), StandardCharsets.US_ASCII);
  }

  @Override
  public void close() {
    try {
      OpenSsl.FREE.invokeExact(ssl);
      OpenSsl.CTX_FREE.invokeExact(context);
    } catch (Throwable t) {
      throw OpenSsl.impossible(t);
    }
    arena.close();
  }
}
