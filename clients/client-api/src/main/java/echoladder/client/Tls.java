package echoladder.client;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * TLS under what a load speaks. The client verifies the server's chain and name, and offers one version and one cipher, so that all
 * servers encrypt alike.
 *
 * @param version the one that is offered: {@code 1.3} or {@code 1.2}
 * @param serverName what the server's certificate must be for, a name or an IP address; a name is told to the server (SNI)
 * @param authorities certificates at which the server's chain must end, PEM; null = those that OpenSSL trusts on the client's host
 * @param resumes whether connections offer the session of an earlier one; without, each handshake is a full one
 */
public record Tls(String version, String serverName, @Nullable String authorities, boolean resumes) {
  /** The version of whoever names none. */
  public static final String LATEST = "1.3";

  /** The versions that a load can have. */
  public static final List<String> VERSIONS = List.of(LATEST, "1.2");

  /** Behind a version in a load's words: sessions are resumed. */
  public static final String RESUMPTION = "-resumption";

  public Tls {
    Preconditions.check(VERSIONS.contains(version), "tls", version, String.join(" or ", VERSIONS));
    Preconditions.check(!serverName.isBlank() && serverName.length() <= 253, "tls-name", serverName, "a name or an address");
  }

  /** TLS whose handshakes are all full ones. */
  public Tls(String version, String serverName, @Nullable String authorities) {
    this(version, serverName, authorities, false);
  }

  /**
   * TLS as a load says it in a word; it trusts what its host trusts.
   *
   * @param word a version, or one with {@link #RESUMPTION} behind it
   */
  public static Tls ofWord(String word, String serverName) {
    boolean resumes = word.endsWith(RESUMPTION);
    String version = resumes ? word.substring(0, word.length() - RESUMPTION.length()) : word;
    return new Tls(version, serverName, null, resumes);
  }

  /** This with chains that must end at those certificates, PEM. */
  public Tls trusting(String pem) {
    return new Tls(version, serverName, pem, resumes);
  }

  /** What a client offers by ALPN (RFC 7301), as its protocol goes over HTTP/1.1; null = nothing. */
  public static @Nullable String offered(Protocol protocol) {
    return protocol == Protocol.TCP ? null : "http/1.1";
  }

  /** Refuses a plan that does not fit. */
  void check(LoadPlan plan) {
    Preconditions.check(plan.publish() == null, "publish", "one", "not with tls");
  }
}
