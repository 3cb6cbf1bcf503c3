package echoladder.servers.floor;

import static echoladder.linux.openssl.OpenSsl.impossible;

import echoladder.linux.openssl.HandshakeSecrets;
import echoladder.linux.openssl.OpenSsl;
import echoladder.linux.openssl.OpenSslLibraries;
import echoladder.linux.sockets.KernelTls;
import echoladder.servers.kit.options.CannotRun;
import echoladder.servers.kit.options.TlsOptions;
import java.lang.foreign.Arena;
import java.security.GeneralSecurityException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The certificate, its key and the keys of tickets. All loops share them, so each loop resumes sessions that another one began. Lasts as
 * long as the process. Thread-safe.
 */
final class OpenSslContext {
  private static final long CACHE_OFF = 0;

  // In the order in which the server likes them: the first is the kernel's, and the others are OpenSSL's own.
  private static final String KERNELS_FIRST = "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256";

  final long pointer;

  // By the address of a session in its handshake.
  private final Map<Long, HandshakeSecrets> secrets = new ConcurrentHashMap<>();

  private OpenSslContext(long pointer) {
    this.pointer = pointer;
  }

  /** Makes one; {@link CannotRun} says that the files are no certificate and key, or that OpenSSL or the kernel's TLS is missing. */
  static OpenSslContext of(TlsOptions tls, TlsEngine engine) {
    OpenSslContext context = of(tls);
    String missing = engine == TlsEngine.KERNEL ? KernelTls.missing() : null;
    if (missing != null) {
      throw new CannotRun("--tls-engine kernel: " + missing + ". --tls-engine openssl needs none");
    }
    if (engine == TlsEngine.KERNEL) {
      context.prepareForKernel();
    }
    return context;
  }

  private static OpenSslContext of(TlsOptions tls) {
    // The JDK says in words what is wrong with the files, and refuses what it refuses for the other servers.
    var _ = tls.keys();
    String missing = OpenSslLibraries.missing();
    if (missing != null) {
      throw new CannotRun("--tls on: " + missing);
    }
    try (Arena arena = Arena.ofConfined()) {
      // Else OpenSSL frees its memory when the process exits, while a loop may still be in a call of it.
      int _ = (int) OpenSsl.INIT_CRYPTO.invokeExact(OpenSsl.OPENSSL_INIT_NO_ATEXIT, 0L);
      long context = (long) OpenSsl.CTX_NEW.invokeExact((long) OpenSsl.TLS_SERVER_METHOD.invokeExact());
      long chain = arena.allocateFrom(tls.certificate().toString()).address();
      long key = arena.allocateFrom(tls.key().toString()).address();
      if (context == 0
          || control(context, OpenSsl.SSL_CTRL_SET_MIN_PROTO_VERSION, OpenSsl.TLS_1_2) != 1
          || (int) OpenSsl.CTX_USE_CHAIN_FILE.invokeExact(context, chain) != 1
          || (int) OpenSsl.CTX_USE_KEY_FILE.invokeExact(context, key, OpenSsl.SSL_FILETYPE_PEM) != 1) {
        throw tls.unusable(new GeneralSecurityException("OpenSSL said: " + OpenSsl.lastError()));
      }
      // The modes for partial writes are not needed: memory takes each write whole.
      long _ = control(context, OpenSsl.SSL_CTRL_MODE, OpenSsl.SSL_MODE_RELEASE_BUFFERS);
      // Clients keep their sessions, in tickets.
      long _ = control(context, OpenSsl.SSL_CTRL_SET_SESS_CACHE_MODE, CACHE_OFF);
      long _ = (long) OpenSsl.CTX_SET_OPTIONS.invokeExact(context, OpenSsl.SSL_OP_NO_RENEGOTIATION);
      OpenSsl.ERR_CLEAR.invokeExact();
      return new OpenSslContext(context);
    } catch (CannotRun e) {
      throw e;
    } catch (Throwable t) {
      throw impossible(t);
    }
  }

  /** Prefers the kernel's cipher where a client has it, as OpenSSL otherwise takes the client's first, and has secrets told. */
  private void prepareForKernel() {
    try (Arena arena = Arena.ofConfined()) {
      if ((int) OpenSsl.CTX_SET_CIPHERSUITES.invokeExact(pointer, arena.allocateFrom(KERNELS_FIRST).address()) != 1) {
        throw new CannotRun("--tls-engine kernel: OpenSSL has none of " + KERNELS_FIRST + ": " + OpenSsl.lastError());
      }
      long _ = (long) OpenSsl.CTX_SET_OPTIONS.invokeExact(pointer, OpenSsl.SSL_OP_CIPHER_SERVER_PREFERENCE);
      OpenSsl.CTX_SET_KEYLOG_CALLBACK.invokeExact(pointer, HandshakeSecrets.callback(Arena.global(), secrets::get));
    } catch (CannotRun e) {
      throw e;
    } catch (Throwable t) {
      throw impossible(t);
    }
  }

  /** Has the secrets of a session's handshake kept, until {@link #forget}. */
  HandshakeSecrets secretsOf(long ssl) {
    HandshakeSecrets own = new HandshakeSecrets();
    secrets.put(ssl, own);
    return own;
  }

  /** The session is about to be freed. */
  void forget(long ssl) {
    secrets.remove(ssl);
  }

  private static long control(long context, int command, long number) throws Throwable {
    return (long) OpenSsl.CTX_CTRL.invokeExact(context, command, number, 0L);
  }

  /** OpenSSL's own name and version. */
  String version() {
    try {
      return OpenSsl.text((long) OpenSsl.VERSION.invokeExact(0));
    } catch (Throwable t) {
      throw impossible(t);
    }
  }
}
