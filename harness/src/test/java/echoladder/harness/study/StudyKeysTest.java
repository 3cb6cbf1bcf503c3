package echoladder.harness.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import echoladder.client.Schedule;
import echoladder.harness.common.YamlSchema;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The schema's keys and the records' components are the same ones, and a default stands in the schema alone. */
class StudyKeysTest {
  private static final JsonNode SCHEMA = YamlSchema.document("study");

  private static JsonNode json(String text) {
    return JsonMapper.shared().readTree(text.replace('\'', '"'));
  }

  static Stream<Arguments> records() {
    String settings = "/$defs/server/properties/settings";
    return Stream.of(
        // Axes and tuning are no part of the study that is climbed, but make its entries and knobs; in_lab is settings for another place. The
        // network is a setting of each entry.
        Arguments.of("", Study.class, Set.of("axes", "in_lab", "tuning", "network"), Set.of("tuned")),
        // An entry's options are those of its camp by the time that it is a record.
        Arguments.of("/$defs/server", Study.Entry.class, Set.of("entry", "network"), Set.of("point", "knob")),
        Arguments.of("/$defs/network", Network.class, Set.of(), Set.of()),
        Arguments.of("/$defs/load", StudyLoad.class, Set.of(), Set.of("staged")),
        Arguments.of("/$defs/load/properties/slow_readers", SlowPart.class, Set.of(), Set.of()),
        // Where a load runs is the same for both kinds, and so is the seed.
        Arguments.of("/$defs/staged_load", StagedUsers.class, Set.of("seed", "cpus", "spin", "idle"), Set.of()),
        Arguments.of("/$defs/staged_load/properties/stages/items", StagedUsers.Stage.class, Set.of(), Set.of()),
        Arguments.of("/$defs/staged_load/properties/requests/items", StagedUsers.Request.class, Set.of(), Set.of()),
        Arguments.of("/$defs/phases", Study.Phases.class, Set.of(), Set.of()),
        Arguments.of("/$defs/bounds", Study.Bounds.class, Set.of(), Set.of()),
        Arguments.of("/$defs/thresholds", Study.Thresholds.class, Set.of(), Set.of()),
        Arguments.of("/$defs/capacity", Capacity.class, Set.of(), Set.of()),
        Arguments.of("/$defs/breakdown", Breakdown.class, Set.of(), Set.of()),
        Arguments.of("/$defs/breakdown/properties/profiles/items", Profile.class, Set.of(), Set.of()),
        Arguments.of("/$defs/lab", Study.Lab.class, Set.of(), Set.of()),
        Arguments.of(settings, EntrySettings.class, Set.of(), Set.of("network")),
        Arguments.of(settings + "/properties/server", EntrySettings.OfServer.class, Set.of(), Set.of()),
        Arguments.of(settings + "/properties/client", EntrySettings.OfClient.class, Set.of(), Set.of()));
  }

  /** Adding a key is adding it to the schema and to the record: nothing in between names it. */
  @ParameterizedTest
  @MethodSource("records")
  void aRecordHasTheKeysOfTheSchema(
      String pointer, Class<? extends Record> type, Set<String> ofSchemaAlone, Set<String> ofRecordAlone) {
    Set<String> schema = new TreeSet<>(SCHEMA.at(pointer + "/properties").propertyNames());
    schema.removeAll(ofSchemaAlone);
    Set<String> record =
        Arrays.stream(type.getRecordComponents())
            .map(component -> RecordReader.key(component).replaceFirst("\\..*", ""))
            .collect(Collectors.toCollection(TreeSet::new));
    record.removeAll(ofRecordAlone);
    assertThat(record).isEqualTo(schema);
  }

