package echoladder.harness.metric;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.Derived;
import echoladder.harness.Results;
import echoladder.harness.Rungs;
import echoladder.harness.results.CapacityRecord;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RungHost;
import echoladder.harness.results.RungRecord.Status;
import echoladder.harness.results.RungRecord;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What follows from the catalogue, and what it must have a row for. */
class CatalogueTest {
  /** Numbers in a client's answer that say how another figure is to be read. */
  private static final Set<String> NO_FIGURES = Set.of("response_time_lower_bound_beyond", "response_time_floor_ns", "spin_ns");

  private static Set<String> names(List<Metric> rows) {
    return rows.stream().map(Metric::name).collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void eachFigureHasOneRowWithItsWords() {
    assertThat(Catalogue.ofRung()).extracting(Metric::name).doesNotHaveDuplicates();
    assertThat(Catalogue.ofRung()).extracting(Metric::label).doesNotHaveDuplicates();
    assertThat(Catalogue.ofRung())
        .allSatisfy(
            row -> {
              assertThat(row.words().meaning()).as(row.name()).isNotBlank().doesNotContain("|").doesNotEndWith(".");
              assertThat(row.words().title()).as(row.name()).isNotBlank();
            });
    // Of requests of users in stages there are figures that no rung has.
    List<Metric> known = Stream.concat(Catalogue.ofRung().stream(), StagedMetrics.all().stream()).toList();
    assertThat(CataloguePages.shown()).containsKeys("OF_KNOBS", "OVER_RATES").allSatisfy((list, shown) -> assertThat(known).as(list).containsAll(shown));
  }

  @Test
  void eachNumberOfAClientsAnswerIsARow() {
    JsonNode answer = RunFolder.tree(Results.good(1_000));
    Set<String> numbers =
        answer.properties().stream()
            .filter(field -> field.getValue().isNumber() || field.getValue().isNull())
            .map(Map.Entry::getKey)
            .collect(Collectors.toCollection(TreeSet::new));
    numbers.removeAll(NO_FIGURES);
    assertThat(names(Catalogue.ofRung().stream().filter(row -> row.source() instanceof Source.OfLoad).toList()))
        .isEqualTo(numbers);
  }

  /** Beside the rungs there are records of hosts and of searches; the connections of a search say which it is. */
  @Test
  void eachNumberOfAHostAndOfASearchIsARow() {
    Set<String> known = names(Stream.concat(Catalogue.ofRung().stream(), RecordMetrics.all().stream()).toList());
    assertThat(RecordMetrics.all()).extracting(Metric::name).doesNotContainAnyElementsOf(names(Catalogue.ofRung())).doesNotHaveDuplicates();
    assertThat(known).containsAll(numbers(new RungHost("a", "clients", 1, 1, 1.0, 1L, 1L, 1L, 1.0, 1L, 0.5, 0.5, 1L, 1L, 1L)));
    Set<String> ofSearch = numbers(new CapacityRecord("a", 10, 1.0, 2.0, 1.5, true, CapacityRecord.End.FOUND, List.of(), null, List.of()));
    ofSearch.remove("connections");
    assertThat(known).containsAll(ofSearch);
  }

  private static Set<String> numbers(Record record) {
    return RunFolder.tree(record).properties().stream()
        .filter(field -> field.getValue().isNumber())
        .map(Map.Entry::getKey)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void aRowReadsWhatTheRecordHasUnderItsName() {
    Figures figures = Figures.NONE;
    // At another speed of the host CPU is not given.
    Set<Metric> speeds = Set.of(HostMetrics.HOST_SPEED, HostMetrics.CLIENT_SPEED);
    for (Metric row : Catalogue.probed()) {
      figures = figures.with(row, speeds.contains(row) ? 1 : row.unit() == Unit.SHARE ? 0.5 : row.name().length());
    }
    RungRecord rung = Rungs.measured(new RungRecord.Planned("a", 1_000, 1, 5_000, null), Results.good(1_000), figures);
    JsonNode record = RunFolder.tree(rung);
    assertThat(Catalogue.ofRung())
        .allSatisfy(
            row -> {
              JsonNode written = record.get(row.name());
              Number value = row.of(rung);
              assertThat(written.asString("")).as(row.name()).isEqualTo(value == null ? "" : value.toString());
              assertThat(written.isIntegralNumber()).as(row.name()).isEqualTo(value != null && row.unit().whole());
            });
    assertThat(RunFolder.part(record, RungRecord.class)).isEqualTo(rung);
  }

  @Test
  void whatWasNotMeasuredIsNoField() {
    RungRecord rung = RungRecord.notMeasured(new RungRecord.Planned("a", 10, 1, 5_000, null), Status.NOT_ATTEMPTED, "an earlier rung ended it");
    assertThat(RunFolder.tree(rung).propertyNames()).doesNotContainAnyElementsOf(names(Catalogue.probed()));
    assertThat(RunFolder.part(RunFolder.tree(rung), RungRecord.class).figures()).isEqualTo(Figures.NONE);
  }

  @Test
  void methodNamesEachFigure() throws IOException {
    Derived.follows(CatalogueTest.class, "docs/METHOD.md", CataloguePages::method);
  }

  @Test
  void theSchemaHasEachFigure() throws IOException {
    Derived.follows(CatalogueTest.class, "docs/run.schema.json", CataloguePages::schema);
  }
}
