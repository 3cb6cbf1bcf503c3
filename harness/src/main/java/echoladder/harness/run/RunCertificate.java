package echoladder.harness.run;

import echoladder.client.Tls;
import echoladder.client.tls.ThrowawayCertificate;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The certificate of all servers with TLS that this process starts: made when the first is about to start, and never kept. Any thread. */
public final class RunCertificate {
  private static @Nullable ThrowawayCertificate made;

  private RunCertificate() {}

  /**
   * The certificate.
   *
   * @throws IOException where none can be made
   */
  static synchronized ThrowawayCertificate get() throws IOException {
    ThrowawayCertificate certificate = made;
    if (certificate == null) {
      certificate = ThrowawayCertificate.make();
      made = certificate;
    }
    return certificate;
  }

  /**
   * TLS that trusts what this process's servers show; null = plain.
   *
   * @throws IOException where there is no certificate, and none can be made
   */
  public static @Nullable Tls trusted(@Nullable Tls asked) throws IOException {
    return asked == null ? null : asked.trusting(get().authority());
  }
}
