package echoladder.servers.contract.http;

import echoladder.harness.common.Jdks;
import echoladder.harness.server.ServerManifest;
import echoladder.harness.server.ServerSettings;
import echoladder.servers.contract.Tested;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A server in one of its modes.
 *
 * @param manifest its server.yaml
 * @param mode options that make the mode
 */
public record HttpSubject(ServerManifest manifest, Map<String, String> mode) {
  /** How long a request may take to arrive where that can be set; else the server's own bound is awaited. */
  static final String REQUEST_TIMEOUT = "request-timeout";

  /** What is published to. */
  static final int TOPIC = 7;

  /** Every HTTP server that echoes, as its manifest starts it, or in every mode where {@link Tested#everyMode}. */
  public static Stream<HttpSubject> all() {
    return Tested.some(echoing(), "servers that echo over HTTP");
  }

  /** Those of {@link #all}, and every HTTP server that can push, told to. */
  static Stream<HttpSubject> echoingAndPushing() {
    return Stream.concat(
        echoing(), Tested.servers("http").filter(Tested::canPush).map(manifest -> new HttpSubject(manifest, Tested.PUSHING)));
  }

  private static Stream<HttpSubject> echoing() {
    return Tested.servers("http").filter(manifest -> !manifest.onlyPushes()).flatMap(HttpSubject::modes);
  }

  private static Stream<HttpSubject> modes(ServerManifest manifest) {
    List<HttpSubject> modes =
        manifest.modes().stream()
            .flatMap(
                option -> {
                  ServerManifest.Option of = Objects.requireNonNull(manifest.options().get(option));
                  return of.values().stream()
                      .filter(value -> Tested.everyMode() || value.equals(of.fallback()))
                      .map(value -> new HttpSubject(manifest, Map.of(option, value)));
                })
            .toList();
    return modes.isEmpty() ? Stream.of(new HttpSubject(manifest, Map.of())) : modes.stream();
  }

  /** Whether what is posted goes to who has subscribed, and not back. */
  boolean pushes() {
    return mode.equals(Tested.PUSHING);
  }

  /** Where a message is posted to. */
  String target() {
    return pushes() ? "/publish?topic=" + TOPIC : "/echo";
  }

  /** Whether it runs on Netty, whose leak detector can then follow its buffers. */
  boolean onNetty() {
    return has("transport");
  }

  /** Whether each request that is being answered takes a platform thread of a pool. */
  boolean threadPerRequest() {
    return mode.values().stream().anyMatch(value -> value.startsWith("platform"));
  }

  boolean has(String option) {
    return manifest.options().containsKey(option);
  }

  /** Its argv in this mode, for a port and with further options. */
  public List<String> argv(int port, Map<String, String> more) {
    Map<String, String> options = new LinkedHashMap<>(mode);
    options.putAll(more);
    ServerSettings d = ServerSettings.DEFAULT;
    ServerSettings settings =
        new ServerSettings(d.host(), port, d.backlog(), d.metricsPort(), d.drain(), options);
    return Tested.quick(manifest, Tested.built(manifest).argv(Jdks.java(), settings));
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
