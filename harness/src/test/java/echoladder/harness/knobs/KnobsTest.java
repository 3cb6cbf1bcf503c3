package echoladder.harness.knobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import echoladder.harness.common.Checkout;
import echoladder.harness.common.Refusal;
import echoladder.harness.common.YamlTree;
import echoladder.harness.knobs.KnobRow.Kind;
import echoladder.harness.knobs.KnobRow.Phase;
import echoladder.harness.knobs.KnobRow.Reach;
import echoladder.harness.limits.KnownLimit;
import echoladder.harness.metric.Catalogue;
import echoladder.harness.probe.Figure;
import echoladder.harness.server.ServerManifest;
import echoladder.harness.tune.Knob;
import echoladder.harness.tune.Scope;
import echoladder.harness.tune.SettingsProfile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/** A knob is a row: profiles, limits and the study of limits are held to it. */
final class KnobsTest {
  private static final Checkout CHECKOUT = new Checkout(Path.of("..").toAbsolutePath().normalize());
  private static final Map<String, ServerManifest> SERVERS = ServerManifest.all(CHECKOUT);
  private static final Knobs KNOBS = Knobs.of(CHECKOUT, SERVERS);

  private static final String ROW =
      """
      knobs:
        - {name: a, kind: sysctl, key: net.ipv4.tcp_autocorking, scope: namespace, phases: [steady], default: '1', profile: '0',
           least: 0, most: 1, lifts: small writes, stands: '1', counter: nstat, costs: more packets}
      """;

  @TempDir private Path dir;

  static Stream<String> profiles() throws IOException {
    try (Stream<Path> files = Files.list(CHECKOUT.root().resolve("sysctl"))) {
      return files.map(file -> file.getFileName().toString()).filter(name -> name.endsWith(".conf"))
          .map(name -> name.substring(0, name.length() - ".conf".length())).sorted().toList().stream();
    }
  }

  @Test
  void thereAreEnoughOfThem() {
    assertThat(KNOBS.rows()).hasSizeGreaterThanOrEqualTo(25);
    for (Phase phase : Phase.values()) {
      assertThat(KNOBS.rows().stream().filter(row -> row.phases().contains(phase))).as(phase.name()).hasSizeGreaterThan(5);
    }
  }

  /** What a profile says of a knob, but for the arithmetic behind its value, is what the row says. */
  @ParameterizedTest
  @MethodSource("profiles")
  void aProfileSaysWhatTheRowsSay(String name) {
    for (Knob knob : SettingsProfile.find(CHECKOUT, name).knobs()) {
      KnobRow row = KNOBS.ofSysctl(knob.key()).orElseThrow(() -> new AssertionError(name + ": no row has " + knob.key()));
      assertThat(row.profiles()).as(row.name()).containsEntry(name, knob.value());
      assertThat(knob.comments())
          .as(name + ": " + knob.key())
          .contains("lifts:   " + row.lifts(), "default: " + row.stands(), "counter: " + row.counter());
    }
  }

  @Test
  void aRowHasNoValueOfAProfileThatLacksIt() throws IOException {
    Map<String, List<String>> keys = new HashMap<>();
    profiles().forEach(name -> keys.put(name, SettingsProfile.find(CHECKOUT, name).knobs().stream().map(Knob::key).toList()));
    for (KnobRow row : KNOBS.rows()) {
      row.profiles().keySet().forEach(name -> assertThat(keys.getOrDefault(name, List.of())).as(row.name() + " in " + name).contains(row.key()));
    }
  }

  /** The doctor's limits: each kernel setting has a row that lifts it, and reaches as far. */
  @Test
  void everySettingOfALimitHasARow() {
    for (KnownLimit limit : KnownLimit.values()) {
      for (String key : limit.settings()) {
        KnobRow row = KNOBS.ofSysctl(key).orElseThrow(() -> new AssertionError("no row has " + key));
        assertThat(row.limit()).as(key).isEqualTo(limit);
        assertThat(row.scope()).as(key).isEqualTo(limit.reach() == KnownLimit.Reach.NETWORK ? Reach.NAMESPACE : Reach.HOST);
      }
    }
    assertThat(KNOBS.rows().stream().map(KnobRow::limit).toList())
        .contains(KnownLimit.NOFILE_SERVER, KnownLimit.CGROUP_MEMORY, KnownLimit.BACKLOG, KnownLimit.HEAP);
  }

