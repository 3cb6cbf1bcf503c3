package echoladder.harness.study;

import echoladder.harness.common.Checkout;
import echoladder.harness.common.YamlTree;
import echoladder.harness.knobs.KnobRow.Level;
import echoladder.harness.knobs.KnobRow.Phase;
import echoladder.harness.knobs.KnobRow.Reach;
import echoladder.harness.knobs.KnobRow;
import echoladder.harness.knobs.Knobs;
import echoladder.harness.knobs.LoopbackSetting;
import echoladder.harness.server.ServerManifest;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * A study of knobs: each server stands for two entries per knob that can matter to it in the steady state, one with the value
 * that is asked about and one with the value that it is held against. What comes out is a list of entries like one written by
 * hand. Of walls, each entry that lowers a limit stands for two, with and without what it lowers.
 */
final class KnobEntries {
  private static final String WHOLE = "all";

  private final YamlTree yaml;
  private final Knobs knobs;
  private final Compare compare;
  private final boolean walls;
  private final Phase phase;
  private final Set<String> chosen = new LinkedHashSet<>();

  /** Which two levels of a knob are a pair; with {@link #LESS_ALL} all other knobs have their profile's value. */
  private enum Compare {
    DEFAULT_PROFILE,
    PROFILE_BEYOND,
    LESS_ALL;

    /** What a row is held against; null = it has no such level. */
    @Nullable String from(KnobRow row) {
      return row.value(this == PROFILE_BEYOND ? Level.PROFILE : Level.DEFAULT);
    }

    @Nullable String to(KnobRow row) {
      return row.value(this == PROFILE_BEYOND ? Level.BEYOND : Level.PROFILE);
    }

    String fromId() {
      return this == LESS_ALL ? KnobLevel.LESS : (this == PROFILE_BEYOND ? Level.PROFILE : Level.DEFAULT).id();
    }

    String toId() {
      return this == LESS_ALL ? WHOLE : (this == PROFILE_BEYOND ? Level.BEYOND : Level.PROFILE).id();
    }
  }

  /** Takes a study with its defaults: they stand in the schema alone. */
  private KnobEntries(YamlTree yaml, JsonNode tuning, Knobs knobs) {
    this.yaml = yaml;
    this.knobs = knobs;
    compare = Compare.valueOf(tuning.get("compare").asString().toUpperCase(Locale.ROOT).replace('-', '_'));
    Phase asked = Phase.valueOf(tuning.get("phase").asString().toUpperCase(Locale.ROOT));
    // Other knobs matter there, and those of a runtime no more than over loopback.
    phase = asked == Phase.STEADY && yaml.root().has("network") ? Phase.NETWORK : asked;
    walls = phase == Phase.WALL;
    tuning.path("knobs").forEach(name -> chosen.add(name.asString()));
  }

  /**
   * Those of a study that fits the schema; empty where it is of no knobs.
   *
   * @param filled the study with its defaults
   */
  static Optional<KnobEntries> of(YamlTree yaml, JsonNode filled, Checkout checkout, Map<String, ServerManifest> servers) {
    JsonNode tuning = filled.path("tuning");
    if (tuning.isMissingNode()) {
      return Optional.empty();
    }
    String file = tuning.path("catalogue").asString();
    return Optional.of(new KnobEntries(yaml, tuning, Knobs.read(checkout.root().resolve(file), file, servers)));
  }

  /**
   * All that is wrong with what the study says of knobs.
   *
   * @param labels of the servers that are chosen on the command line; none = all of the study
   */
  List<String> complaints(List<String> labels) {
    List<String> complaints = new ArrayList<>();
    if (phase == Phase.CONNECTING && compare == Compare.LESS_ALL) {
      complaints.add(yaml.at("/tuning/compare")
          + ": not allowed while connections come (tuning.phase), where all others have their profile's value anyway");
    }
    for (String other : List.of("axes", "capacity")) {
      if (yaml.root().has(other)) {
        complaints.add(yaml.at("/" + other) + ": not allowed in a study of knobs (tuning), whose entries follow from the knobs");
      }
    }
    if (walls) {
      complaints.addAll(Walls.complaints(yaml, knobs, chosen));
      return complaints;
    }
    List<String> servers = new ArrayList<>();
    for (JsonNode node : yaml.root().get("servers")) {
      if (labels.isEmpty() || labels.stream().map(EntryChoice::labelOf).anyMatch(EntryChoice.label(node)::equals)) {
        servers.add(name(node));
      }
    }
    for (String name : chosen) {
      complaint(name, servers).ifPresent(complaints::add);
    }
    if (complaints.isEmpty() && servers.stream().anyMatch(server -> rows(server).stream().noneMatch(KnobRow::setByRuns))) {
      complaints.add(yaml.at("/tuning") + ": no knob of " + String.join(", ", servers) + " has these two values");
    }
    return complaints;
  }

