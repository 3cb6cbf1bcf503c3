package echoladder.servers.micronauthttp;

import echoladder.servers.kit.options.HttpOptions;
import echoladder.servers.kit.options.PushOptions;
import echoladder.servers.kit.options.TlsOptions;

/** Options of a server, by their group. */
record Settings(HttpOptions http, PushOptions push, TlsOptions tls) {
  /** Refuses what does not go together, and a certificate that cannot be used. */
  void check() {
    http.check();
    push.check();
    tls.check(push.push());
    if (tls.on()) {
      // Micronaut takes a key that is not that of the certificate, and says of a missing file less than this does.
      tls.keys();
    }
  }
}