  /** As far as tune has it: whether a run may set it in a namespace of its own depends on that. */
  @Test
  void everyKernelSettingReachesAsFarAsTuneHasIt() {
    for (KnobRow row : KNOBS.rows()) {
      if (row.kind() == Kind.SYSCTL) {
        assertThat(row.scope()).as(row.name()).isEqualTo(Scope.of(row.key()) == Scope.NETWORK ? Reach.NAMESPACE : Reach.HOST);
      }
    }
  }

  /** One list of walls: what the study of limits lowers are the rows that name it, by their key. */
  @Test
  void theWallsAreTheEntriesOfTheStudyOfLimits() {
    Map<String, String> settings = new HashMap<>();
    for (String file : List.of("limits/study.yaml", "limits/heap.yaml")) {
      for (JsonNode entry : YamlTree.read(CHECKOUT.studies().resolve(file), file).root().get("servers")) {
        settings.put(entry.path("label").asString(), entry.path("settings") + " " + entry.path("options"));
      }
    }
    List<KnobRow> walls = KNOBS.rows().stream().filter(row -> row.wall() != null).toList();
    assertThat(walls).extracting(KnobRow::wall).containsExactlyInAnyOrderElementsOf(settings.keySet());
    for (KnobRow row : walls) {
      assertThat(row.phases()).as(row.name()).contains(Phase.WALL);
      String named = row.kind() == Kind.CGROUP ? "\"memory\"" : "\"" + row.key() + "\"";
      assertThat(settings.get(String.valueOf(row.wall()))).as(row.name()).contains(named);
    }
  }

  /** A value out of range is refused before anything is started only where the row has the range. */
  @Test
  void everyNumberHasItsBounds() {
    for (KnobRow row : KNOBS.rows()) {
      if (List.of(Kind.SYSCTL, Kind.RLIMIT, Kind.ARGUMENT).contains(row.kind()) && row.profile().matches("[0-9 ]+")) {
        assertThat(row.least()).as(row.name()).isNotNull();
        assertThat(row.most()).as(row.name()).isNotNull();
      }
    }
  }

  /** What shows a knob at work is a figure of a run, and most of the steady state have one. */
  @Test
  void theFiguresOfARowAreThoseOfARun() {
    Set<String> columns = Arrays.stream(Figure.values()).map(Figure::column).collect(Collectors.toSet());
    for (KnobRow row : KNOBS.rows()) {
      assertThat(row.figures()).as(row.name()).allMatch(name -> Catalogue.named(name).isPresent() || columns.contains(name));
      if (row.phases().contains(Phase.STEADY) && row.setByRuns()) {
        assertThat(row.figures()).as(row.name()).isNotEmpty();
      }
    }
  }

  /** Each of the servers of the tuning study has some, of the kernel and of its own, and not more than anybody waits for. */
  @ParameterizedTest
  @CsvSource({"platform-threads", "virtual-threads", "netty", "go-echo"})
  void everyServerHasKnobsOfTheSteadyState(String server) {
    List<KnobRow> steady = KNOBS.of(server, Phase.STEADY);
    assertThat(steady).hasSizeBetween(8, Knobs.MOST_STEADY);
    assertThat(steady.stream().filter(row -> row.kind() == Kind.OPTION)).hasSizeGreaterThanOrEqualTo(3);
    assertThat(steady.stream().filter(row -> row.kind() == Kind.SYSCTL)).hasSizeGreaterThanOrEqualTo(6);
  }

  /** The default of a server's option is what its server.yaml has, else a run would hold two other values against each other. */
  @Test
  void theDefaultOfAnOptionIsTheServersOwn() {
    for (KnobRow row : KNOBS.rows()) {
      if (row.kind() == Kind.OPTION) {
        for (String server : row.servers()) {
          ServerManifest manifest = Objects.requireNonNull(SERVERS.get(server), server);
          ServerManifest.Option option = Objects.requireNonNull(manifest.options().get(row.key()), row.key());
          assertThat(option.fallback()).as(row.name() + " of " + server).isEqualTo(row.standard());
        }
      }
    }
  }

