package echoladder.servers.contract.http;

import echoladder.harness.common.Checkout;
import echoladder.harness.server.JavaBinary;
import echoladder.harness.server.ServerManifest;
import echoladder.harness.server.ServerSettings;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A server in one of its modes.
 *
 * @param manifest its server.yaml
 * @param mode options that make the mode
 */
record HttpSubject(ServerManifest manifest, Map<String, String> mode) {
  /** Options whose every value is a server model of its own. */
  private static final List<String> MODE_OPTIONS = List.of("mode", "threads");

  /** How long a request may take to arrive where that can be set; else the server's own bound is awaited. */
  static final String REQUEST_TIMEOUT = "request-timeout";

  /** Every HTTP server in every mode. */
  static Stream<HttpSubject> all() {
    return ServerManifest.all(Checkout.find()).values().stream()
        .filter(manifest -> manifest.protocol().equals("http"))
        .flatMap(HttpSubject::modes);
  }

  private static Stream<HttpSubject> modes(ServerManifest manifest) {
    for (String option : MODE_OPTIONS) {
      ServerManifest.Option known = manifest.options().get(option);
      if (known != null) {
        return known.values().stream().map(value -> new HttpSubject(manifest, Map.of(option, value)));
      }
    }
    return Stream.of(new HttpSubject(manifest, Map.of()));
  }

  boolean has(String option) {
    return manifest.options().containsKey(option);
  }

  /** Its argv in this mode, for a port and with further options. */
  List<String> argv(int port, Map<String, String> more) {
    Map<String, String> options = new LinkedHashMap<>(mode);
    options.putAll(more);
    ServerSettings d = ServerSettings.DEFAULT;
    ServerSettings settings =
        new ServerSettings(d.host(), port, d.backlog(), d.metricsPort(), d.drain(), options);
    return new ArrayList<>(manifest.argv(JavaBinary.path(), settings));
  }

  /** Slow requests are to be given up soon, where the server can be told. */
  Map<String, String> impatient() {
    return has(REQUEST_TIMEOUT) ? Map.of(REQUEST_TIMEOUT, "2s") : Map.of();
  }

  @Override
  public String toString() {
    return manifest.name() + new TreeMap<>(mode).values();
  }
}
