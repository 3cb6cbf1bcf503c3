package echoladder.harness.report.table;

import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The committed run of made-up figures, whose two contenders are made to have repeats at 1,000 and 2,000. */
public final class PairedRuns {
  static final Path GOLDEN = Path.of("src/test/resources/golden/run.json");

  private PairedRuns() {}

  /** Repeats of contenders a and b: that many at 1,000, then that many at 2,000. */
  public static RunRecord run(int low, int high, Consumer<ObjectNode> change) throws IOException {
    ObjectNode run = (ObjectNode) JsonMapper.shared().readTree(Files.readString(GOLDEN));
    JsonNode valid = run.at("/rungs/0");
    JsonNode server = run.at("/servers/0");
    ObjectNode study = (ObjectNode) run.get("study");
    JsonNode entry = run.at("/study/servers/0");
    study.put("repeats", Math.max(low, high)).set("rungs", array(JsonMapper.shared().valueToTree(List.of(1000, 2000))));
    run.putArray("servers").add(named(server, "label", "a").put("role", "contender"))
        .add(named(server, "label", "b").put("role", "contender"));
    study.putArray("servers").add(named(entry, "label", "a")).add(named(entry, "label", "b"));
    run.putArray("climbs");
    ArrayNode rungs = run.putArray("rungs");
    for (int connections : List.of(1000, 2000)) {
      for (int repeat = 1; repeat <= (connections == 1000 ? low : high); repeat++) {
        for (String label : List.of("a", "b")) {
          rungs.add(
              named(valid, "server", label)
                  .put("connections", connections)
                  .put("repeat", repeat)
                  .put("server_cpu_us_per_echo", label.equals("a") ? 20.0 : 40.0 + repeat)
                  .put("server_rss_bytes_per_connection", 1000.0));
        }
      }
    }
    change.accept(run);
    return RunFolder.parse(run.toString());
  }

  static ArrayNode array(JsonNode node) {
    return (ArrayNode) node;
  }

  static ObjectNode named(JsonNode node, String key, String label) {
    return ((ObjectNode) node).deepCopy().put(key, label);
  }
}
