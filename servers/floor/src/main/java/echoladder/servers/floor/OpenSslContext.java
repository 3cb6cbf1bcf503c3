package echoladder.servers.floor;

import static echoladder.linux.openssl.OpenSsl.impossible;

import echoladder.linux.openssl.OpenSsl;
import echoladder.linux.openssl.OpenSslLibraries;
import echoladder.servers.kit.options.CannotRun;
import echoladder.servers.kit.options.TlsOptions;
import java.lang.foreign.Arena;
import java.security.GeneralSecurityException;

/**
 * The certificate, the key and the keys of tickets, which all loops share: a session that one loop began is resumed by each. Lasts as long
 * as the process. Thread-safe.
 */
final class OpenSslContext {
  private static final long CACHE_OFF = 0;

  final long pointer;

  private OpenSslContext(long pointer) {
    this.pointer = pointer;
  }

  /** Makes one; {@link CannotRun} says that OpenSSL is missing, or that the files are no certificate and key. */
  static OpenSslContext of(TlsOptions tls) {
    String missing = OpenSslLibraries.missing();
    if (missing != null) {
      throw new CannotRun("--tls on: " + missing);
    }
    // It says in words what is wrong with the files, and refuses what other servers refuse.
    tls.keys();
    try (Arena arena = Arena.ofConfined()) {
      long context = (long) OpenSsl.CTX_NEW.invokeExact((long) OpenSsl.TLS_SERVER_METHOD.invokeExact());
      long chain = arena.allocateFrom(tls.certificate().toString()).address();
      long key = arena.allocateFrom(tls.key().toString()).address();
      if (context == 0
          || control(context, OpenSsl.SSL_CTRL_SET_MIN_PROTO_VERSION, OpenSsl.TLS_1_2) != 1
          || (int) OpenSsl.CTX_USE_CHAIN_FILE.invokeExact(context, chain) != 1
          || (int) OpenSsl.CTX_USE_KEY_FILE.invokeExact(context, key, OpenSsl.SSL_FILETYPE_PEM) != 1) {
        throw tls.unusable(new GeneralSecurityException("OpenSSL said: " + OpenSsl.lastError()));
      }
      long _ = control(context, OpenSsl.SSL_CTRL_MODE, OpenSsl.SSL_MODE_RELEASE_BUFFERS);
      // Clients keep their sessions, in tickets.
      long _ = control(context, OpenSsl.SSL_CTRL_SET_SESS_CACHE_MODE, CACHE_OFF);
      long _ = (long) OpenSsl.CTX_SET_OPTIONS.invokeExact(context, OpenSsl.SSL_OP_NO_RENEGOTIATION);
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
