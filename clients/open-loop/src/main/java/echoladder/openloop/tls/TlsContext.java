package echoladder.openloop.tls;

import static echoladder.linux.openssl.OpenSsl.impossible;

import echoladder.client.Tls;
import echoladder.linux.openssl.HandshakeSecrets;
import echoladder.linux.openssl.OpenSsl;
import echoladder.linux.openssl.OpenSslLibraries;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What all connections of one event loop have in common: whom they trust, and what they offer. Belongs to one thread. */
final class TlsContext implements AutoCloseable {
  // One cipher for all servers, so that they encrypt alike, and the two groups that every server has.
  private static final String CIPHERS_1_3 = "TLS_AES_128_GCM_SHA256";
  private static final String CIPHERS_1_2 = "ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256";
  private static final String GROUPS = "X25519:P-256";
  private static final Pattern IPV4 = Pattern.compile("[0-9]{1,3}(\\.[0-9]{1,3}){3}");

  final long pointer;
  /** The name that servers are told, as a C string; 0 = none, as an address is no name. */
  final long serverName;
  /** Secrets of the handshake that goes on. */
  final HandshakeSecrets secrets;
  private final Arena arena;

  private TlsContext(long pointer, long serverName, HandshakeSecrets secrets, Arena arena) {
    this.pointer = pointer;
    this.serverName = serverName;
    this.secrets = secrets;
    this.arena = arena;
  }

  /** Makes one. An {@link IllegalArgumentException} says that OpenSSL is missing, or which setting OpenSSL refuses. */
  @SuppressWarnings("MustBeClosedChecker") // close() closes the arena with the context.
  static TlsContext of(Tls tls) {
    String missing = OpenSslLibraries.missing();
    if (missing != null) {
      throw new IllegalArgumentException(missing);
    }
    Arena arena = Arena.ofShared();
    long context = 0;
    try {
      context = (long) OpenSsl.CTX_NEW.invokeExact((long) OpenSsl.TLS_CLIENT_METHOD.invokeExact());
      require(context != 0, "SSL_CTX_new failed");
      int version = tls.version().equals(Tls.LATEST) ? OpenSsl.TLS_1_3 : OpenSsl.TLS_1_2;
      require(control(context, OpenSsl.SSL_CTRL_SET_MIN_PROTO_VERSION, version, 0) == 1, "TLS " + tls.version() + " is not to be had");
      require(control(context, OpenSsl.SSL_CTRL_SET_MAX_PROTO_VERSION, version, 0) == 1, "TLS " + tls.version() + " is not to be had");
      require((int) OpenSsl.CTX_SET_CIPHERSUITES.invokeExact(context, text(arena, CIPHERS_1_3)) == 1, CIPHERS_1_3 + " is not to be had");
      require((int) OpenSsl.CTX_SET_CIPHER_LIST.invokeExact(context, text(arena, CIPHERS_1_2)) == 1, CIPHERS_1_2 + " is not to be had");
      require(control(context, OpenSsl.SSL_CTRL_SET_GROUPS_LIST, 0, text(arena, GROUPS)) == 1, GROUPS + " are not to be had");
      long _ = control(
          context, OpenSsl.SSL_CTRL_MODE,
          OpenSsl.SSL_MODE_RELEASE_BUFFERS | OpenSsl.SSL_MODE_ENABLE_PARTIAL_WRITE | OpenSsl.SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER, 0);
      long _ = (long) OpenSsl.CTX_SET_OPTIONS.invokeExact(context, OpenSsl.SSL_OP_NO_RENEGOTIATION);
      OpenSsl.CTX_SET_VERIFY.invokeExact(context, OpenSsl.SSL_VERIFY_PEER, 0L);
      HandshakeSecrets secrets = new HandshakeSecrets();
      if (version == OpenSsl.TLS_1_3) {
        OpenSsl.CTX_SET_KEYLOG_CALLBACK.invokeExact(context, HandshakeSecrets.callback(arena, _ -> secrets));
      }
      trust(arena, context, tls.authorities());
      boolean address = IPV4.matcher(tls.serverName()).matches() || tls.serverName().indexOf(':') >= 0;
      long name = text(arena, tls.serverName());
      long param = (long) OpenSsl.CTX_GET0_PARAM.invokeExact(context);
      int named = address
          ? (int) OpenSsl.PARAM_SET_IP.invokeExact(param, name)
          : (int) OpenSsl.PARAM_SET_HOST.invokeExact(param, name, 0L);
      require(named == 1, tls.serverName() + " is neither a name nor an address");
      return new TlsContext(context, address ? 0 : name, secrets, arena);
    } catch (IllegalArgumentException e) {
      free(context, arena);
      throw e;
    } catch (Throwable t) {
      throw impossible(t);
    }
  }

