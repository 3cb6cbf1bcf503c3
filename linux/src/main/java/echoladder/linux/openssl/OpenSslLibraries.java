package echoladder.linux.openssl;

import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import org.jspecify.annotations.Nullable;

/** The libraries of OpenSSL 3, and whether this host has them. {@link OpenSsl} loads them when it is initialized, and fails without. */
public final class OpenSslLibraries {
  static final String SSL = "libssl.so.3";
  static final String CRYPTO = "libcrypto.so.3";

  private OpenSslLibraries() {}

  /** Why OpenSSL 3 cannot be used on this host; null where it can. */
  public static @Nullable String missing() {
    for (String library : new String[] {CRYPTO, SSL}) {
      try (Arena arena = Arena.ofConfined()) {
        SymbolLookup.libraryLookup(library, arena);
      } catch (IllegalArgumentException e) {
        return "TLS needs OpenSSL 3, and " + library + " could not be loaded: " + e.getMessage()
            + "; Debian and Ubuntu have it in the package libssl3 or libssl3t64, Fedora in openssl-libs";
      }
    }
    return null;
  }
}
