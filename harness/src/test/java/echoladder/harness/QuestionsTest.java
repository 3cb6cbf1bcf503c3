package echoladder.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import echoladder.harness.common.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A newcomer comes from README to the answer of each of ten questions by two clicks: the page of questions, and a section. */
class QuestionsTest {
  private static final Path DOCS = Checkout.find().root().resolve("docs");
  private static final Pattern QUESTION = Pattern.compile("(?m)^(\\d+)\\. \\*\\*[^*]+\\?\\*\\*$");
  private static final Pattern TO_A_SECTION = Pattern.compile("]\\(([^)#:\\s]+)#([^)\\s]+)\\)");
  private static final Pattern RULE = Pattern.compile("\\|[-:| ]+\\|");
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

  /** What a section says: on one line, without its headings and the heads of its tables, which name an answer and give none. */
  private static String said(String section) {
    List<String> lines = section.lines().toList();
    StringBuilder text = new StringBuilder();
    boolean fenced = false;
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      fenced ^= line.startsWith("```");
      boolean head = line.startsWith("|") && i + 1 < lines.size() && RULE.matcher(lines.get(i + 1)).matches();
      boolean heading = !fenced && line.startsWith("#");
      text.append(head || heading ? "" : line.strip() + " ");
    }
    return text.toString().replaceAll("\\s+", " ");
  }

  @Test
  void headsOfTablesAndHeadingsSayNothing() {
    assertThat(said("## Cores\n| cores at 5,000/s |\n|--:|\n| 0.26 to 0.29 |\n\nBoth ends.\n```\n# kept\n```\n"))
        .isEqualTo("|--:| | 0.26 to 0.29 | Both ends. ``` # kept ``` ");
  }

  /** By question: the section that its first link leads to, and what answers it there, a sentence, a figure or a command. */
  static Stream<Arguments> answers() {
    return Stream.of(
        arguments(1, "RESULTS.md#what-connections-take", List.of("200,000 connections on virtual threads would take 1.06 GiB")),
        arguments(2, "RESULTS.md#what-connections-take", List.of("| 0.26 to 0.29 | 0.93 to 0.99 |", "Cores are those of the server's process.")),
        arguments(3, "../sysctl/README.md#which-settings-are-needed", List.of("100,000 connections needed one setting: descriptors.")),
        arguments(4, "../runbooks/procedures/prepare-a-host.md#steps",
            List.of("$ ./ladder doctor --connections 10000", "The first line is the answer. The second line is the limit that comes first.")),
        arguments(5, "RESULTS.md#async-virtual-threads-or-goroutines",
            List.of("Where CPU per message decides, an event loop is still worth its code.", "costs 2.42 times as much CPU on virtual threads as on Netty")),
        arguments(6, "INCIDENT.md#five-common-walls",
            List.of("28,232 from one client or proxy", "`sudo sysctl -w net.ipv4.ip_local_port_range='1024 65535'`")),
        arguments(7, "WHICH-FIGURE.md#signs-in-a-table",
            List.of("is one percentile twice: of the server time, and, as its upper bound, of the response time.")),
        arguments(8, "regression-guard.md#conditions",
            List.of("| `B/A server_cpu_us_per_echo > 1.05` | the whole interval of the ratio, pair by pair, lies above 1.05 |", "| 1 | a condition fails |")),
        arguments(9, "../runbooks/procedures/your-own-server.md#steps",
            List.of("$ ./ladder run runbooks/try.yaml --own 'python3 runbooks/echo.py 7007' --port 7007")),
        arguments(10, "METHOD.md#what-the-instrument-is-tested-against", List.of("If the client cannot see a stall, the build fails.")));
  }

  @ParameterizedTest
  @MethodSource("answers")
  void isAnsweredByASection(int question, String to, List<String> answer) throws IOException {
    MatchResult link = TO_A_SECTION.matcher(questions().get(question - 1)).results().findFirst().orElseThrow();
    assertThat(link.group(1) + "#" + link.group(2)).isEqualTo(to);
    assertThat(said(section(Files.readString(DOCS.resolve(link.group(1))), link.group(2)))).contains(answer);
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
