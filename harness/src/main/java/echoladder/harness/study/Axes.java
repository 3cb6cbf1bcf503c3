package echoladder.harness.study;

import echoladder.harness.common.Jdks;
import echoladder.harness.common.YamlTree;
import echoladder.harness.server.ServerManifest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The axes of a study: each server stands for as many entries as there are combinations of the values of its axes. What
 * comes out is a list of entries like one written by hand.
 */
final class Axes {
  /** More is no study that anybody waits for. */
  static final int MOST_ENTRIES = 64;
  /** The names of a run's files contain it. */
  private static final int LONGEST_LABEL = 150;

  private final YamlTree yaml;
  private final Map<String, ServerManifest> servers;
  private final List<Axis> axes;

  Axes(YamlTree yaml, Map<String, ServerManifest> servers) {
    this.yaml = yaml;
    this.servers = servers;
    this.axes = Axis.of(yaml.root());
  }

  /**
   * One entry of the expanded study.
   *
   * @param node as it would be written by hand, but for its label
   * @param point where it stands; null = the study's axes do not concern it
   * @param knob what it sets; null = the study is of no knobs
   */
  record Expanded(JsonNode node, @Nullable AxisPoint point, @Nullable KnobLevel knob) {
    Expanded(JsonNode node, @Nullable AxisPoint point) {
      this(node, point, null);
    }
  }

  /** All that is wrong with them; the study without them is right. */
  List<String> complaints() {
    List<String> complaints = new ArrayList<>();
    Map<String, Axis> names = new HashMap<>();
    for (Axis axis : axes) {
      Axis other = names.put(axis.name(), axis);
      if (other != null && (axis.server() == null || other.server() == null)) {
        complaints.add(yaml.at(axis.pointer()) + ": there is another axis named '" + axis.name() + "'");
      }
      concerned(axis, complaints);
    }
    return complaints.isEmpty() ? crossed() : complaints;
  }

  private void concerned(Axis axis, List<String> complaints) {
    List<String> labels = new ArrayList<>();
    boolean any = false;
    int index = 0;
    for (JsonNode server : yaml.root().get("servers")) {
      ServerManifest manifest = manifest(server);
      labels.add(label(server));
      if (manifest != null && axis.concerns(label(server), manifest.runtime())) {
        any = true;
        if (axis.setBy(server)) {
          complaints.add(
              "%s: '%s' is an axis too, at %s; only one of them can say what it is"
                  .formatted(yaml.at("/servers/" + index), String.join(".", axis.path()), yaml.at(axis.pointer())));
        }
        for (int i = 0; i < axis.values().size(); i++) {
          String wrong = complaint(axis, axis.values().get(i).text(), manifest);
          if (wrong != null) {
            complaints.add(yaml.at(axis.pointer() + "/" + i) + ": " + wrong);
          }
        }
      }
      index++;
    }
    if (!any) {
      complaints.add(
          yaml.at(axis.pointer())
              + (axis.server() == null
                  ? ": none of the study's servers runs on a JVM"
                  : ": the study has no server '" + axis.server() + "'; it has " + String.join(", ", labels)));
    }
  }

  private static @Nullable String complaint(Axis axis, String value, ServerManifest manifest) {
    if (axis.server() != null) {
      return manifest.complaint(axis.name(), value);
    }
    return axis.name().equals(Axis.JDK) ? Jdks.complaint(value) : null;
  }

  /** What is wrong with the entries together. */
  private List<String> crossed() {
    List<String> complaints = new ArrayList<>();
    long all = 0;
    for (JsonNode server : yaml.root().get("servers")) {
      all += axesOf(server).stream().mapToLong(axis -> axis.values().size()).reduce(1, (a, b) -> Math.min(a * b, 1L << 31));
    }
    if (!axes.isEmpty() && all > MOST_ENTRIES) {
      complaints.add(
          "%s: with every combination of their values the study has %,d entries; at most %d"
              .formatted(yaml.at("/axes"), all, MOST_ENTRIES));
      return complaints;
    }
    Set<String> labels = new HashSet<>();
    for (Expanded entry : expanded()) {
      String label = entry.point() == null ? label(entry.node()) : entry.point().label();
      if (!labels.add(label)) {
        complaints.add(yaml.at("/axes") + ": two entries would be called '" + label + "'");
      } else if (entry.point() != null && label.length() > LONGEST_LABEL) {
        complaints.add(
            "%s: an entry would be called '%s', which is longer than %d characters"
                .formatted(yaml.at("/axes"), label, LONGEST_LABEL));
      }
    }
    return complaints;
  }

  /** The study's servers without them. */
  List<Expanded> asWritten() {
    List<Expanded> all = new ArrayList<>();
    yaml.root().get("servers").forEach(server -> all.add(new Expanded(server, null)));
    return all;
  }

  /** Every server of the study with each combination of the values of its axes, the last axis changing first. */
  List<Expanded> expanded() {
    List<Expanded> all = new ArrayList<>();
    for (JsonNode server : yaml.root().get("servers")) {
      List<Axis> own = axesOf(server);
      if (own.isEmpty()) {
        all.add(new Expanded(server, null));
      } else {
        expand(server, own, Map.of(), all);
      }
    }
    return all;
  }

  private static void expand(JsonNode entry, List<Axis> rest, Map<String, String> values, List<Expanded> into) {
    if (rest.isEmpty()) {
      into.add(new Expanded(entry, new AxisPoint(label(entry), values)));
      return;
    }
    Axis axis = rest.getFirst();
    for (Axis.Value value : axis.values()) {
      ObjectNode copy =
          entry.isObject()
              ? (ObjectNode) entry.deepCopy()
              : JsonNodeFactory.instance.objectNode().set("name", entry);
      axis.set(copy, value);
      Map<String, String> more = new LinkedHashMap<>(values);
      more.put(axis.name(), value.text());
      expand(copy, rest.subList(1, rest.size()), more, into);
    }
  }

  private List<Axis> axesOf(JsonNode server) {
    ServerManifest manifest = manifest(server);
    return manifest == null
        ? List.of()
        : axes.stream().filter(axis -> axis.concerns(label(server), manifest.runtime())).toList();
  }

  private @Nullable ServerManifest manifest(JsonNode server) {
    return servers.get(server.isString() ? server.asString() : server.path("name").asString());
  }

  private static String label(JsonNode server) {
    return EntryChoice.label(server);
  }
}
