package echoladder.servers.helidon;

import echoladder.servers.kit.options.TlsOptions;
import io.helidon.common.configurable.Resource;
import io.helidon.common.pki.Keys;
import io.helidon.common.tls.Tls;
import io.helidon.webserver.WebServerConfig;
import io.helidon.webserver.spi.ServerConnectionSelector;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the connections of a listener speak, and how they are ended.
 *
 * @param protocol over TCP or TLS
 * @param requestTimeout how long a request may take to arrive; over TLS also the handshake with the first request
 * @param tls whether it is over TLS, and by which certificate
 * @param peers the connections, where they are ended one by one; null = each ends by itself, or with the process
 */
record ListenerOptions(ServerConnectionSelector protocol, Duration requestTimeout, TlsOptions tls, @Nullable Peers peers) {
  /** Tells Helidon the options of sockets, and the certificate if there is TLS. */
  void configure(WebServerConfig.Builder server) {
    if (peers == null) {
      server.connectionOptions(socket -> socket.tcpNoDelay(true));
    } else {
      server.connectionOptions(Accepted.by(peers));
    }
    if (tls.on()) {
      // Helidon takes a key that is not that of the certificate, and says of a missing file less than this does.
      tls.keys();
      server.tls(certified());
    }
  }

  private Tls certified() {
    try {
      Keys keys = Keys.builder().pem(pem -> pem.key(Resource.create(tls.key())).certChain(Resource.create(tls.certificate()))).build();
      return Tls.builder().privateKey(keys).privateKeyCertChain(keys).enabledProtocols(TlsOptions.VERSIONS).build();
    } catch (RuntimeException e) {
      // Helidon 4.5.0 reads keys of RSA, DSA and EC alone.
      throw tls.unusable(e);
    }
  }

  /** Settings of TLS as the ready line has them; empty without TLS. */
  Map<String, Object> running() {
    return tls.running("JDK, SSLEngine in Helidon");
  }
}
