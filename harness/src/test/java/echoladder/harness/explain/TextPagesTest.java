package echoladder.harness.explain;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.Derived;
import echoladder.harness.common.Checkout;
import echoladder.harness.doctor.Facts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The pages and the index carry what the table has, so that who greps for an error finds its page. With -Dupdate=true the test
 * writes what it would else compare.
 */
class TextPagesTest {
  private static final Checkout CHECKOUT = Checkout.find();
  private static final Path RUNBOOKS = CHECKOUT.root().resolve("runbooks");
  private static final List<Topic> TOPICS = Topics.of(CHECKOUT);
  private static final Map<String, String> SPEAKERS =
      Map.of(
          "kernel", "kernel", "jvm", "JVM", "go", "Go", "node", "Node", "python", "Python", "nginx", "nginx", "haproxy", "HAProxy", "envoy", "Envoy",
          "others", "others");

  private static final String BEFORE = "Texts that lead here, also by `./ladder explain`:\n";
  private static final String OF_A_PROCESS =
      "`./ladder doctor --pid PID` says how near a process that runs is to this limit, and at how many connections it stops there.\n\n";

  private static final Pattern TEXTS = Pattern.compile("(?s)" + Pattern.quote(BEFORE) + "```text\n.*?```\n\n");
  private static final Pattern INDEX = Pattern.compile("(?s)(?<=<!-- texts.yaml -->\n).*?(?=<!-- end of texts.yaml -->\n)");

  static Stream<Path> pages() {
    return TOPICS.stream().map(topic -> RUNBOOKS.resolve(topic.page())).distinct();
  }

  @ParameterizedTest
  @MethodSource("pages")
  void aPageHasItsTexts(Path page) throws IOException {
    Set<String> texts = new LinkedHashSet<>();
    TOPICS.stream().filter(topic -> RUNBOOKS.resolve(topic.page()).equals(page)).flatMap(topic -> topic.allTexts().stream()).forEach(texts::add);
    String plain = TEXTS.matcher(Files.readString(page).replace(OF_A_PROCESS, "")).replaceAll("");
    boolean shown =
        TOPICS.stream().filter(topic -> RUNBOOKS.resolve(topic.page()).equals(page)).anyMatch(topic -> topic.show().startsWith("./ladder doctor --pid"));
    String block = (shown ? OF_A_PROCESS : "") + (texts.isEmpty() ? "" : BEFORE + "```text\n" + String.join("\n", texts) + "\n```\n\n");
    assertThat(plain).as(page.toString()).containsOnlyOnce("## Diagnosis\n");
    Derived.follows(TextPagesTest.class, page, plain.replaceFirst("## Diagnosis\n", Matcher.quoteReplacement("## Diagnosis\n" + block)));
  }

  @Test
  void theIndexHasAllTextsAndNumbers() throws IOException {
    Path index = RUNBOOKS.resolve("README.md");
    String text = Files.readString(index);
    Matcher part = INDEX.matcher(text);
    assertThat(part.find()).isTrue();
    Derived.follows(TextPagesTest.class, index, text.substring(0, part.start()) + index() + text.substring(part.end()));
  }

  private static String index() {
    StringBuilder index = new StringBuilder("\n| page | what is said |\n|---|---|\n");
    Map<String, List<String>> said = new LinkedHashMap<>();
    for (Topic topic : TOPICS) {
      topic.texts()
          .forEach(
              (who, texts) ->
                  said.computeIfAbsent(topic.page(), _ -> new ArrayList<>())
                      .add(SPEAKERS.get(who) + ": " + texts.stream().map(one -> "`" + one + "`").collect(Collectors.joining(", "))));
    }
    said.forEach((page, rows) -> index.append("| %s | %s |\n".formatted(link(page), String.join("; ", rows))));
    index.append("\n| stops at | is | of | page |\n|--:|---|---|---|\n");
    numbers().forEach(row -> index.append(row).append('\n'));
    return index.append('\n').toString();
  }

  private static String link(String page) {
    return "[%s](%s)".formatted(page.replaceAll(".*/|\\.md", ""), page);
  }

