package echoladder.client.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPublicKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ThrowawayCertificateTest {
  @TempDir private Path dir;

  private static X509Certificate read(String pem) throws Exception {
    return (X509Certificate)
        CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII)));
  }

  @Test
  void theServersIsSignedByTheAuthorityAndForThisHostAlone() throws Exception {
    ThrowawayCertificate made = ThrowawayCertificate.make();
    X509Certificate authority = read(made.authority());
    X509Certificate server = read(made.chain());
    server.verify(authority.getPublicKey());
    authority.verify(authority.getPublicKey());
    assertThat(authority.getBasicConstraints()).as("an authority").isNotNegative();
    assertThat(server.getBasicConstraints()).as("no authority").isEqualTo(-1);
    assertThat(server.getSubjectAlternativeNames().stream().map(name -> String.valueOf(name.get(1))))
        .containsExactlyInAnyOrder("localhost", "127.0.0.1", "0:0:0:0:0:0:0:1");
    assertThat(((ECPublicKey) server.getPublicKey()).getParams().getOrder().bitLength()).isEqualTo(256);
    server.checkValidity();
    assertThat(server.getNotAfter().toInstant()).isBefore(Instant.now().plus(Duration.ofDays(31)));
    assertThat(ThrowawayCertificate.make().chain()).as("another one for each run").isNotEqualTo(made.chain());
  }

  @Test
  void itsFilesAreForTheirOwnerAlone() throws Exception {
    ThrowawayCertificate made = new ThrowawayCertificate("authority", "chain", "key");
    List<String> options = made.writtenTo(dir);
    assertThat(options).containsExactly("--tls-cert", dir.resolve("server.pem").toString(), "--tls-key", dir.resolve("server-key.pem").toString());
    for (int i = 1; i < options.size(); i += 2) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(Path.of(options.get(i))))).isEqualTo("rw-------");
    }
    assertThat(Files.readString(dir.resolve("server-key.pem"))).isEqualTo("key");
    assertThatThrownBy(() -> made.writtenTo(dir)).isInstanceOf(FileAlreadyExistsException.class);
  }

  @Test
  void whatKeytoolRefusesIsSaidInItsWords() {
    assertThatThrownBy(() -> ThrowawayCertificate.make("san=nonsense")).isInstanceOf(IOException.class).hasMessageContaining("keytool made no");
  }

  @Test
  void whatIsNoCertificateIsNotTrusted() {
    assertThatThrownBy(() -> TrustedSockets.context("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"))
        .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("no certificates in PEM");
    assertThat(TrustedSockets.protocol("1.2")).isEqualTo("TLSv1.2");
  }
}
