package echoladder.servers.floor;

import java.util.Locale;

/** Who makes and reads the records of a connection. OpenSSL shakes hands with either. */
enum TlsEngine {
  /** OpenSSL, in memory. */
  OPENSSL,
  /** The kernel (kTLS), over TLS 1.3 with AES-128-GCM. */
  KERNEL;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