  /** A key that may be left out has a default, or null says what that means. */
  @Test
  void whatADescriptionSaysOfADefaultIsTheDefault() {
    List<String> wrong = new ArrayList<>();
    descriptions("", SCHEMA, wrong);
    assertThat(wrong)
        .containsExactlyInAnyOrder(
            // These depend on other keys or on the ladder, and their descriptions say how.
            "/$defs/jdk", "/$defs/server/properties/entry", "/$defs/phases/properties/warm_up_echoes",
            "/$defs/server/properties/settings/properties/server/properties/plan_memory",
            "/$defs/server/properties/settings/properties/server/properties/plan_limits",
            // The study's client has a default, that of a server is the study's; one description serves both.
            "/$defs/client", "/properties/client",
            // In place of those of a study at a rate.
            "/$defs/staged_study/properties/bounds/properties/response_time_p99",
            "/$defs/staged_study/properties/thresholds/properties/achieved_share_least");
  }

  private static void descriptions(String pointer, JsonNode rules, List<String> wrong) {
    String description = rules.path("description").asString("");
    JsonNode value = rules.path("default");
    boolean says = description.contains("default");
    boolean has = value.isValueNode() && !rules.has("not");
    String text = value.asString("");
    boolean right =
        Stream.of("default " + text, text + " (the default)", text + " is the default").anyMatch(description::contains);
    if (says != has || (has && !right)) {
      wrong.add(pointer);
    }
    rules.properties().forEach(p -> descriptions(pointer + "/" + p.getKey(), p.getValue(), wrong));
  }

  @Test
  void quantitiesAreNumbersInTheirBaseUnit() {
    JsonNode study =
        StudyKeys.study(
            json(
                "{'name': 'a', 'servers': ['x'], 'load': {'rate': {'total': '0.5/s'}, 'message': '1KiB'},"
                    + " 'phases': {'steady': '1.5s'}, 'lab': {'memory': '2G'}}"));
    assertThat(study.at("/load/rate/total").asDouble()).isEqualTo(0.5);
    assertThat(study.at("/load/message").asInt()).isEqualTo(1024);
    assertThat(study.at("/phases/steady").asLong()).isEqualTo(1_500_000_000L);
    assertThat(study.at("/phases/drain").asLong()).isEqualTo(5_000_000_000L);
    assertThat(study.at("/lab/memory").asLong()).isEqualTo(2L << 30);
    assertThat(study.at("/lab/timeout").asLong()).isEqualTo(3_600_000_000_000L);
    assertThat(study.has("axes")).isFalse();
  }

  @Test
  void aStudyOfUsersInStagesHasDefaultsOfItsOwn() {
    JsonNode study =
        StudyKeys.study(json("{'load': {'stages': [{'users': 1, 'over': '2s'}], 'requests': []}, 'thresholds': {'late_share_most': 0.5}}"));
    assertThat(study.at("/bounds/response_time_p99").asLong()).isEqualTo(3_600_000_000_000L);
    assertThat(study.at("/thresholds/achieved_share_least").asDouble()).isZero();
    assertThat(study.at("/thresholds/late_share_most").asDouble()).isEqualTo(0.5);
    assertThat(study.at("/load/stages/0/over").asLong()).isEqualTo(2_000_000_000L);
    assertThat(study.at("/load/pause").asLong()).isEqualTo(100_000_000L);
    assertThat(study.at("/repeats").asInt()).isEqualTo(1);
  }

  /** A component for each kind of value. */
  record Kinds(
      int whole, long tookNs, double share, boolean so, String text, Schedule schedule, List<Integer> list,
      Map<String, String> map, Lab lab) {}

  record Lab(long memoryBytes) {}

  @Test
  void readsEveryKindOfValueByItsName() {
    assertThat(
            RecordReader.read(
                Kinds.class,
                json(
                    "{'whole': 3, 'took': 5, 'share': 0.5, 'so': true, 'text': 'x', 'schedule': 'poisson', 'list': [1, 2],"
                        + " 'map': {'a': 7, 'b': 'y'}, 'lab': {'memory': 9}}")))
        .isEqualTo(
            new Kinds(3, 5, 0.5, true, "x", Schedule.POISSON, List.of(1, 2), Map.of("a", "7", "b", "y"), new Lab(9)));
  }

  @Test
  void aNumberThatNobodySaidIsAMistakeOfTheSchema() {
    assertThatThrownBy(() -> RecordReader.read(Lab.class, json("{}")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("study.schema.json requires no 'memory' and has no default for it");
  }
}
