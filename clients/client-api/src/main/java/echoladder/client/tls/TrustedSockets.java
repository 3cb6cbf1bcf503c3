package echoladder.client.tls;

import echoladder.client.Tls;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Collection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** TLS of the JDK for the few connections that are no load: it trusts the authorities that it is given, and no other. */
public final class TrustedSockets {
  private TrustedSockets() {}

  /**
   * A context of clients.
   *
   * @param authorities PEM
   * @throws IllegalArgumentException where they are no certificates
   */
  public static SSLContext context(String authorities) {
    try {
      KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
      trusted.load(null, null);
      Collection<? extends Certificate> all =
          CertificateFactory.getInstance("X.509")
              .generateCertificates(new ByteArrayInputStream(authorities.getBytes(StandardCharsets.US_ASCII)));
      int n = 0;
      for (Certificate one : all) {
        trusted.setCertificateEntry("authority-" + n++, one);
      }
      TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      managers.init(trusted);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, managers.getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalArgumentException("these are no certificates in PEM: " + e.getMessage(), e);
    } catch (IOException e) {
      throw new UncheckedIOException("an empty key store cannot be made", e);
    }
  }

  /** The JDK's name of a version of {@link Tls}. */
  public static String protocol(String version) {
    return "TLSv" + version;
  }
}
