package echoladder.servers.kit.options;

import echoladder.linux.ErrorText;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import picocli.CommandLine.Option;

/** Whether a server speaks TLS, and by which certificate. */
public final class TlsOptions {
  /** The versions that are spoken, by the JDK's names. */
  public static final List<String> VERSIONS = List.of("TLSv1.3", "TLSv1.2");

  /** The bound on a handshake as a whole: a crowd that comes at once takes turns on the processors. */
  public static final Duration HANDSHAKE_MOST = Duration.ofSeconds(30);

  private static final Pattern KEY = Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");
  private static final List<String> KEY_KINDS = List.of("EC", "RSA", "Ed25519");

  @Option(
      names = "--tls",
      paramLabel = "on|off",
      defaultValue = "off",
      description = "Whether connections are TLS 1.3 or 1.2; default ${DEFAULT-VALUE}")
  private ServerOptions.Switch tls = ServerOptions.Switch.OFF;

  @Option(
      names = "--tls-cert",
      paramLabel = "FILE",
      defaultValue = "",
      description = "With --tls on: the server's certificate, and those between it and its authority, in PEM")
  private String certificate = "";

  @Option(
      names = "--tls-key",
      paramLabel = "FILE",
      defaultValue = "",
      description = "With --tls on: the certificate's private key, PKCS #8 in PEM")
  private String key = "";

  /** Whether connections are TLS. */
  public boolean on() {
    return tls == ServerOptions.Switch.ON;
  }

  /**
   * Throws {@link BadOption} where the options do not go together.
   *
   * @param push whether the server is to push
   */
  public void check(boolean push) {
    if (on() && (certificate.isEmpty() || key.isEmpty())) {
      throw new BadOption("--tls on needs --tls-cert FILE and --tls-key FILE, both in PEM");
    }
    if (!on() && !(certificate.isEmpty() && key.isEmpty())) {
      throw new BadOption("--tls-cert and --tls-key are for --tls on");
    }
    if (on() && push) {
      throw new BadOption("--tls on is not allowed with --traffic push");
    }
  }

  /** The file of the server's certificate. */
  private Path certificate() {
    return Path.of(certificate);
  }

  /** The file of its private key. */
  private Path key() {
    return Path.of(key);
  }

  /** The JDK's own TLS with that certificate; {@link CannotRun} where there is none to be made. */
  public SSLContext context() {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys().getKeyManagers(), null, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw unusable(e);
    }
  }

  /** That certificate with its key; {@link CannotRun} where the files are none, or the key is that of another certificate. */
  public KeyManagerFactory keys() {
    try {
      KeyStore keys = KeyStore.getInstance("PKCS12");
      keys.load(null, null);
      Certificate[] chain =
          CertificateFactory.getInstance("X.509")
              .generateCertificates(new ByteArrayInputStream(Files.readAllBytes(certificate())))
              .toArray(Certificate[]::new);
      PrivateKey own = privateKey(Files.readString(key()));
      keys.setKeyEntry("server", own, new char[0], chain);
      requirePair(own, chain[0].getPublicKey());
      KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      managers.init(keys, new char[0]);
      return managers;
    } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
      throw unusable(e);
    }
  }

  /** Refuses the key of another certificate. The JDK does not compare the two: every handshake would fail. */
  private static void requirePair(PrivateKey own, PublicKey certified) throws GeneralSecurityException {
    String algorithm =
        switch (own.getAlgorithm()) {
          case "EC" -> "SHA256withECDSA";
          case "RSA" -> "SHA256withRSA";
          default -> "Ed25519";
        };
    Signature signature = Signature.getInstance(algorithm);
    signature.initSign(own);
    byte[] signed = signature.sign();
    signature.initVerify(certified);
    if (!signature.verify(signed)) {
      throw new KeyException("the private key is not that of the certificate");
    }
  }

  /** What is said of files that are no certificate and key. */
  public CannotRun unusable(Exception cause) {
    return new CannotRun(
        "--tls-cert " + certificate + " and --tls-key " + key + " cannot be used: " + ErrorText.of(cause)
            + "; they are a chain of certificates, and its private key as PKCS #8, in PEM",
        cause);
  }

  private static PrivateKey privateKey(String pem) throws GeneralSecurityException {
    Matcher found = KEY.matcher(pem);
    if (!found.find()) {
      throw new InvalidKeySpecException("no PRIVATE KEY in PEM in the file of the key");
    }
    PKCS8EncodedKeySpec der = new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(found.group(1)));
    for (String kind : KEY_KINDS) {
      try {
        return KeyFactory.getInstance(kind).generatePrivate(der);
      } catch (InvalidKeySpecException e) {
        // Perhaps the next kind.
      }
    }
    throw new InvalidKeySpecException("the private key is none of " + String.join(", ", KEY_KINDS));
  }

  /**
   * What the ready line says of it: the names of the files without their folders, which are others in each run.
   *
   * @param library what does the work
   */
  public Map<String, Object> running(String library) {
    return on()
        ? Map.of(
            "tls_library", library,
            "tls_cert", String.valueOf(certificate().getFileName()),
            "tls_key", String.valueOf(key().getFileName()))
        : Map.of();
  }
}
