package echoladder.servers.contract;

import echoladder.harness.common.Checkout;
import echoladder.harness.server.JavaBinary;
import echoladder.harness.server.ServerManifest;
import echoladder.harness.server.ServerSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A server with chosen options.
 *
 * @param manifest its server.yaml
 * @param options that differ from the defaults
 */
record Variant(ServerManifest manifest, Map<String, String> options) {
  /** System property with the name of a folder: the suite then runs against this server only. */
  static final String ONLY = "contract.server";

  /** The option whose every value is a server of its own, as far as the contract goes. */
  private static final String TRANSPORT = "transport";

  static final Duration DRAIN = Duration.ofSeconds(5);

  /** Every TCP server as its manifest starts it. */
  static Stream<Variant> defaults() {
    List<Variant> found =
        ServerManifest.all(Checkout.find()).values().stream()
            .filter(manifest -> manifest.protocol().equals("tcp"))
            .filter(manifest -> manifest.name().equals(System.getProperty(ONLY, manifest.name())))
            .map(manifest -> new Variant(manifest, Map.of()))
            .toList();
    if (found.isEmpty()) {
      throw new IllegalStateException(
          "no TCP server found under " + Checkout.find().root() + " with " + ONLY + "=" + System.getProperty(ONLY));
    }
    return found.stream();
  }

  /** The same, and each with every other transport it has. */
  static Stream<Variant> all() {
    return defaults()
        .flatMap(
            plain -> {
              List<Variant> variants = new ArrayList<>(List.of(plain));
              ServerManifest.Option transport = plain.manifest.options().get(TRANSPORT);
              if (transport != null) {
                transport.values().stream()
                    .filter(value -> !value.equals(transport.fallback()))
                    .forEach(value -> variants.add(new Variant(plain.manifest, Map.of(TRANSPORT, value))));
              }
              return variants.stream();
            });
  }

  String name() {
    return manifest.name();
  }

  /** As the harness starts it. */
  List<String> argv() {
    return argv(DRAIN);
  }

  List<String> argv(Duration drain) {
    ServerSettings settings = ServerSettings.DEFAULT;
    return manifest.argv(
        JavaBinary.path(),
        new ServerSettings(settings.host(), 0, settings.backlog(), 0, drain, options));
  }

  /** The bare command with these arguments instead of the harness's. */
  List<String> argvWith(List<String> arguments) {
    List<String> argv = new ArrayList<>(manifest.argv(JavaBinary.path(), options));
    argv.addAll(arguments);
    return argv;
  }

  @Override
  public String toString() {
    return options.isEmpty() ? name() : name() + " " + options;
  }
}
