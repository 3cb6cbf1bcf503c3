package echoladder.harness.compare;

import static echoladder.harness.compare.ComparisonTest.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import echoladder.client.HttpAsk;
import echoladder.client.Target;
import echoladder.harness.common.Refusal;
import echoladder.harness.results.OwnRecord;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import echoladder.harness.study.EntrySettings;
import echoladder.harness.study.Network;
import echoladder.harness.study.Study;
import echoladder.harness.study.StudyLoad;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Whatever a study's record says of a load keeps two runs apart that differ in it: by each component of the record. */
class SameLoadTest {
  /** By the key in run.json another value than the golden run has, and what a refusal calls it. */
  private static final Map<String, List<String>> OTHER = new TreeMap<>();

  static {
    OTHER.put("total_per_s", List.of("4000", "the total rate (5000.0 and 4000.0)"));
    OTHER.put("per_connection_per_s", List.of("3", "the rate per connection (none and 3.0)"));
    OTHER.put("message_bytes", List.of("65", "the message size (64 and 65)"));
    OTHER.put("schedule", List.of("\"poisson\"", "the schedule (constant and poisson)"));
    OTHER.put("active_share", List.of("0.5", "the active share (1.0 and 0.5)"));
    OTHER.put("in_flight", List.of("2", "the messages in flight (1 and 2)"));
    OTHER.put("cpus", List.of("\"apart\"", "the processors of server and client (cpus) (shared and apart)"));
    OTHER.put("spin_ns", List.of("1000000", "how long the client polls before a send (spin) (0 and 1000000)"));
    OTHER.put("idle", List.of("\"poll\"", "what idle processors do (idle) (halt and poll)"));
    OTHER.put("churn_per_s", List.of("20", "the connections replaced per second (churn) (none and 20.0)"));
    OTHER.put("storm", List.of("\"rush\"", "whether all connections come back at once (storm) (none and rush)"));
    OTHER.put("publish", List.of("\"all\"", "who gets a message that is pushed (publish) (none and all)"));
    OTHER.put("slow_readers", List.of("0.1", "the connections that do not read (slow_readers) (none and 0.1)"));
    OTHER.put("tls", List.of("\"1.3\"", "TLS under the protocol (tls) (none and 1.3)"));
  }

  /** {@code lifetime} is nothing without churn; of the others the class says why. */
  private static final Set<String> NONE = Set.of("lifetime", "seed", "totals_per_s", "staged");

  /** Values other than those of {@link #network()}, and what a refusal calls them. */
  private static final Map<String, List<String>> OTHER_NETWORK =
      Map.of(
          "delay_ns", List.of("40000000", "delay_ns (20000000 and 40000000)"),
          "jitter_ns", List.of("1000000", "jitter_ns (0 and 1000000)"),
          "loss_share", List.of("0.001", "loss_share (0.0 and 0.001)"),
          "bits_per_s", List.of("1000000.0", "bits_per_s (none and 1000000.0)"),
          "reorder_share", List.of("0.1", "reorder_share (0.0 and 0.1)"),
          "mtu_bytes", List.of("9000", "mtu_bytes (1500 and 9000)"),
          "cut", List.of("\"idle\"", "cut (none and idle)"));

  /** It is nothing without {@code cut}. */
  private static final Set<String> NONE_OF_NETWORK = Set.of("cut_most_ns");

  private static Stream<String> keys(Class<? extends Record> record) {
    return Arrays.stream(record.getRecordComponents()).map(RecordComponent::getName).map(name -> name.replaceAll("(?=[A-Z])", "_").toLowerCase(Locale.ROOT));
  }

  static Stream<String> load() {
    return keys(StudyLoad.class).filter(key -> !NONE.contains(key));
  }

