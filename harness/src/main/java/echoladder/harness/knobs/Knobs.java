package echoladder.harness.knobs;

import echoladder.harness.common.Checkout;
import echoladder.harness.common.Refusal;
import echoladder.harness.common.YamlSchema;
import echoladder.harness.common.YamlTree;
import echoladder.harness.knobs.KnobRow.Kind;
import echoladder.harness.knobs.KnobRow.Level;
import echoladder.harness.knobs.KnobRow.Phase;
import echoladder.harness.limits.KnownLimit;
import echoladder.harness.server.ServerManifest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * The rows of sysctl/knobs.yaml, or of a file of the same form.
 *
 * @param rows in the order of the file
 */
public record Knobs(List<KnobRow> rows) {
  /** Below the checkout. */
  public static final String FILE = "sysctl/knobs.yaml";

  /** More take longer than anybody waits for one server. */
  public static final int MOST_STEADY = 14;

  /** As many over a network, whose loads are of few connections and short. */
  public static final int MOST_OVER_NETWORK = 28;

  private static final JsonMapper JSON =
      JsonMapper.builder().enable(MapperFeature.ACCEPT_CASE_INSENSITIVE_ENUMS).build();

  public Knobs {
    rows = List.copyOf(rows);
  }

  /**
   * Those of a checkout.
   *
   * @param servers the known servers by name
   * @throws Refusal (bad usage) listing all that is wrong
   */
  public static Knobs of(Checkout checkout, Map<String, ServerManifest> servers) {
    return read(checkout.root().resolve(FILE), FILE, servers);
  }

  /**
   * Those of a file.
   *
   * @param shown how messages name it
   * @throws Refusal (bad usage) listing all that is wrong
   */
  public static Knobs read(Path file, String shown, Map<String, ServerManifest> servers) {
    YamlTree yaml = YamlTree.read(file, shown);
    Refusal.badUsageIfAny(new YamlSchema("knobs").complaints(yaml));
    Refusal.badUsageIfAny(limits(yaml));
    List<KnobRow> rows = new ArrayList<>();
    yaml.root().get("knobs").forEach(row -> rows.add(JSON.treeToValue(row, KnobRow.class)));
    Knobs knobs = new Knobs(rows);
    Refusal.badUsageIfAny(knobs.complaints(yaml, servers));
    return knobs;
  }

  /** Those that can matter to a server in a phase, in the order of the file. */
  public List<KnobRow> of(String server, Phase phase) {
    return rows.stream().filter(row -> row.matters(server, phase)).toList();
  }

  /** The one of that name. */
  public Optional<KnobRow> named(String name) {
    return rows.stream().filter(row -> row.name().equals(name)).findFirst();
  }

  /** The one that is that kernel setting. */
  public Optional<KnobRow> ofSysctl(String key) {
    return rows.stream().filter(row -> row.kind() == Kind.SYSCTL && row.key().equals(key)).findFirst();
  }

  private static List<String> limits(YamlTree yaml) {
    List<String> complaints = new ArrayList<>();
    int index = 0;
    for (JsonNode row : yaml.root().get("knobs")) {
      String limit = row.path("limit").asString("");
      if (row.has("limit") && !KnownLimit.ids().contains(limit)) {
        complaints.add(
            yaml.at("/knobs/" + index + "/limit") + ": there is no limit '" + limit + "'; known: " + String.join("; ", KnownLimit.ids()));
      }
      index++;
    }
    return complaints;
  }