  private Optional<String> complaint(String name, List<String> servers) {
    String at = yaml.at("/tuning/knobs") + ": ";
    KnobRow row = knobs.named(name).orElse(null);
    if (row == null || !row.phases().contains(phase)) {
      String known = knobs.rows().stream().filter(r -> r.phases().contains(phase)).map(KnobRow::name).collect(Collectors.joining(", "));
      String when =
          phase == Phase.STEADY ? "in the steady state" : phase == Phase.NETWORK ? "over a network" : "while connections come";
      return Optional.of(
          at + (row == null ? "there is no knob '%s'; those that matter %s: ".formatted(name, when)
              : "'%s' does not matter %s; those that do: ".formatted(name, when)) + known);
    }
    if (!row.setByRuns()) {
      return Optional.of(at + "no run sets '" + name + "'; by hand: " + row.elsewhere());
    }
    if (servers.stream().noneMatch(server -> row.matters(server, phase))) {
      return Optional.of(at + "'%s' is no knob of %s; it is one of %s"
          .formatted(name, String.join(", ", servers), String.join(", ", row.servers())));
    }
    if (compare.to(row) == null) {
      return Optional.of(at + "'" + name + "' has no level beyond its profile's value");
    }
    return asks(row) ? Optional.empty()
        : Optional.of(at + "'" + name + "' has its default in the profile: there is nothing to hold against each other");
  }

  private static String name(JsonNode server) {
    return server.isString() ? server.asString() : server.path("name").asString();
  }

  /** The knobs of a server that the study asks about. */
  private List<KnobRow> rows(String server) {
    return knobs.of(server, phase).stream()
        .filter(row -> chosen.isEmpty() || chosen.contains(row.name()))
        .filter(this::asks)
        .toList();
  }

  private boolean asks(KnobRow row) {
    return compare.to(row) != null && !Objects.equals(compare.to(row), compare.from(row));
  }

  /**
   * Knobs that have their profile's value in both entries of a pair of another one: of the profile less one knob those that the study
   * asks about, and while connections come all that a namespace or a server has, as queues stand behind one another.
   */
  private List<KnobRow> others(String server, List<KnobRow> asked) {
    if (phase == Phase.CONNECTING) {
      return knobs.of(server, phase).stream().filter(row -> row.setByRuns() && row.scope() != Reach.HOST).toList();
    }
    return compare == Compare.LESS_ALL ? asked : List.of();
  }

  /** The knobs of the servers that are climbed, for the record. */
  List<TunedKnob> tuned(Study climbed) {
    if (walls) {
      return Walls.tuned(climbed, knobs);
    }
    return climbed.servers().stream()
        .map(Study.Entry::server)
        .distinct()
        .flatMap(server -> rows(server).stream())
        .distinct()
        .map(
            row ->
                TunedKnob.of(
                    row,
                    from(row),
                    Objects.requireNonNull(compare.to(row)),
                    row.setByRuns() ? null : "no run sets it; by hand: " + row.elsewhere()))
        .toList();
  }

  /** Every server of the study with the entries that its knobs make of it. */
  List<Axes.Expanded> expanded(List<Axes.Expanded> written) {
    if (walls) {
      return Walls.expanded(written, knobs, chosen);
    }
    List<Axes.Expanded> all = new ArrayList<>();
    for (Axes.Expanded server : written) {
      JsonNode node = server.node();
      List<KnobRow> rows = rows(name(node)).stream().filter(KnobRow::setByRuns).toList();
      for (KnobRow row : rows) {
        List<KnobRow> others = others(name(node), rows);
        all.add(entry(node, others, row, compare.toId(), Objects.requireNonNull(compare.to(row)), true));
        all.add(entry(node, others, row, compare.fromId(), from(row), false));
      }
    }
    return all;
  }

  /** What a knob is held against. */
  private String from(KnobRow row) {
    return compare == Compare.PROFILE_BEYOND || row.defaultIsValue() ? Objects.requireNonNull(compare.from(row)) : Walls.AS_HERE;
  }

  private Axes.Expanded entry(JsonNode server, List<KnobRow> others, KnobRow row, String level, String value, boolean changed) {
    ObjectNode copy =
        server.isObject() ? (ObjectNode) server.deepCopy() : JsonNodeFactory.instance.objectNode().set("name", server);
    others.stream().filter(other -> !other.equals(row)).forEach(other -> set(copy, other, other.profile()));
    if (!value.equals(Walls.AS_HERE)) {
      set(copy, row, value);
    }
    return new Axes.Expanded(copy, null, new KnobLevel(EntryChoice.label(server), row.name(), level, value, changed));
  }

  private static void set(ObjectNode entry, KnobRow row, String value) {
    switch (row.kind()) {
      case SYSCTL -> entry.withObjectProperty("settings").withObjectProperty("sysctl").put(row.key(), value);
      case RLIMIT -> entry.withObjectProperty("settings").withObjectProperty("server").put(row.key(), Long.parseLong(value));
      case OPTION -> entry.withObjectProperty("options").put(row.key(), value);
      case ARGUMENT -> entry.withObjectProperty("settings").withObjectProperty("server")
          .put(row.key().replaceFirst("^--", ""), Integer.parseInt(value));
      case ROUTE -> entry.withObjectProperty("settings").withObjectProperty("route").put(row.key(), value);
      case DEVICE -> entry.withObjectProperty("settings").put(LoopbackSetting.ofKey(row.key()).orElseThrow().id(), value);
      case CGROUP -> throw new IllegalStateException("no run sets " + row.name());
    }
  }
}
