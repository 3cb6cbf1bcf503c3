package echoladder.harness.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import echoladder.harness.common.Refusal;
import echoladder.harness.report.table.PairedRuns;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import echoladder.harness.study.EntrySettings;
import echoladder.harness.study.Network;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Whatever a study's record sets for a server keeps the runs apart that {@code pool} is given: by each component of the record. */
class PoolSettingsTest {
  /** By its name in run.json a value, and what a refusal calls the difference from a server for which nothing is set. */
  private static final Map<String, List<String>> SET =
      Map.ofEntries(
          Map.entry("sysctl", List.of("{\"net.core.somaxconn\": \"8\"}", "sysctl.net.core.somaxconn: none and 8")),
          Map.entry("rps_of_lo", List.of("\"all\"", "rps_of_lo: none and all")),
          Map.entry("qdisc_of_lo", List.of("\"noqueue\"", "qdisc_of_lo: none and noqueue")),
          Map.entry("route", List.of("{\"initcwnd\": \"20\"}", "route.initcwnd: none and 20")),
          Map.entry("server.nofile", List.of("5000", "server.nofile: none and 5000")),
          Map.entry("server.without", List.of("[\"sys_admin\"]", "server.without: [] and [sys_admin]")),
          Map.entry("server.memory_bytes", List.of("1000000000", "server.memory_bytes: none and 1000000000")),
          Map.entry("server.tasks", List.of("50", "server.tasks: none and 50")),
          Map.entry("server.backlog", List.of("128", "server.backlog: none and 128")),
          Map.entry("client.source_addresses", List.of("[\"127.0.0.2\"]", "client.source_addresses: [] and [127.0.0.2]")),
          Map.entry("client.target_addresses", List.of("[\"127.0.0.3\"]", "client.target_addresses: [] and [127.0.0.3]")));

  /** They decide which rungs are planned. */
  private static final Set<String> OF_PLAN = Set.of("server.plan_memory", "server.plan_limits", "client.plan_ports");

  private static Stream<String> names(String prefix, Class<? extends Record> record) {
    return Arrays.stream(record.getRecordComponents())
        .map(RecordComponent::getName)
        .map(name -> prefix + name.replaceAll("(?=[A-Z])", "_").toLowerCase(Locale.ROOT));
  }

  /** The load's own comparison has the network. */
  static Stream<String> set() {
    return Stream.of(
            names("", EntrySettings.class).filter(name -> !Set.of("server", "client", "network").contains(name)),
            names("server.", EntrySettings.OfServer.class),
            names("client.", EntrySettings.OfClient.class))
        .flatMap(names -> names)
        .filter(name -> !OF_PLAN.contains(name));
  }

  private static RunRecord run(int day, Consumer<ObjectNode> change) throws IOException {
    return PairedRuns.run(
        6, 6,
        json -> {
          json.put("run_id", "202611%02dT000000Z-000%d".formatted(day, day)).put("started_at", "2026-11-%02dT00:00:00Z".formatted(day));
          change.accept(json);
        });
  }

  /** What is set for server a, to be changed. */
  private static ObjectNode settings(ObjectNode run) {
    ObjectNode settings = (ObjectNode) RunFolder.tree(EntrySettings.NONE);
    ((ObjectNode) run.at("/study/servers/0")).set("settings", settings);
    return settings;
  }

  private static void put(ObjectNode settings, String name, String value) {
    int dot = name.indexOf('.');
    ObjectNode into = dot < 0 ? settings : (ObjectNode) settings.get(name.substring(0, dot));
    into.set(name.substring(dot + 1), JsonMapper.shared().readTree(value));
  }

  private static void isRefused(RunRecord first, RunRecord second, String reason) {
    assertThatThrownBy(() -> Pool.of(List.of(first, second), false, List.of()))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("cannot be pooled: ")
        .hasMessageContaining(reason);
  }

  @ParameterizedTest
  @MethodSource("set")
  void whateverIsSetForAServerIsAlike(String name) throws IOException {
    assertThat(SET).as("a setting that this test does not know").containsKey(name);
    List<String> set = Objects.requireNonNull(SET.get(name));
    RunRecord with = run(2, json -> put(settings(json), name, set.getFirst()));
    isRefused(run(1, json -> {}), with, "they differ in what is set for a (" + set.getLast() + ")");
    assertThat(Pool.of(List.of(with, run(3, json -> put(settings(json), name, set.getFirst()))), false, List.of()).servers()).isNotEmpty();
  }

  @Test
  void aNetworkBesideLoopbackIsRefused() throws IOException {
    Network network = new Network(20_000_000, 0, 0, null, 0, 1_500);
    RunRecord over = run(2, json -> settings(json).set("network", RunFolder.tree(network)));
    isRefused(run(1, json -> {}), over, "they differ in the network between client and server (loopback and network of ");
    Network lossy = new Network(20_000_000, 0, 0.001, null, 0, 1_500);
    isRefused(
        over, run(3, json -> settings(json).set("network", RunFolder.tree(lossy))),
        "they differ in the network between client and server, loss_share (0.0 and 0.001)");
  }

  /** A phase that only one of the runs has is a difference too. */
  @ParameterizedTest
  @CsvSource({"warm_up_echoes, none and 9", "stand_warm_up_ns, none and 9", "drain_ns, 2000000000 and 9"})
  void thePhasesAreAlike(String phase, String said) throws IOException {
    RunRecord other = run(2, json -> ((ObjectNode) json.at("/study/phases")).put(phase, 9L));
    isRefused(run(1, json -> {}), other, "they differ in settings (phases." + phase + ": " + said + ")");
  }

  @ParameterizedTest
  @CsvSource({"server, plan_memory", "server, plan_limits", "client, plan_ports"})
  void whatDecidesWhichRungsArePlannedIsNoOtherFigure(String of, String name) throws IOException {
    RunRecord planned = run(1, json -> ((ObjectNode) settings(json).get(of)).put(name, true));
    RunRecord all = run(2, json -> ((ObjectNode) settings(json).get(of)).put(name, false));
    assertThat(Pool.of(List.of(planned, all), false, List.of()).servers()).isNotEmpty();
  }
}
