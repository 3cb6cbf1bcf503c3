package echoladder.servers.netty;

import echoladder.linux.ErrorText;
import echoladder.servers.kit.options.CannotRun;
import echoladder.servers.kit.options.TlsOptions;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.OpenSslSessionContext;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.util.internal.PlatformDependent;
import java.io.IOException;
import java.net.JarURLConnection;
import java.net.URL;
import java.security.KeyException;
import java.util.List;
import java.util.Objects;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLException;
import javax.net.ssl.X509KeyManager;

/** BoringSSL under Netty, by netty-tcnative. Needs the jars of {@link TlsLibraries}. */
final class BoringSsl {
  private static final String NATIVE = "/META-INF/native/libnetty_tcnative_linux_" + PlatformDependent.normalizedArch() + ".so";
  private static final List<String> KEY_KINDS = List.of("EC", "RSA");

  private BoringSsl() {}

  /**
   * Makes the server's context.
   *
   * @throws CannotRun where the native library cannot be loaded, or the files of {@code tls} are no certificate and key
   */
  static SslContext context(TlsOptions tls) {
    if (!OpenSsl.isAvailable()) {
      Throwable cause = OpenSsl.unavailabilityCause();
      throw new CannotRun(
          "--tls-engine boringssl: the native library of netty-tcnative could not be loaded: " + ErrorText.of(cause)
              + "; its jars are in " + TlsLibraries.BORINGSSL + "/ beside this server's own, for glibc on x86-64 and aarch64, and"
              + " Netty unpacks it into java.io.tmpdir. --tls-engine jdk needs none",
          cause);
    }
    KeyManagerFactory keys = tls.keys();
    requireKind(keys, tls);
    try {
      SslContext ssl =
          SslContextBuilder.forServer(keys)
              // Engines without finalizers: SslHandler releases each when its connection ends.
              .sslProvider(SslProvider.OPENSSL_REFCNT)
              .protocols(TlsOptions.VERSIONS)
              .build();
      // Tickets over TLS 1.2 too, as the JDK has them: else the sessions of clients that have gone would stay in a cache here.
      ((OpenSslSessionContext) ssl.sessionContext()).setTicketKeys();
      return ssl;
    } catch (SSLException e) {
      throw tls.unusable(e);
    }
  }

  /** Refuses a key that Netty does not look for when a client comes: every handshake would fail. */
  private static void requireKind(KeyManagerFactory keys, TlsOptions tls) {
    X509KeyManager manager = (X509KeyManager) keys.getKeyManagers()[0];
    if (KEY_KINDS.stream().allMatch(kind -> manager.getServerAliases(kind, null) == null)) {
      throw tls.unusable(new KeyException("with BoringSSL, Netty takes private keys of " + String.join(" and ", KEY_KINDS) + " alone"));
    }
  }

  /** BoringSSL's commit, as it has no versions, and the version of netty-tcnative, by the jar that the library was loaded from. */
  static String library() throws IOException {
    URL file = BoringSsl.class.getResource(NATIVE);
    if (file == null || !(file.openConnection() instanceof JarURLConnection connection)) {
      throw new IOException("no jar on the class path has " + NATIVE);
    }
    // Else the jar would stay open once more.
    connection.setUseCaches(false);
    try (JarFile jar = connection.getJarFile()) {
      Attributes made = Objects.requireNonNull(jar.getManifest()).getMainAttributes();
      return "BoringSSL %.12s of netty-tcnative %s"
          .formatted(made.getValue("BoringSSL-Revision"), made.getValue(Attributes.Name.IMPLEMENTATION_VERSION));
    }
  }
}
