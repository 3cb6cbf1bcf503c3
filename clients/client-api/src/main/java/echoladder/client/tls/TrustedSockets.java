package echoladder.client.tls;

import echoladder.client.Protocol;
import echoladder.client.Target;
import echoladder.client.Tls;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Collection;
import java.util.Objects;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
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

  /**
   * TLS on a connection that is there, once its handshake has ended.
   *
   * @param server to which {@code connected} leads
   * @param asked with the authorities at which the server's chain must end
   * @param protocol that is spoken over it
   */
  public static SSLSocket over(Socket connected, Target server, Tls asked, Protocol protocol) throws IOException {
    SSLContext context = context(Objects.requireNonNull(asked.authorities(), "authorities"));
    SSLSocket tls = (SSLSocket) context.getSocketFactory().createSocket(connected, asked.serverName(), server.port(), true);
    SSLParameters parameters = tls.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    parameters.setProtocols(new String[] {protocol(asked.version())});
    String offered = Tls.offered(protocol);
    if (offered != null) {
      parameters.setApplicationProtocols(new String[] {offered});
    }
    tls.setSSLParameters(parameters);
    tls.startHandshake();
    return tls;
  }

  /** The JDK's name of a version of {@link Tls}. */
  public static String protocol(String version) {
    return "TLSv" + version;
  }
}
