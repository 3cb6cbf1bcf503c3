package echoladder.servers.contract;

import echoladder.harness.common.Jdks;
import echoladder.harness.server.ServerManifest;
import echoladder.harness.server.ServerSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * A server with chosen options.
 *
 * @param manifest its server.yaml
 * @param options that differ from the defaults
 */
public record Variant(ServerManifest manifest, Map<String, String> options) {
  /** How long a server may take to drain, where a test does not say otherwise. */
  public static final Duration DRAIN = Duration.ofSeconds(5);

  /** Every TCP server as its manifest starts it. */
  static Stream<Variant> defaults() {
    return defaultsOf("tcp");
  }

  /** Every server of some protocols as its manifest starts it. */
  public static Stream<Variant> defaultsOf(String... protocols) {
    return Tested.servers(protocols).map(manifest -> new Variant(manifest, Map.of()));
  }

  /** Every server with a managed runtime as its manifest starts it: programs without one may leave out what tells of its pauses. */
  static Stream<Variant> managed() {
    return Tested.some(
        defaults().filter(variant -> !variant.manifest.unmanaged()), "servers with a managed runtime");
  }

  /** Those of {@link #defaults}, and each in every other of its modes where {@link Tested#everyMode}. */
  static Stream<Variant> all() {
    return allOf("tcp");
  }

  /** Those of {@link #defaultsOf}, and each in every other of its modes where {@link Tested#everyMode}. */
  public static Stream<Variant> allOf(String... protocols) {
    if (!Tested.everyMode()) {
      return defaultsOf(protocols);
    }
    return defaultsOf(protocols)
        .flatMap(
            plain -> {
              List<Variant> variants = new ArrayList<>(List.of(plain));
              for (String mode : plain.manifest.modes()) {
                ServerManifest.Option option = Objects.requireNonNull(plain.manifest.options().get(mode));
                option.values().stream()
                    .filter(value -> !value.equals(option.fallback()))
                    .forEach(value -> variants.add(new Variant(plain.manifest, Map.of(mode, value))));
              }
              return variants.stream();
            });
  }

  /** Whether Netty's leak detector follows each of its buffers. */
  public boolean followed() {
    return manifest.options().containsKey("transport") && !options.isEmpty();
  }

  String name() {
    return manifest.name();
  }

  /** As the harness starts it, but for the JVM's second compiler. */
  public List<String> argv() {
    return argv(DRAIN);
  }

  /** The command with that limit of the drain. */
  public List<String> argv(Duration drain) {
    ServerSettings settings = ServerSettings.DEFAULT;
    List<String> argv =
        Tested.quick(
            manifest,
            Tested.built(manifest).argv(
                Jdks.java(), new ServerSettings(settings.host(), 0, settings.backlog(), 0, drain, options)));
    return followed() ? Leaks.followed(argv) : argv;
  }

  /** The bare command with these arguments instead of the harness's. */
  public List<String> argvWith(List<String> arguments) {
    List<String> argv = Tested.quick(manifest, Tested.built(manifest).argv(Jdks.java(), options));
    argv.addAll(arguments);
    return argv;
  }

  @Override
  public String toString() {
    return options.isEmpty() ? name() : name() + " " + options;
  }
}
