package echoladder.harness.report.table;

import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import echoladder.harness.study.KnobLevel;
import echoladder.harness.study.Study;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.IntToDoubleFunction;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Runs of a study of one knob, with made-up figures. */
public final class TunedRuns {
  private static final Path GOLDEN = Path.of("src/test/resources/golden/run.json");

  private TunedRuns() {}

  /** A knob that changes nothing. */
  public static double same(int repeat) {
    return 1;
  }

  /** A tenth less; no two logarithms are alike. */
  public static double less(int repeat) {
    return 0.9 + repeat / 1000.0;
  }

  /** A tenth more. */
  public static double more(int repeat) {
    return 1.1 + repeat / 1000.0;
  }

  /** Now less, now more. */
  public static double either(int repeat) {
    return repeat % 2 == 0 ? 0.98 - repeat / 1000.0 : 1.02 + repeat / 1000.0;
  }

  /** Pairs of one knob: server CPU and RSS under the profile's value are those of the default times a factor of the repeat. */
  public static RunRecord of(int pairs, IntToDoubleFunction cpu, IntToDoubleFunction rss, Consumer<ObjectNode> change) throws IOException {
    ObjectNode run = (ObjectNode) JsonMapper.shared().readTree(Files.readString(GOLDEN));
    JsonNode valid = run.at("/rungs/0");
    JsonNode server = run.at("/servers/0");
    ObjectNode study = (ObjectNode) run.get("study");
    JsonNode entry = run.at("/study/servers/0");
    study.put("repeats", pairs).set("rungs", JsonMapper.shared().valueToTree(List.of(1000)));
    ObjectNode knob = study.putArray("tuned").addObject();
    knob.put("name", "cork").put("key", "net.ipv4.tcp_autocorking").put("from", "1").put("to", "0").put("lifts", "small writes");
    knob.put("counter", "nstat").put("costs", "more packets");
    ArrayNode servers = run.putArray("servers");
    ArrayNode entries = study.putArray("servers");
    ArrayNode rungs = run.putArray("rungs");
    JsonNode climb = run.at("/climbs/0");
    ArrayNode climbs = run.putArray("climbs");
    for (String level : List.of("profile", "default")) {
      String label = "floor-cork-" + level;
      servers.add(((ObjectNode) server).deepCopy().put("label", label));
      climbs.add(((ObjectNode) climb).deepCopy().put("server", label).put("highest_valid_connections", 1000));
      ObjectNode of = ((ObjectNode) entry).deepCopy().put("label", label);
      of.putObject("knob").put("server", "floor").put("name", "cork").put("level", level).put("value", level.equals("profile") ? "0" : "1")
          .put("changed", level.equals("profile"));
      entries.add(of);
      for (int repeat = 1; repeat <= pairs; repeat++) {
        boolean changed = level.equals("profile");
        rungs.add(
            ((ObjectNode) valid)
                .deepCopy()
                .put("server", label)
                .put("repeat", repeat)
                .put("server_cpu_us_per_echo", 20 * (changed ? cpu.applyAsDouble(repeat) : 1))
                .put("server_rss_bytes_per_connection", 5000 * (changed ? rss.applyAsDouble(repeat) : 1)));
      }
    }
    change.accept(run);
    return RunFolder.parse(run.toString());
  }

  /**
   * What climbing a study of knobs writes.
   *
   * @param cpu server CPU per echo of a knob's value in a repeat
   */
  public static RunRecord climbed(Study study, BiFunction<KnobLevel, Integer, Double> cpu) throws IOException {
    ObjectNode run = (ObjectNode) JsonMapper.shared().readTree(Files.readString(GOLDEN));
    ObjectNode valid = (ObjectNode) run.at("/rungs/0");
    ObjectNode server = (ObjectNode) run.at("/servers/0");
    ObjectNode climb = (ObjectNode) run.at("/climbs/0");
    run.set("study", RunFolder.tree(study));
    ArrayNode servers = run.putArray("servers");
    ArrayNode climbs = run.putArray("climbs");
    ArrayNode rungs = run.putArray("rungs");
    int connections = study.rungs().getFirst();
    for (Study.Entry entry : study.servers()) {
      KnobLevel knob = Objects.requireNonNull(entry.knob());
      servers.add(server.deepCopy().put("label", entry.label()).put("name", entry.server()));
      climbs.add(climb.deepCopy().put("server", entry.label()).put("highest_valid_connections", connections));
      for (int repeat = 1; repeat <= study.repeats(); repeat++) {
        rungs.add(
            valid.deepCopy().put("server", entry.label()).put("connections", connections).put("repeat", repeat)
                .put("server_cpu_us_per_echo", cpu.apply(knob, repeat)));
      }
    }
    return RunFolder.parse(run.toString());
  }

  /** Another knob with the same figures, in front of all that there are. */
  public static void another(ObjectNode run, String name) {
    ArrayNode tuned = (ArrayNode) run.at("/study/tuned");
    tuned.insert(0, ((ObjectNode) tuned.get(0)).deepCopy().put("name", name));
    for (String at : List.of("/servers", "/study/servers", "/climbs", "/rungs")) {
      ArrayNode all = (ArrayNode) run.at(at);
      for (JsonNode one : List.copyOf(all.valueStream().toList())) {
        ObjectNode copy = (ObjectNode) one.deepCopy();
        for (String key : List.of("label", "server")) {
          if (copy.has(key)) {
            copy.put(key, copy.get(key).asString().replace("-cork-", "-" + name + "-"));
          }
        }
        if (copy.get("knob") instanceof ObjectNode knob) {
          knob.put("name", name);
        }
        all.add(copy);
      }
    }
  }

  /** The default of that knob does not hold the connections, as the accept queue overflows. */
  public static void needed(ObjectNode run, String name) {
    for (JsonNode knob : run.at("/study/tuned")) {
      if (knob.get("name").asString().equals(name)) {
        ((ObjectNode) knob).put("limit", "net.core.somaxconn");
      }
    }
    for (JsonNode rung : run.get("rungs")) {
      if (!rung.get("server").asString().contains("-" + name + "-")) {
        continue;
      }
      boolean from = rung.get("server").asString().endsWith("default");
      ObjectNode of = (ObjectNode) rung;
      ObjectNode limits = of.putObject("limits");
      limits.putArray("doctor");
      limits.putArray("server_said");
      limits.putObject("kernel").putObject("listen_overflows").put("before", 3).put("after", from ? 15 : 3).put("most", from ? 15 : 3);
      ArrayNode met = limits.putArray("met");
      if (from) {
        met.addObject().put("limit", "net.core.somaxconn").put("page", "accept-queue").putArray("because").add("overflows");
        of.put("verdict", "invalid").putArray("verdict_reasons").addObject().put("reason", "connections-missing").put("detail", "x");
      }
    }
  }
}
