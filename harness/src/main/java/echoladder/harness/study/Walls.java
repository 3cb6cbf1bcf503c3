package echoladder.harness.study;

import echoladder.harness.common.YamlTree;
import echoladder.harness.knobs.KnobRow;
import echoladder.harness.knobs.Knobs;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Entries that lower a limit until a climb ends, each beside the same entry without what it lowers. */
final class Walls {
  private static final String LOW = "low";
  private static final String HELD = "held";
  static final String AS_HERE = "as it is here";

  /** What is lowered, in an entry. */
  private static final List<String> LOWERED = List.of("/settings/sysctl", "/settings/server/nofile", "/settings/server/memory", "/options");

  private Walls() {}

  private static Optional<KnobRow> row(Knobs knobs, String label) {
    return knobs.rows().stream().filter(row -> label.equals(row.wall())).findFirst();
  }

  /** What is wrong with a study of walls. */
  static List<String> complaints(YamlTree yaml, Knobs knobs, Set<String> chosen) {
    List<String> complaints = new ArrayList<>();
    Set<String> names = new TreeSet<>();
    int index = 0;
    for (JsonNode entry : yaml.root().get("servers")) {
      String label = EntryChoice.label(entry);
      Optional<KnobRow> row = row(knobs, label);
      if (row.isEmpty() || lowered(entry) == null) {
        complaints.add(
            yaml.at("/servers/" + index) + ": '" + label + "' "
                + (row.isEmpty() ? "is the wall of no knob"
                    : "lowers nothing that can be left out: no sysctl, nofile or memory of the server, and no option"));
      }
      row.ifPresent(of -> names.add(of.name()));
      index++;
    }
    for (String name : chosen) {
      if (!names.contains(name)) {
        complaints.add(yaml.at("/tuning/knobs") + ": '" + name + "' has no wall in this study; it has " + String.join(", ", names));
      }
    }
    return complaints;
  }

  /** Each entry twice. */
  static List<Axes.Expanded> expanded(List<Axes.Expanded> written, Knobs knobs, Set<String> chosen) {
    List<Axes.Expanded> all = new ArrayList<>();
    for (Axes.Expanded server : written) {
      String label = EntryChoice.label(server.node());
      KnobRow row = row(knobs, label).orElse(null);
      String value = lowered(server.node());
      if (row == null || value == null || !(chosen.isEmpty() || chosen.contains(row.name()))) {
        continue;
      }
      ObjectNode held = (ObjectNode) server.node().deepCopy();
      held.remove(List.of("expect_limit", "options"));
      if (held.get("settings") instanceof ObjectNode settings) {
        settings.remove("sysctl");
        if (settings.get("server") instanceof ObjectNode ofServer) {
          ofServer.remove(List.of("nofile", "memory"));
        }
      }
      all.add(new Axes.Expanded(server.node(), null, new KnobLevel(label, row.name(), LOW, value, false)));
      all.add(new Axes.Expanded(held, null, new KnobLevel(label, row.name(), HELD, AS_HERE, true)));
    }
    return all;
  }

  /** The value that an entry lowers to; null where it lowers nothing. */
  private static @Nullable String lowered(JsonNode entry) {
    String values =
        LOWERED.stream()
            .map(entry::at)
            .filter(node -> !node.isMissingNode())
            .flatMap(node -> node.isObject() ? node.values().stream() : Stream.of(node))
            .map(JsonNode::asString)
            .collect(Collectors.joining(", "));
    return values.isEmpty() ? null : values;
  }

  /** The knobs whose walls are climbed, for the record. */
  static List<TunedKnob> tuned(Study climbed, Knobs knobs) {
    return climbed.servers().stream()
        .map(entry -> Objects.requireNonNull(entry.knob(), "every entry of a study of walls is of a knob"))
        .filter(knob -> !knob.changed())
        .map(knob -> TunedKnob.of(knobs.named(knob.name()).orElseThrow(), knob.value(), AS_HERE, null))
        .toList();
  }
}
