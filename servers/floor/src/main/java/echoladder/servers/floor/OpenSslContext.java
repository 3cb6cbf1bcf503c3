package echoladder.servers.floor;

import static echoladder.linux.openssl.OpenSsl.impossible;

import echoladder.linux.openssl.OpenSsl;
import echoladder.linux.openssl.OpenSslLibraries;
import echoladder.servers.kit.options.CannotRun;
import echoladder.servers.kit.options.TlsOptions;
import java.lang.foreign.Arena;
import java.security.GeneralSecurityException;

/**
 * The certificate, its key and the keys of tickets. All loops share them, so each loop resumes sessions that another one began. Lasts as
 * long as the process. Thread-safe.
 */
final class OpenSslContext {
  private static final long CACHE_OFF = 0;

  final long pointer;

  private OpenSslContext(long pointer) {
    this.pointer = pointer;
  }

  /** Makes one; {@link CannotRun} says that the files are no certificate and key, or that OpenSSL is missing. */
  static OpenSslContext of(TlsOptions tls) {
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
