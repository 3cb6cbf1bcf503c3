package echoladder.harness.study;

import echoladder.client.Schedule;
import echoladder.harness.Derived;
import java.io.IOException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

/** What the pages and schemas say of schedules follows from their rows. */
class SchedulePagesTest {
  private static final List<Schedule> ALL = List.of(Schedule.values());

  @Test
  void methodSaysWhatEachIntends() throws IOException {
    String rows = ALL.stream().map(row -> "| %s | %s |\n".formatted(row.id(), row.meaning())).collect(Collectors.joining());
    Derived.follows(
        SchedulePagesTest.class, "docs/METHOD.md",
        page ->
            Derived.between(
                page, "<!-- The table follows from echoladder.client.Schedule: see SchedulePagesTest. -->\n", "<!-- End of the table. -->\n",
                "| schedule | what is intended |\n|---|---|\n" + rows));
  }

  @ParameterizedTest
  @ValueSource(strings = {"docs/study.schema.json", "docs/run.schema.json"})
  void theSchemasNameEach(String schema) throws IOException {
    String names = ALL.stream().map(row -> '"' + row.id() + '"').collect(Collectors.joining(", "));
    Derived.follows(
        SchedulePagesTest.class, schema,
        page -> page.replaceAll("(\"schedule\": \\{\\s*\"enum\": )\\[[^\\]]*\\]", "$1" + Matcher.quoteReplacement("[" + names + "]")));
  }

  @Test
  void theStudysSchemaSaysWhatEachIntends() throws IOException {
    String meanings =
        ALL.stream()
            .map(row -> row.id() + (row == Schedule.CONSTANT ? " (the default): " : ": ") + row.meaning())
            .collect(Collectors.joining("; "));
    Pattern description = Pattern.compile("(\"schedule\": \\{\\s*\"enum\": \\[[^\\]]*\\],\\s*\"default\": \"constant\",\\s*\"description\": )\"[^\"]*\"");
    Derived.follows(
        SchedulePagesTest.class, "docs/study.schema.json",
        page ->
            description
                .matcher(page)
                .replaceAll(match -> Matcher.quoteReplacement(match.group(1) + JsonMapper.shared().writeValueAsString(meanings))));
  }
}