  @ParameterizedTest
  @MethodSource("load")
  void everyPartOfALoadIsCompared(String key) throws IOException {
    assertThat(OTHER).as("a key of a load that this test does not know").containsKey(key);
    RunRecord first = run(json -> {});
    RunRecord second =
        run(
            json -> {
              ObjectNode load = (ObjectNode) json.at("/study/load");
              load.set(key, JsonMapper.shared().readTree(Objects.requireNonNull(OTHER.get(key)).getFirst()));
              if (key.equals("churn_per_s")) {
                load.put("lifetime", "exponential");
              }
            });
    assertThatThrownBy(() -> Comparison.of(first, second))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("they differ in " + Objects.requireNonNull(OTHER.get(key)).getLast());
    assertThatThrownBy(() -> Comparison.of(second, first)).isInstanceOf(Refusal.class);
    assertThat(Comparison.of(second, second)).contains("B / A");
  }

  @Test
  void aLoadOfItsOwnOfOneServerIsComparedToo() throws IOException {
    RunRecord first = run(json -> {});
    RunRecord second =
        run(
            json -> {
              ObjectNode load = (ObjectNode) json.at("/study/load").deepCopy();
              ((ObjectNode) json.at("/study/servers/2")).set("load", load.put("churn_per_s", 20).put("lifetime", "fixed"));
            });
    assertThatThrownBy(() -> Comparison.of(first, second)).hasMessageContaining("(churn)").hasMessageContaining("how long connections live (none and fixed)");
  }

  /** Sends at other moments, and a phase of another length, are one load; the surroundings have them. */
  @Test
  void whatIsNoneOfTheLoadIsNotRefused() throws IOException {
    RunRecord first = run(json -> {});
    RunRecord second =
        run(
            json -> {
              ((ObjectNode) json.at("/study/load")).put("seed", 7);
              ((ObjectNode) json.at("/study/phases")).put("steady_ns", 9_000_000_000L);
              ((ObjectNode) json.at("/study/phases")).put("stand_warm_up_ns", 3_000_000_000L);
            });
    assertThat(Comparison.of(first, second)).contains("study.load.seed", "study.phases.steady_ns", "study.phases.stand_warm_up_ns", "B / A");
  }

  @Test
  void theRampAndTheLoadToolAreCompared() throws IOException {
    RunRecord first = run(json -> {});
    RunRecord ramp = run(json -> ((ObjectNode) json.at("/study/phases")).put("connects_per_s", 100));
    assertThatThrownBy(() -> Comparison.of(first, ramp)).hasMessageContaining("differ in the rate of connects (5000.0 and 100.0)");
    RunRecord stalled = run(json -> ((ObjectNode) json.at("/study/phases")).put("accept_stall_ns", 1_000_000));
    assertThatThrownBy(() -> Comparison.of(first, stalled)).hasMessageContaining("how long the server was stopped in the ramp");
    RunRecord tool = run(json -> json.at("/study/servers").forEach(entry -> ((ObjectNode) entry).put("client", "tcpkali")));
    assertThatThrownBy(() -> Comparison.of(first, tool)).hasMessageContaining("differ in the load tool (open-loop and tcpkali)");
    assertThat(keys(Study.Phases.class)).as("a new phase is compared, or SameLoad says that it is none of the load").hasSize(9);
  }

  /** A delay of 20 ms and no loss. */
  private static ObjectNode network() {
    return (ObjectNode) RunFolder.tree(new Network(20_000_000, 0, 0, null, 0, 1_500));
  }

  /** What is set for the floor, to be changed. */
  private static ObjectNode settings(ObjectNode run) {
    ObjectNode settings = (ObjectNode) RunFolder.tree(EntrySettings.NONE);
    ((ObjectNode) run.at("/study/servers/0")).set("settings", settings);
    return settings;
  }

  static Stream<String> partsOfANetwork() {
    return keys(Network.class).filter(key -> !NONE_OF_NETWORK.contains(key));
  }

  @ParameterizedTest
  @MethodSource("partsOfANetwork")
  void everyPartOfANetworkIsCompared(String key) throws IOException {
    assertThat(OTHER_NETWORK).as("a part of a network that this test does not know").containsKey(key);
    List<String> other = Objects.requireNonNull(OTHER_NETWORK.get(key));
    RunRecord first = run(json -> settings(json).set("network", network()));
    RunRecord second =
        run(
            json -> {
              ObjectNode network = network();
              network.set(key, JsonMapper.shared().readTree(other.getFirst()));
              settings(json).set("network", network);
            });
    assertThatThrownBy(() -> Comparison.of(first, second))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("they differ in the network between client and server, " + other.getLast());
    assertThat(Comparison.of(second, second)).contains("B / A");
  }

