package echoladder.servers.contract;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.server.ServerManifest;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The ready line names the entry, and what an entry stands for is in force. */
class EntryIT {
  private static Stream<Variant> tuned() {
    return Tested.some(
        Variant.defaults()
            .filter(plain -> plain.manifest().options().containsKey(ServerManifest.ENTRY))
            .map(plain -> new Variant(plain.manifest(), plain.manifest().resolved(Map.of(ServerManifest.ENTRY, ServerManifest.TUNED)))),
        "servers with an entry 'tuned'");
  }

  private static Stream<Variant> stock() {
    return Tested.some(
        Variant.defaults().filter(plain -> plain.manifest().options().containsKey(ServerManifest.ENTRY)),
        "servers with an entry 'tuned'");
  }

  private static Stream<Variant> withAllThatIsUnset() {
    return Tested.some(
        Variant.defaults().map(EntryIT::set).filter(variant -> !variant.options().isEmpty()),
        "servers with flags or variables that are unset");
  }

  /** What the runtime chooses unless told otherwise, told. */
  private static Variant set(Variant plain) {
    Map<String, String> options = new TreeMap<>();
    plain.manifest().options().forEach(
        (name, option) -> {
          if (option.fallback().equals("unset")) {
            options.put(name, option.values().isEmpty() ? String.valueOf(option.min()) : option.values().getLast());
          }
        });
    return new Variant(plain.manifest(), options);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("withAllThatIsUnset")
  void theRuntimeTakesWhatItChoosesByItself(Variant variant) throws Exception {
    try (RunningServer server = RunningServer.start(variant);
        EchoClient client = server.connect()) {
      client.echo(EchoClient.bytes(1, 64));
      assertThat(server.process().alive()).as("%s", server).isTrue();
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("stock")
  void asItComesItIsStock(Variant variant) throws Exception {
    try (RunningServer server = RunningServer.start(variant)) {
      assertThat(server.ready().config()).as("%s", server).containsEntry(ServerManifest.ENTRY, ServerManifest.STOCK);
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("tuned")
  void aTunedServerEchoesAndSaysWhatItIs(Variant variant) throws Exception {
    try (RunningServer server = RunningServer.start(variant)) {
      Map<String, @Nullable Object> config = server.ready().config();
      assertThat(config).as("%s", server).containsEntry(ServerManifest.ENTRY, ServerManifest.TUNED);
      variant.options().forEach(
          (option, value) -> {
            ServerManifest.Option known = Objects.requireNonNull(variant.manifest().options().get(option), option);
            if (known.flag() != null) {
              assertThat(String.valueOf(config.get("java_flags"))).as("%s: flags", server).contains(known.flag().replace("{value}", value));
            } else {
              assertThat(String.valueOf(config.get(option.replace('-', '_')))).as("%s: %s", server, option).isEqualTo(value);
            }
          });
      try (EchoClient client = server.connect()) {
        for (int size : new int[] {1, 64, 3_000, 100_000}) {
          byte[] message = EchoClient.bytes(size, size);
          var sent = client.sendBehind(message, false);
          client.expect(message);
          sent.join();
        }
      }
      server.awaitOpen(0);
      server.process().terminate();
      assertThat(server.process().ended().get(RunningServer.LONG.toSeconds(), TimeUnit.SECONDS)).as("%s", server).isZero();
    }
  }
}
