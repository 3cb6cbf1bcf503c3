package echoladder.harness;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.common.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A newcomer comes from README to the answer of each of ten questions by two clicks: the page of questions, and a section. */
class QuestionsTest {
  private static final Path DOCS = Checkout.find().root().resolve("docs");
  private static final Pattern QUESTION = Pattern.compile("(?m)^(\\d+)\\. \\*\\*[^*]+\\?\\*\\*$");
  private static final Pattern TO_A_SECTION = Pattern.compile("]\\(([^)#:\\s]+)#([^)\\s]+)\\)");
  private static final Pattern BLOCK = Pattern.compile("(?ms)^```.*?^```");

  private static List<String> questions() throws IOException {
    String page = Files.readString(DOCS.resolve("QUESTIONS.md"));
    List<MatchResult> found = QUESTION.matcher(page).results().toList();
    assertThat(found).extracting(question -> Integer.parseInt(question.group(1))).containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
    return IntStream.range(0, found.size())
        .mapToObj(i -> page.substring(found.get(i).start(), i + 1 < found.size() ? found.get(i + 1).start() : page.length()))
        .toList();
  }

  /** The id that code hosts give a heading. */
  private static String id(String heading) {
    return heading.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-');
  }

  /** From the heading of that id up to the next of its level or above; empty where the page has none. */
  private static String section(String page, String id) {
    StringBuilder text = new StringBuilder();
    int level = 0;
    boolean fenced = false;
    for (String line : page.split("\n", -1)) {
      fenced ^= line.startsWith("```");
      int hashes = fenced ? 0 : line.replaceFirst("^(#*).*", "$1").length();
      if (level == 0 && hashes > 0 && id(line.substring(hashes).strip()).equals(id)) {
        level = hashes;
      } else if (level > 0 && hashes > 0 && hashes <= level) {
        break;
      }
      text.append(level > 0 ? line + "\n" : "");
    }
    return text.toString();
  }

  @Test
  void readmeLeadsToTheQuestions() throws IOException {
    assertThat(BLOCK.matcher(Files.readString(DOCS.resolveSibling("README.md"))).replaceAll("")).contains("](docs/QUESTIONS.md)");
    assertThat(questions()).hasSize(10);
  }

  /** The first link to a section, and what stands there. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "1|RESULTS.md#what-connections-take|memory for 10,000 | for 100,000 | for 1,000,000",
        "2|RESULTS.md#what-connections-take|cores at 5,000/s | cores at 40,000/s",
        "3|../sysctl/README.md#which-settings-are-needed|needed one setting: descriptors",
        "4|../runbooks/procedures/prepare-a-host.md#steps|ladder doctor --connections",
        "5|RESULTS.md#async-virtual-threads-or-goroutines|Netty | virtual threads | goroutines | platform threads",
        "6|INCIDENT.md#five-common-walls|it stops at | it says | show | lift",
        "7|WHICH-FIGURE.md#signs-in-a-table|(≤ 1.30) ms",
        "8|regression-guard.md#conditions|--fail-if",
        "9|../runbooks/procedures/your-own-server.md#steps|--own 'python3 runbooks/echo.py",
        "10|METHOD.md#what-the-instrument-is-tested-against|stall",
      })
  void isAnsweredByASection(String row) throws IOException {
    String[] parts = row.split("\\|", 3);
    MatchResult link = TO_A_SECTION.matcher(questions().get(Integer.parseInt(parts[0]) - 1)).results().findFirst().orElseThrow();
    assertThat(link.group(1) + "#" + link.group(2)).isEqualTo(parts[1]);
    assertThat(section(Files.readString(DOCS.resolve(link.group(1))), link.group(2))).contains(parts[2]);
  }

  /** Also those behind the first. */
  @Test
  void everySectionThatAnAnswerNamesIsThere() throws IOException {
    for (String question : questions()) {
      for (MatchResult link : TO_A_SECTION.matcher(question).results().toList()) {
        assertThat(section(Files.readString(DOCS.resolve(link.group(1))), link.group(2))).as(link.group()).isNotEmpty();
      }
    }
  }
}