  @Test
  void aNetworkBesideLoopbackIsRefusedInOneSentence() throws IOException {
    RunRecord loopback = run(json -> {});
    RunRecord network = run(json -> settings(json).set("network", network()));
    assertThatThrownBy(() -> Comparison.of(loopback, network))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("they differ in the network between client and server (loopback and network of 20")
        .hasMessageNotContaining("delay_ns");
    assertThatThrownBy(() -> Comparison.of(network, loopback)).hasMessageContaining(", MTU 1500 and loopback)");
  }

  /** For what is set on a host or of a server two runs may be compared: it is shown. */
  @Test
  void whatIsSetOtherwiseIsShownAndNotRefused() throws IOException {
    RunRecord first = run(json -> settings(json));
    RunRecord second =
        run(
            json -> {
              ObjectNode settings = settings(json).put("rps_of_lo", "all").put("qdisc_of_lo", "noqueue");
              settings.putObject("route").put("initcwnd", "20");
              ((ObjectNode) settings.get("sysctl")).put("net.core.somaxconn", "8");
              ((ObjectNode) settings.get("server")).put("memory_bytes", 1 << 30);
              ((ObjectNode) settings.get("client")).putArray("source_addresses").add("127.0.0.2");
            });
    assertThat(Comparison.of(first, second))
        .contains("B / A", "settings.rps_of_lo", "settings.qdisc_of_lo", "settings.route.initcwnd", "settings.sysctl.net.core.somaxconn")
        .contains("settings.server.memory_bytes", "settings.client.source_addresses");
  }

  /** A component that is in neither list is one of the load, and has to be looked at here. */
  @Test
  void everyPartOfAStudyIsComparedOrNoneOfTheLoad() {
    assertThat(keys(EntrySettings.class).filter(key -> !SameLoad.SETTINGS.contains(key))).containsExactly("network");
    assertThat(keys(EntrySettings.class)).containsAll(SameLoad.SETTINGS);
    assertThat(keys(Study.Entry.class))
        .as("compared are the load, the load tool and what is set; what else is a server's own stands beside its figures")
        .containsExactlyInAnyOrder("load", "client", "settings", "label", "server", "options", "expect_limit", "jdk", "point", "knob");
    assertThat(keys(Study.class))
        .as("compared are the load and the ramp; the others are names, counts, lengths, verdicts and extra repeats")
        .containsExactlyInAnyOrder(
            "load", "phases", "servers", "client", "name", "question", "rungs", "repeats", "bounds", "thresholds", "lab", "capacity",
            "tuned", "breakdown", "budget_ns", "fail_if");
  }

  /** Another request is another load, whatever the server; where it listens and how it was started is what is compared. */
  @Test
  void theRequestOfAServerOfOnesOwnIsCompared() throws IOException {
    Target target = new Target("127.0.0.1", 9_000);
    OwnRecord echo = new OwnRecord("./server 9000", null, 9_000, HttpAsk.ECHO, null, null);
    OwnRecord get = new OwnRecord("./server 9001", null, 9_001, HttpAsk.get("/health", target, 200), null, null);
    RunRecord first = run(json -> own(json, echo));
    RunRecord second = run(json -> own(json, get));
    assertThatThrownBy(() -> Comparison.of(first, second)).hasMessageContaining("they differ in own.http (");
    RunRecord tcp = run(json -> own(json, new OwnRecord("./server 9000", null, 9_000, null, null, null)));
    assertThatThrownBy(() -> Comparison.of(first, tcp)).hasMessageContaining("differ in own.http");
    RunRecord changed = run(json -> own(json, new OwnRecord("./better 9002", null, 9_002, HttpAsk.ECHO, null, null)));
    assertThat(Comparison.of(first, changed)).contains("B / A");
  }

  private static void own(ObjectNode run, OwnRecord own) {
    for (JsonNode server : run.get("servers")) {
      if (server.path("label").asString().equals("virtual-threads")) {
        ((ObjectNode) server).set("own", JsonMapper.shared().valueToTree(own));
      }
    }
  }
}
