package echoladder.harness.metric;

import echoladder.harness.Derived;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.json.JsonMapper;

/** The parts of docs/METHOD.md and docs/run.schema.json that follow from the catalogue. */
final class CataloguePages {
  private static final String BEGIN = "<!-- The table follows from the package harness.metric: see CatalogueTest. -->\n";
  private static final String END = "<!-- End of the table. -->\n";

  private CataloguePages() {}

  /** METHOD.md with the table of figures as it should be. */
  static String method(String page) {
    return Derived.between(page, BEGIN, END, table());
  }

  private static String table() {
    Set<String> rows = new LinkedHashSet<>();
    rows.add("| figure | in | better | is quoted as | what it is |");
    rows.add("|---|---|---|---|---|");
    for (Metric row : Stream.concat(Catalogue.ofRung().stream(), RecordMetrics.all().stream()).toList()) {
      String meaning = row.words().meaning();
      // One row for all percentiles of a kind of time.
      boolean family = !row.family().isEmpty();
      rows.add(
          "| `%s` | %s | %s | %s | %s |"
              .formatted(
                  family ? row.family() + "_" + Times.ends() : row.name(),
                  row.unit().symbol(),
                  row.better().id(),
                  row.claim().words(),
                  family ? meaning.substring(0, meaning.lastIndexOf("; ")) : meaning));
    }
    return String.join("\n", rows) + "\n";
  }

  /** The schema with the properties of figures as they should be: the last two of its definitions. */
  static String schema(String page) {
    return page.substring(0, page.indexOf("    \"load_figures\": {")) + definitions() + "  }\n}\n";
  }

  private static String definitions() {
    List<Metric> load = Catalogue.ofRung().stream().filter(row -> row.source() instanceof Source.OfLoad).toList();
    return definition("load_figures", load) + "    },\n" + definition("probe_figures", Catalogue.probed()) + "    }\n";
  }

  private static String definition(String name, List<Metric> rows) {
    return "    \"%s\": {\n      \"description\": \"follows from the package harness.metric\",\n      \"properties\": {\n".formatted(name)
        + rows.stream().map(CataloguePages::property).collect(Collectors.joining(",\n"))
        + "\n      }\n";
  }

  private static String property(Metric row) {
    boolean always = row.source() instanceof Source.OfLoad of && of.always();
    boolean falls = row.source() instanceof Source.Probed of && of.falls();
    String type = row.unit().whole() ? "\"integer\"" : "\"number\"";
    List<String> parts = new ArrayList<>();
    parts.add("\"type\": " + (always ? type : "[" + type + ", \"null\"]"));
    parts.addAll(falls ? List.of() : List.of("\"minimum\": 0"));
    parts.add("\"description\": " + JsonMapper.shared().writeValueAsString(row.words().meaning()));
    return "        \"%s\": {%s}".formatted(row.name(), String.join(", ", parts));
  }

  /** Every figure that is shown somewhere, by the list that names it; one that is added is among them. */
  static Map<String, List<Metric>> shown() {
    Map<String, List<Metric>> lists = new TreeMap<>();
    for (Field list : Shown.class.getFields()) {
      try {
        lists.put(list.getName(), metrics(Objects.requireNonNull(list.get(null))).toList());
      } catch (IllegalAccessException e) {
        throw new IllegalStateException(e);
      }
    }
    return lists;
  }

  private static Stream<Metric> metrics(Object shown) {
    return switch (shown) {
      case Metric metric -> Stream.of(metric);
      case Times times -> times.figures().values().stream();
      case Map<?, ?> map -> map.values().stream().flatMap(CataloguePages::metrics);
      case Collection<?> list -> list.stream().flatMap(CataloguePages::metrics);
      // Of three times: which columns each of them has.
      case Percentile _ -> Stream.of();
      default -> throw new IllegalArgumentException("no figure: " + shown);
    };
  }
}
