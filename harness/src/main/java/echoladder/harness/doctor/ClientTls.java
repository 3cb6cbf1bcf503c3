package echoladder.harness.doctor;

import echoladder.client.Tls;
import org.jspecify.annotations.Nullable;

/** How the client holds a connection, by what TLS takes of its memory (docs/decisions/tls.md). */
public enum ClientTls {
  /** Without TLS. */
  PLAIN(0),

  /** Keys and counters of TLS 1.3 alone. An idle connection takes this by RSS, rounded up. */
  RECORDS(640),

  /** An idle session of OpenSSL, which stays over TLS 1.2. */
  SESSION(45_000),

  /** A handshake of each connection at once, as after a restart of the server: a session of OpenSSL and its buffers. */
  HANDSHAKES(50_000);

  private final long bytes;

  ClientTls(long bytes) {
    this.bytes = bytes;
  }

  /**
   * Where a load stands.
   *
   * @param tls null = plain
   * @param atOnce whether nothing bounds how many handshakes are under way
   */
  public static ClientTls of(@Nullable Tls tls, boolean atOnce) {
    if (tls == null) {
      return PLAIN;
    }
    if (atOnce) {
      return HANDSHAKES;
    }
    return tls.version().equals(Tls.LATEST) ? RECORDS : SESSION;
  }

  /** Bytes of the client for each connection. */
  long bytes() {
    return bytes;
  }
}
