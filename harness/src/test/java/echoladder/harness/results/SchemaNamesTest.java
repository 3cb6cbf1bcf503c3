package echoladder.harness.results;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.ReasonCode;
import echoladder.client.Schedule;
import echoladder.client.Verdict;
import echoladder.harness.claims.Certainty;
import echoladder.harness.claims.ClaimOutcome;
import echoladder.harness.claims.Kind;
import echoladder.harness.claims.Tolerance;
import echoladder.harness.claims.Topic;
import echoladder.harness.lab.Quotable;
import echoladder.harness.limits.KnownLimit;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Where a schema lists the names of an enum, it lists exactly those of the enum, in its order. */
class SchemaNamesTest {
  private static final JsonMapper JSON = JsonMapper.shared();

  private static Arguments lists(String schema, String pointer, List<String> names) {
    return Arguments.of(schema, pointer, names);
  }

  /** As they are written to a record. */
  private static <E extends Enum<E>> List<String> written(Class<E> type) {
    return Arrays.stream(type.getEnumConstants()).map(JSON::valueToTree).map(node -> ((JsonNode) node).asString()).toList();
  }

  private static <E> List<String> named(E[] values, Function<E, String> name) {
    return Arrays.stream(values).map(name).toList();
  }

  static Stream<Arguments> lists() {
    return Stream.of(
        lists("run", "/$defs/doubt/properties/reason", written(ReasonCode.class)),
        lists("run", "/$defs/limit_name", written(KnownLimit.class)),
        lists("study", "/$defs/server/properties/expect_limit", written(KnownLimit.class)),
        lists("run", "/$defs/load/properties/verdict", written(Verdict.class)),
        lists("run", "/$defs/climb/properties/end", written(ClimbRecord.End.class)),
        lists("run", "/$defs/rung/properties/status", written(RungRecord.Status.class)),
        lists("run", "/properties/status", written(RunRecord.Status.class)),
        lists("run", "/$defs/claims/items", named(Quotable.values(), Quotable::id)),
        lists("run", "/$defs/study/properties/load/properties/schedule", named(Schedule.values(), s -> s.name().toLowerCase(Locale.ROOT))),
        lists("study", "/$defs/load/properties/schedule", named(Schedule.values(), s -> s.name().toLowerCase(Locale.ROOT))),
        lists("ledger", "/$defs/verdict", written(ClaimOutcome.Holding.class)),
        lists("ledger", "/$defs/kind", written(Kind.class)),
        lists("ledger", "/$defs/claim/properties/topic", written(Topic.class)),
        lists("ledger", "/$defs/claim/properties/topic", named(Topic.values(), Topic::id)),
        lists("claims", "/properties/claims/items/properties/topic", written(Topic.class)),
        lists("claims", "/properties/claims/items/properties/kind", written(Kind.class)),
        lists("claims", "/properties/claims/items/properties/rules/items/properties/by", written(Tolerance.class)),
        lists("claims", "/properties/claims/items/properties/rules/items/properties/by", named(Tolerance.values(), Tolerance::id)));
  }

  @ParameterizedTest
  @MethodSource("lists")
  void aSchemaListsTheNamesOfTheEnum(String schema, String pointer, List<String> names) throws Exception {
    assertThat(listed(schema, pointer)).isEqualTo(names);
  }

  /** A certainty may also be unknown. */
  @ParameterizedTest
  @MethodSource("certainties")
  void aListWithNullIsHeldToItsEnumToo(String name) throws Exception {
    assertThat(listed("ledger", "/$defs/certainty")).contains(name).hasSize(Certainty.values().length + 1);
  }

  static List<String> certainties() {
    return written(Certainty.class);
  }

  private static List<String> listed(String schema, String pointer) throws Exception {
    JsonNode list = JSON.readTree(Files.readString(Path.of("../docs/" + schema + ".schema.json"))).at(pointer + "/enum");
    List<String> names = list.valueStream().map(node -> node.isNull() ? "null" : node.asString()).toList();
    assertThat(names).as(schema + ".schema.json#" + pointer).isNotEmpty();
    assertThat(new HashSet<>(names)).hasSameSizeAs(names);
    return names;
  }
}
