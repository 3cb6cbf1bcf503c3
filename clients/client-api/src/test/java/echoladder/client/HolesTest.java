package echoladder.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

class HolesTest {
  private record Part(String name, @Nullable String note) {}

  private record Whole(int number, Part part, List<Part> parts, Map<String, Long> counts, Map<String, @Nullable Object> config, @Nullable Part other) {}

  private static final String ALL =
      """
      {"number":1,"part":{"name":"a"},"parts":[{"name":"b","note":"c"}],"counts":{"x":1},"config":{"y":null},"other":{"name":"d"}}""";

  private static @Nullable String hole(String json) {
    return Holes.first(JsonMapper.shared().readValue(json, Whole.class));
  }

  @Test
  void whatMayBeMissingIsNoHole() {
    assertThat(hole(ALL)).isNull();
    assertThat(hole(ALL.replace("{\"name\":\"d\"}", "null"))).isNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "\"part\":{\"name\":\"a\"}|\"part\":null|part",
        "\"part\":{\"name\":\"a\"},||part",
        "{\"name\":\"a\"}|{}|part.name",
        "\"name\":\"b\"|\"name\":null|parts[].name",
        "{\"x\":1}|{\"x\":null}|counts[]",
        "\"parts\":[|\"parts\":[null,|parts[]",
        "\"name\":\"d\"|\"note\":\"d\"|other.name"
      })
  void whatMustBeThereIsNamed(String part, @Nullable String instead, String hole) {
    assertThat(hole(ALL.replace(part, instead == null ? "" : instead))).isEqualTo(hole);
  }

  @Test
  void listsMayBeOfAnything() {
    assertThat(Holes.first(new Whole(1, new Part("a", null), List.of(), Map.of(), Map.of(), null))).isNull();
  }
}