  private List<String> complaints(YamlTree yaml, Map<String, ServerManifest> servers) {
    List<String> complaints = new ArrayList<>();
    Set<String> names = new HashSet<>();
    Set<String> keys = new HashSet<>();
    for (int i = 0; i < rows.size(); i++) {
      KnobRow row = rows.get(i);
      String at = "/knobs/" + i;
      if (!names.add(row.name())) {
        complaints.add(yaml.at(at + "/name") + ": '" + row.name() + "' is there twice");
      }
      if (row.kind() != Kind.OPTION && !keys.add(row.key())) {
        complaints.add(yaml.at(at + "/key") + ": '" + row.key() + "' is there twice");
      }
      for (Level level : Level.values()) {
        String value = row.value(level);
        String wrong = value == null ? null : complaint(row, value, servers);
        if (wrong != null) {
          complaints.add(yaml.at(at + "/" + level.id()) + ": " + wrong);
        }
      }
      row.profiles().forEach(
          (profile, value) -> {
            String wrong = complaint(row, value, servers);
            if (wrong != null) {
              complaints.add(yaml.at(at + "/profiles/" + profile) + ": " + wrong);
            }
          });
      if (!row.setByRuns() && row.kind() != Kind.SYSCTL && row.elsewhere() == null) {
        complaints.add(yaml.at(at) + ": the key 'elsewhere' is missing; no run sets a knob of this kind, so how is it set?");
      }
      if (row.kind() == Kind.OPTION && row.servers().isEmpty()) {
        complaints.add(yaml.at(at) + ": the key 'servers' is missing; which servers have the option '" + row.key() + "'?");
      }
    }
    for (String server : servers.keySet()) {
      tooMany(yaml, server, Phase.STEADY, "of the steady state", MOST_STEADY).ifPresent(complaints::add);
      tooMany(yaml, server, Phase.NETWORK, "over a network", MOST_OVER_NETWORK).ifPresent(complaints::add);
    }
    return complaints;
  }

  private Optional<String> tooMany(YamlTree yaml, String server, Phase phase, String words, int most) {
    List<String> names = of(server, phase).stream().map(KnobRow::name).toList();
    return names.size() <= most
        ? Optional.empty()
        : Optional.of(
            "%s: '%s' has %d knobs %s; at most %d: %s"
                .formatted(yaml.at("/knobs"), server, names.size(), words, most, String.join(", ", names)));
  }

  /** What is wrong with a value; null where nothing is. */
  private static @Nullable String complaint(KnobRow row, String value, Map<String, ServerManifest> servers) {
    if (row.kind() == Kind.OPTION) {
      for (String name : row.servers()) {
        ServerManifest server = servers.get(name);
        String wrong =
            server == null
                ? "it is not there; known servers: " + servers.keySet().stream().sorted().collect(Collectors.joining(", "))
                : server.complaint(row.key(), value);
        if (wrong != null) {
          return "for the server '" + name + "': " + wrong;
        }
      }
      return null;
    }
    boolean plain = row.kind() == Kind.SYSCTL && row.steady();
    if (plain && numbers(row.standard()) != numbers(value)) {
      return "'%s' is not allowed; as many numbers as the default, '%s'".formatted(value, row.standard());
    }
    if ((row.kind() == Kind.RLIMIT || row.kind() == Kind.ARGUMENT) && numbers(value) != 1) {
      return "'%s' is not allowed; one whole number".formatted(value);
    }
    if (row.kind() == Kind.ROUTE && row.setByRuns()) {
      return RouteSetting.ofKey(row.key()).flatMap(setting -> setting.complaint(value)).orElse(null);
    }
    if (row.kind() == Kind.DEVICE && row.setByRuns()) {
      return LoopbackSetting.ofKey(row.key()).flatMap(setting -> setting.complaint(value)).orElse(null);
    }
    for (String number : numbers(value) == 0 ? new String[0] : value.split(" ", -1)) {
      long n = Long.parseLong(number);
      if ((row.least() != null && n < row.least()) || (row.most() != null && n > row.most())) {
        return "'%s' is outside the range; %s to %s".formatted(value, bound(row.least()), bound(row.most()));
      }
    }
    return null;
  }

  private static String bound(@Nullable Long bound) {
    return bound == null ? "any" : bound.toString();
  }

  /** How many numbers a value is; 0 = it is words. */
  private static int numbers(String value) {
    String[] fields = value.split(" ", -1);
    for (String field : fields) {
      if (!field.matches("-?\\d{1,18}")) {
        return 0;
      }
    }
    return fields.length;
  }
}
