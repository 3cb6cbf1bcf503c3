package echoladder.harness.report.table;

import echoladder.client.figures.StagedFigures;
import echoladder.harness.common.Csv;
import echoladder.harness.metric.Catalogue;
import echoladder.harness.metric.Metric;
import echoladder.harness.metric.RecordMetrics;
import echoladder.harness.metric.StagedMetrics;
import echoladder.harness.report.words.Measurement;
import echoladder.harness.report.words.RungText;
import echoladder.harness.results.CapacityRecord;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord;
import echoladder.harness.study.Study;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * results.csv: tidy, one row per server, rung, repeat and figure. Figures have the names of run.json, in whose order they
 * stand; a value that there is not is empty, so each rung has the same rows. Values are written as run.json has them. A
 * study with axes has further columns: the server that an entry is made from, and its value on each axis. One with several rates
 * has two before these: the rate, and whether the rung is a check for drift.
 */
public final class TidyFigures {
  static final String HEADER =
      "study,run_id,server,client,connections,repeat,status,verdict,stage,request,figure,relation,value,unit";

  private final RunRecord run;
  private final List<String> axes;
  private final boolean rates;
  private final StringBuilder out = new StringBuilder(HEADER);

  private TidyFigures(RunRecord run) {
    this.run = run;
    this.axes = List.copyOf(run.study().axes().keySet());
    this.rates = RungText.severalRates(run);
    if (rates) {
      out.append(",rung_rate_per_s,drift_check");
    }
    if (!axes.isEmpty()) {
      out.append(",axis_server");
    }
    axes.forEach(axis -> out.append(',').append(Csv.cell("axis_" + axis)));
    out.append('\n');
  }

  /** The file's text. */
  public static String of(RunRecord run) {
    TidyFigures csv = new TidyFigures(run);
    List<Measurement> all = Measurement.withDriftChecks(run);
    List<Metric> figures =
        Catalogue.ofRung().stream()
            .filter(row -> !row.unit().symbol().equals("1") || all.stream().anyMatch(m -> row.of(m.rung()) != null))
            .toList();
    for (Measurement m : all) {
      figures.forEach(row -> csv.row(m, "", "", row, row.atLeast(m.rung()), row.of(m.rung())));
      csv.staged(m);
    }
    run.capacity().forEach(csv::capacity);
    return csv.out.toString();
  }

  private void capacity(CapacityRecord row) {
    String held = row.atLeast() == null ? "=" : ">=";
    capacity(row, RecordMetrics.CAPACITY_HELD, held, row.capacityHeldPerS());
    capacity(row, RecordMetrics.CAPACITY_NOT_HELD, "=", row.capacityNotHeldPerS());
  }

  /** Adds a row for a whole search: it has no repeat, no rate and no verdict of its own. */
  private void capacity(CapacityRecord row, Metric figure, String relation, @Nullable Double value) {
    Study.Entry entry = run.study().entry(row.server()).orElseThrow();
    List<String> cells = new ArrayList<>(
        List.of(
            run.study().name(), run.runId(), row.server(), entry.client(), String.valueOf(row.connections()), "",
            RunFolder.tree(row).get("end").asString(), "", "", "", figure.name(), relation,
            value == null ? "" : value.toString(), figure.unit().symbol()));
    if (rates) {
      cells.addAll(List.of("", "false"));
    }
    add(cells, row.server());
  }

  private void staged(Measurement m) {
    StagedFigures staged = m.rung().staged();
    if (staged == null) {
      return;
    }
    for (StagedFigures.Span span : staged.spans()) {
      String stage = span.stage() == null ? "all" : String.valueOf(span.stage());
      for (StagedFigures.RequestFigures of : span.requests()) {
        for (Metric row : StagedMetrics.all()) {
          row(m, stage, of.request(), row, row.atLeast(of.lowerBoundBeyond()), StagedMetrics.of(row, of));
        }
      }
    }
  }

  private void row(
      Measurement m, String stage, String request, Metric figure, boolean atLeast, @Nullable Number value) {
    RungRecord rung = m.rung();
    String verdict = rung.load() == null ? "" : rung.load().verdict().id();
    String status = rung.status().name().toLowerCase(Locale.ROOT).replace('_', '-');
    List<String> cells = new ArrayList<>(
        List.of(
            run.study().name(), run.runId(), rung.server(), ToolTimes.client(run.study(), rung),
            String.valueOf(rung.connections()), String.valueOf(m.repeat()), status, verdict, stage, request,
            figure.name(), atLeast ? ">=" : "=", value == null ? "" : value.toString(), figure.unit().symbol()));
    if (rates) {
      cells.add(rung.key().rate());
      cells.add(String.valueOf(rung.driftCheck()));
    }
    add(cells, rung.server());
  }

  private void add(List<String> cells, String server) {
    if (!axes.isEmpty()) {
      Study.Entry entry = run.study().entry(server).orElseThrow();
      cells.add(entry.base());
      axes.forEach(axis -> cells.add(entry.point() == null ? "" : entry.point().values().getOrDefault(axis, "")));
    }
    out.append(String.join(",", cells.stream().map(Csv::cell).toList())).append('\n');
  }
}