  private Knobs read(String text) throws IOException {
    Path file = Files.writeString(dir.resolve("knobs.yaml"), text);
    return Knobs.read(file, "k", SERVERS);
  }

  @Test
  void readsARow() throws IOException {
    KnobRow row = read(ROW).named("a").orElseThrow();
    assertThat(row.kind()).isEqualTo(Kind.SYSCTL);
    assertThat(row.matters("netty", Phase.STEADY)).isTrue();
    assertThat(row.matters("netty", Phase.WALL)).isFalse();
    assertThat(row.setByRuns()).isTrue();
    assertThat(Arrays.stream(KnobRow.Level.values()).map(row::value)).containsExactly("1", "0", null);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "profile: '0'      | profile: '2'                       | k:2: knobs[0].profile: '2' is outside the range; 0 to 1",
        "profile: '0'      | profile: 'off'                     | 'off' is not allowed; as many numbers as the default, '1'",
        "profile: '0'      | profile: '0 1'                     | '0 1' is not allowed; as many numbers as the default, '1'",
        "scope: namespace  | profiles: {10k: '3'}, scope: namespace | knobs[0].profiles.10k: '3' is outside the range; 0 to 1",
        "phases: [steady]  | beyond: '7', phases: [connecting]  | '7' is outside the range; 0 to 1",
        "kind: sysctl      | kind: argument, beyond: '9'        | '9' is outside the range; 0 to 1",
        "kind: sysctl      | kind: argument, beyond: many       | 'many' is not allowed; one whole number",
        "kind: sysctl      | kind: sysctrl                      | one of sysctl, rlimit",
        "scope: namespace  | limit: no such, scope: namespace   | there is no limit 'no such'; known: nofile hard, server",
        "costs: more       | colour: red, costs: more           | unknown key",
        "kind: sysctl      | kind: device                       | the key 'elsewhere' is missing",
        "kind: sysctl      | kind: option                       | the key 'servers' is missing",
        "kind: sysctl      | kind: route                        | the key 'elsewhere' is missing",
        "kind: sysctl, key: net.ipv4.tcp_autocorking | kind: route, key: rto_min | '1' is not allowed; a time in ms, e.g. 200ms",
        "kind: sysctl, key: net.ipv4.tcp_autocorking | kind: route, key: initcwnd | '0' is not allowed; a number of segments, e.g. 10",
        "scope: namespace  | scope: everywhere                  | namespace (a network namespace), host",
      })
  void refusesWhatIsNoKnob(String from, String to, String said) {
    assertThatThrownBy(() -> read(ROW.replace(from, to))).isInstanceOf(Refusal.class).hasMessageContaining(said);
  }

  @Test
  void refusesARowTwiceAndAValueThatAServerDoesNotTake() {
    String row = ROW.substring(ROW.indexOf("  - "));
    assertThatThrownBy(() -> read(ROW + row)).hasMessageContaining("'a' is there twice").hasMessageContaining("'net.ipv4.tcp_autocorking' is there twice");
    String option = ROW.replace("kind: sysctl, key: net.ipv4.tcp_autocorking", "kind: option, servers: [netty, nobody], key: gc");
    assertThatThrownBy(() -> read(option)).hasMessageContaining("for the server 'netty': '1' is not allowed; one of G1, Parallel");
    assertThatThrownBy(() -> read(option.replace("netty, ", ""))).hasMessageContaining("for the server 'nobody': it is not there");
  }

  @Test
  void refusesMoreOfTheSteadyStateThanAnybodyWaitsFor() {
    StringBuilder many = new StringBuilder("knobs:\n");
    for (int i = 0; i <= Knobs.MOST_STEADY; i++) {
      many.append(ROW.substring(ROW.indexOf("  - ")).replace("name: a", "name: a" + i).replace("tcp_autocorking", "tcp_x" + i));
    }
    assertThatThrownBy(() -> read(many.toString())).hasMessageContaining("'netty' has 15 knobs of the steady state; at most 14");
  }
}