  /** Known values, the lowest first; those of a host, the verb alone has. */
  private static List<String> numbers() {
    record Row(long at, boolean time, String text) {}
    List<Row> rows = new ArrayList<>();
    for (Topic topic : TOPICS) {
      for (Topic.NumberRule rule : topic.numbers()) {
        for (Map<String, String> known : rule.elsewhere()) {
          Map<String, Long> values = new LinkedHashMap<>(rule.with());
          known.forEach((name, value) -> {
            if (!name.equals("of")) {
              values.put(name, Long.parseLong(value));
            }
          });
          for (Topic.Stop stop : rule.at()) {
            long at = Formula.value(stop.stopsAt(), values);
            String shown = Formula.shown(stop.stopsAt(), values);
            String number = "%,d%s".formatted(at, stop.isTime() ? " s" : "");
            rows.add(
                new Row(at, stop.isTime(), "| %s | %s%s | %s | %s |".formatted(number, shown.equals("%,d".formatted(at)) ? "" : shown + ": ", stop.is(), known.get("of"), link(topic.page()))));
          }
        }
      }
    }
    return rows.stream().sorted((a, b) -> a.time == b.time ? Long.compare(a.at, b.at) : Boolean.compare(a.time, b.time)).map(Row::text).toList();
  }

  /** Every formula has a value with every set of values, and every rule has one. */
  @Test
  void everyRuleCanBeCalculated() {
    HostNumbers host = new HostNumbers(new Facts().pids(1_000, 1).facts(), 2, Map.of());
    Walls walls = new Walls(host);
    for (Topic topic : TOPICS) {
      assertThat(walls.of(topic, List.of(new Walls.Asked(1, false, false), new Walls.Asked(1, true, false)))).isNotNull();
      assertThat(topic.numbers()).allSatisfy(rule -> assertThat(rule.here().size() + rule.elsewhere().size()).isPositive());
      assertThat(SPEAKERS.keySet()).containsAll(topic.texts().keySet());
      assertThat(List.of(topic.means(), topic.show(), topic.lift())).as(topic.id()).doesNotContain("");
    }
    assertThat(TOPICS.stream().flatMap(topic -> topic.texts().keySet().stream())).containsAll(SPEAKERS.keySet());
    assertThat(TOPICS).extracting(Topic::id).doesNotHaveDuplicates();
  }

  @Test
  void everyPageOutsideTheKernelHasItsPartsAndIsListed() throws IOException {
    try (Stream<Path> pages = Files.list(RUNBOOKS.resolve("outside"))) {
      for (Path page : pages.filter(file -> !file.endsWith("README.md")).toList()) {
        List<String> headings = Files.readAllLines(page).stream().filter(line -> line.startsWith("#") && !line.startsWith("#!")).toList();
        assertThat(headings)
            .containsExactly("# " + page.getFileName().toString().replace(".md", ""), "## Meaning", "## Ask", "## Diagnosis", "## Mitigation", "## Sources");
        assertThat(RUNBOOKS.resolve("outside/README.md")).content().contains("](" + page.getFileName() + ")");
        assertThat(RUNBOOKS.resolve("README.md")).content().contains("](outside/" + page.getFileName() + ")");
      }
    }
  }

  /** What somebody in an incident greps for. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "Cannot assign requested address", "Too many open files", "docker", "Docker", "kubernetes", "Kubernetes", "EC2", "28,232", "65,536", "524,288",
        "14,116", "1,024", "1,048,576", "32,768", "4,096", "262,144", "java.net", "Netty", "dmesg", "nginx", "HAProxy", "Envoy", "Node", "Python",
        "conntrack_allowance_exceeded", "LimitNOFILE", "TasksMax", "podPidsLimit", "350"
      })
  void aNewcomersGrepFindsIt(String word) throws IOException {
    List<Path> having = new ArrayList<>();
    for (String folder : List.of("docs", "runbooks")) {
      try (Stream<Path> files = Files.walk(CHECKOUT.root().resolve(folder))) {
        for (Path file : files.filter(file -> file.toString().endsWith(".md")).toList()) {
          if (Files.readString(file).contains(word)) {
            having.add(file);
          }
        }
      }
    }
    assertThat(having).as(word).isNotEmpty();
  }
}