  /** As {@link TlsSessions#offer}. */
  void offer(String protocol) {
    byte[] name = protocol.getBytes(StandardCharsets.US_ASCII);
    byte[] list = ByteBuffer.allocate(1 + name.length).put((byte) name.length).put(name).array();
    try (Arena call = Arena.ofConfined()) {
      long names = call.allocateFrom(ValueLayout.JAVA_BYTE, list).address();
      // Unlike its neighbours this function gives 0 where it has done what it should.
      require((int) OpenSsl.CTX_SET_ALPN_PROTOS.invokeExact(pointer, names, list.length) == 0, "ALPN cannot offer " + protocol);
    } catch (IllegalArgumentException e) {
      throw e;
    } catch (Throwable t) {
      throw impossible(t);
    }
  }

  private static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalArgumentException("TLS: " + otherwise + "; OpenSSL said: " + OpenSsl.lastError());
    }
  }

  private static long control(long context, int command, long number, long pointer) {
    try {
      return (long) OpenSsl.CTX_CTRL.invokeExact(context, command, number, pointer);
    } catch (Throwable t) {
      throw impossible(t);
    }
  }

  private static long text(Arena arena, String text) {
    return arena.allocateFrom(text).address();
  }

  /** Trusts those certificates and no other; without, what OpenSSL trusts on this host. */
  private static void trust(Arena arena, long context, @Nullable String pem) throws Throwable {
    if (pem == null) {
      require((int) OpenSsl.CTX_DEFAULT_PATHS.invokeExact(context) == 1, "the certificates that this host trusts cannot be read");
      return;
    }
    MemorySegment bytes = arena.allocateFrom(pem);
    long bio = (long) OpenSsl.BIO_NEW_MEM_BUF.invokeExact(bytes.address(), (int) bytes.byteSize() - 1);
    long store = (long) OpenSsl.CTX_GET_CERT_STORE.invokeExact(context);
    int certificates = 0;
    for (long one = certificate(bio); one != 0; one = certificate(bio)) {
      int added = (int) OpenSsl.STORE_ADD_CERT.invokeExact(store, one);
      OpenSsl.X509_FREE.invokeExact(one);
      certificates += added;
    }
    int _ = (int) OpenSsl.BIO_FREE.invokeExact(bio);
    // The end of the text is an error to OpenSSL.
    boolean end = ((long) OpenSsl.ERR_PEEK_LAST.invokeExact() & OpenSsl.ERR_REASON_MASK) == OpenSsl.PEM_R_NO_START_LINE;
    require(certificates > 0, "no certificate in PEM among those that are to be trusted");
    require(end, "certificate %d in PEM among those that are to be trusted cannot be read".formatted(certificates + 1));
    OpenSsl.ERR_CLEAR.invokeExact();
  }

  private static long certificate(long bio) throws Throwable {
    return (long) OpenSsl.PEM_READ_X509.invokeExact(bio, 0L, 0L, 0L);
  }

  private static void free(long context, Arena arena) {
    try {
      if (context != 0) {
        OpenSsl.CTX_FREE.invokeExact(context);
      }
      arena.close();
    } catch (Throwable t) {
      throw impossible(t);
    }
  }

  @Override
  public void close() {
    free(pointer, arena);
  }
}
