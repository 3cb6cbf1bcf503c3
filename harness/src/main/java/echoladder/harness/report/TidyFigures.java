package echoladder.harness.report;

import echoladder.client.StagedFigures;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord;
import echoladder.harness.study.Study;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * results.csv: tidy, one row per server, rung, repeat and figure. Figures have the names of run.json, in whose order they
 * stand; a value that there is not is empty, so each rung has the same rows. Values are written as run.json has them. A
 * study with axes has further columns: the server that an entry is made from, and its value on each axis.
 */
final class TidyFigures {
  static final String HEADER =
      "study,run_id,server,client,connections,repeat,status,verdict,stage,request,figure,relation,value,unit";

  /** What a rung was, not what it showed. */
  private static final List<String> NO_FIGURES = List.of("connections", "repeat", "response_time_lower_bound_beyond", "response_time_floor_ns");

  /** Ends of names, the longer before the shorter, and the unit that each says. */
  private static final Map<String, String> UNITS = new LinkedHashMap<>();

  static {
    UNITS.put("_us_per_echo", "us/echo");
    UNITS.put("_us_above_floor_per_echo", "us/echo");
    UNITS.put("_bytes_per_echo", "B/echo");
    UNITS.put("_bytes_per_connection", "B/connection");
    UNITS.put("_per_s", "1/s");
    UNITS.put("_ns", "ns");
    UNITS.put("_bytes", "B");
    UNITS.put("seconds", "s");
  }

  private static final Map<String, Double> PERCENTILES =
      Map.of("p50", 50.0, "p90", 90.0, "p99", 99.0, "p999", 99.9, "p9999", 99.99, "max", 100.0);

  private final RunRecord run;
  private final List<String> axes;
  private final StringBuilder out = new StringBuilder(HEADER);

  private TidyFigures(RunRecord run) {
    this.run = run;
    this.axes = List.copyOf(run.study().axes().keySet());
    if (!axes.isEmpty()) {
      out.append(",axis_server");
    }
    axes.forEach(axis -> out.append(',').append(cell("axis_" + axis)));
    out.append('\n');
  }

  /** The file's text. */
  static String of(RunRecord run) {
    TidyFigures csv = new TidyFigures(run);
    Map<Measurement, JsonNode> records = new LinkedHashMap<>();
    Measurement.all(run).forEach(m -> records.put(m, RunFolder.tree(m.rung())));
    List<String> figures = figures(records);
    records.forEach(
        (m, record) -> {
          for (String figure : figures) {
            JsonNode value = record.get(figure);
            csv.row(m, "", "", figure, relation(m.rung(), figure), number(value) ? value.asString() : "");
          }
          csv.staged(m);
        });
    return csv.out.toString();
  }

  /** The names of all figures that some rung of the run has, in the order of the record. */
  private static List<String> figures(Map<Measurement, JsonNode> records) {
    Set<String> figures = new LinkedHashSet<>();
    Set<String> withValue = new HashSet<>();
    records.forEach(
        (m, record) -> {
          for (Map.Entry<String, JsonNode> field : record.properties()) {
            if (m.rung().load() != null && (number(field.getValue()) || field.getValue().isNull())) {
              figures.add(field.getKey());
            }
            if (number(field.getValue())) {
              withValue.add(field.getKey());
            }
          }
        });
    NO_FIGURES.forEach(figures::remove);
    return figures.stream().filter(name -> withValue.contains(name) || named(name)).toList();
  }

  /** Texts are null where there are none: only a name that says a unit or a percentile is a figure without values. */
  private static boolean named(String name) {
    return !unit(name).equals("1");
  }

  private static boolean number(@Nullable JsonNode value) {
    return value != null && value.isNumber();
  }

  static String unit(String figure) {
    return UNITS.entrySet().stream()
        .filter(u -> figure.endsWith(u.getKey()))
        .map(Map.Entry::getValue)
        .findFirst()
        .orElse("1");
  }

  /** = or, of a percentile that part of the messages has no answer for, >=. */
  private static String relation(RungRecord rung, String figure) {
    Double beyond = rung.load() == null ? null : rung.load().responseTimeLowerBoundBeyond();
    String prefix = "response_time_";
    if (beyond == null || !figure.startsWith(prefix) || !figure.endsWith("_ns")) {
      return "=";
    }
    Double percentile = PERCENTILES.get(figure.substring(prefix.length(), figure.length() - "_ns".length()));
    return percentile != null && percentile > beyond ? ">=" : "=";
  }

  private void staged(Measurement m) {
    StagedFigures staged = m.rung().staged();
    if (staged == null) {
      return;
    }
    for (StagedFigures.Span span : staged.spans()) {
      String stage = span.stage() == null ? "all" : String.valueOf(span.stage());
      for (StagedFigures.RequestFigures of : span.requests()) {
        Map<String, String> values = new TreeMap<>();
        flatten("", RunFolder.tree(of), values);
        values.forEach((figure, value) -> row(m, stage, of.request(), figure, relation(of, figure), value));
      }
    }
  }

  private static String relation(StagedFigures.RequestFigures of, String figure) {
    Double beyond = of.lowerBoundBeyond();
    if (beyond == null || !figure.contains("_time_") || !figure.endsWith("_ns")) {
      return "=";
    }
    String name = figure.substring(figure.lastIndexOf("time_") + "time_".length(), figure.length() - "_ns".length());
    double percentile = name.equals("mean") ? 100 : PERCENTILES.getOrDefault(name, name.equals("p95") ? 95.0 : 100.0);
    return percentile > beyond ? ">=" : "=";
  }

  private static void flatten(String prefix, JsonNode node, Map<String, String> into) {
    for (Map.Entry<String, JsonNode> field : node.properties()) {
      if (field.getValue().isObject()) {
        flatten(prefix + field.getKey() + "_", field.getValue(), into);
      } else if (!field.getValue().isString() && !field.getKey().equals("lower_bound_beyond")) {
        into.put(prefix + field.getKey(), field.getValue().isNumber() ? field.getValue().asString() : "");
      }
    }
  }

  private void row(Measurement m, String stage, String request, String figure, String relation, String value) {
    RungRecord rung = m.rung();
    String verdict = rung.load() == null ? "" : rung.valid() ? "valid" : "invalid";
    String status = rung.status().name().toLowerCase(Locale.ROOT).replace('_', '-');
    List<String> cells = new ArrayList<>(
        List.of(
            run.study().name(), run.runId(), rung.server(), ToolTimes.client(run.study(), rung),
            String.valueOf(rung.connections()), String.valueOf(m.repeat()), status, verdict, stage, request, figure,
            relation, value, unit(figure)));
    if (!axes.isEmpty()) {
      Study.Entry entry = run.study().entry(rung.server()).orElseThrow();
      cells.add(entry.base());
      axes.forEach(axis -> cells.add(entry.point() == null ? "" : entry.point().values().getOrDefault(axis, "")));
    }
    out.append(String.join(",", cells.stream().map(TidyFigures::cell).toList())).append('\n');
  }

  /** RFC 4180. */
  private static String cell(String text) {
    return text.matches("(?s).*[,\"\r\n].*") ? '"' + text.replace("\"", "\"\"") + '"' : text;
  }
}
