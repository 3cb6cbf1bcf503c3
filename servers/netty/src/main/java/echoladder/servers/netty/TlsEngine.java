package echoladder.servers.netty;

import java.util.Locale;

/** Who encrypts under Netty's SslHandler. */
enum TlsEngine {
  /** The JDK's SSLEngine. */
  JDK,
  /** BoringSSL, by netty-tcnative. */
  BORINGSSL;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
