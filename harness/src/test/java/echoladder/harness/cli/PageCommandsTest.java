package echoladder.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import echoladder.harness.Ladder;
import echoladder.harness.common.Checkout;
import echoladder.harness.common.YamlSetting;
import echoladder.harness.server.ServerManifest;
import echoladder.harness.study.Selection;
import echoladder.harness.study.StudyReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine;

/** The commands of the pages are such that the ladder takes them: options that there are, studies, and servers that these have. */
class PageCommandsTest {
  private static final Checkout CHECKOUT = Checkout.find();
  private static final Map<String, ServerManifest> SERVERS = ServerManifest.all(CHECKOUT);

  /** Within `...`, or a line of a block. */
  private static final Pattern INLINE = Pattern.compile("(?s)`(?:\\./)?ladder ([^`]+)`");

  private static final Pattern BLOCK = Pattern.compile("(?ms)^```[^\n]*\n(.*?)^```");
  private static final Pattern LINE = Pattern.compile("(?m)^(?:\\$ )?(?:- )?(?:run: )?(?:\\./|echo-ladder/)ladder (.*)$");

  /** Those whose words are checked; a page may name another verb alone, without its arguments. */
  private static final Set<String> VERBS = Set.of("run", "plan", "size", "doctor", "explain", "lab", "compare", "index");

  private static final Map<String, String> PLACEHOLDERS =
      Map.ofEntries(
          Map.entry("N", "1000"), Map.entry("R/s", "1000/s"), Map.entry("PORT", "9000"), Map.entry("STUDY", "quick"), Map.entry("NAME", "netty"),
          Map.entry("X", "netty"), Map.entry("X,Y", "netty,go-echo"), Map.entry("PID", "4711"));

  static Stream<Path> pages() throws IOException {
    List<Path> pages = new ArrayList<>(List.of(Path.of("README.md")));
    try (Stream<Path> docs = Files.list(CHECKOUT.root().resolve("docs")); Stream<Path> studies = Files.walk(CHECKOUT.studies(), 2)) {
      // The first ten minutes are executed, mistakes and all.
      Stream.concat(docs.filter(file -> file.toString().endsWith(".md") && !file.endsWith("FIRST-TEN-MINUTES.md")), studies.filter(file -> file.endsWith("STUDY.md")))
          .map(CHECKOUT.root()::relativize)
          .sorted()
          .forEach(pages::add);
    }
    return pages.stream();
  }

  private static List<String> commands(String page) {
    List<String> found = new ArrayList<>();
    Matcher block = BLOCK.matcher(page);
    while (block.find()) {
      // A command goes on behind a backslash.
      String text = block.group(1).replaceAll("\\\\\n>? *", " ").replaceAll("(?m)^ +", "");
      LINE.matcher(text).results().forEach(line -> found.add(line.group(1)));
    }
    INLINE.matcher(BLOCK.matcher(page).replaceAll("")).results().forEach(inline -> found.add(inline.group(1)));
    return found.stream().map(command -> command.replaceAll("\\s+", " ").strip()).toList();
  }

  /** Its words with something in each place that a reader fills, [an option] taken; null where it is no whole command. A list behind a colon stays. */
  private static @Nullable List<String> words(String command) {
    String plain = command.replaceAll("(^|(?<!:) )\\[([^\\]]*)\\]", "$1$2").replaceFirst("^(run|plan) NAME", "$1 STUDY");
    List<String> words = PageWords.of(plain).stream().map(word -> PLACEHOLDERS.getOrDefault(word, word)).toList();
    boolean named = words.size() < 2 && !words.getFirst().equals("run");
    boolean cut = words.stream().anyMatch(word -> word.endsWith("...")) || words.equals(List.of("lab", "--", "COMMAND"));
    return !VERBS.contains(words.getFirst()) || named || cut ? null : words;
  }

  private static ParseResult parsed(List<String> words) {
    CommandLine line = new CommandLine(new Ladder());
    Objects.requireNonNull(line.getSubcommands().get("lab")).setStopAtPositional(true);
    return line.parseArgs(words.toArray(String[]::new)).subcommand();
  }

  /** Fails where the ladder would not take these words behind its name. */
  static void isTaken(List<String> words) {
    ParseResult verb = parsed(words);
    String name = verb.commandSpec().name();
    if (name.equals("lab")) {
      List<String> inside = verb.matchedPositionals().getFirst().stringValues();
      if (inside.getFirst().equals("./ladder")) {
        isTaken(inside.subList(1, inside.size()));
      }
      return;
    }
    if ((name.equals("run") || name.equals("plan")) && !verb.hasMatchedOption("--resume")) {
      boolean two = verb.matchedOptionValue("--own", List.of()).size() == 2;
      String study = verb.hasMatchedPositional(0) ? verb.matchedPositional(0).stringValues().getFirst() : two ? "a-or-b" : "quick";
      if (study.equals("claims")) {
        return;
      }
      List<String> settings = verb.matchedOptionValue("--set", List.of());
      List<String> knobs = verb.matchedOptionValue("--knobs", List.of());
      Selection selection =
          new Selection(
              verb.matchedOptionValue("--client", null), verb.matchedOptionValue("--servers", List.of()),
              Stream.concat(settings.stream(), knobs.isEmpty() ? Stream.empty() : Stream.of("tuning.knobs=" + knobs)).map(YamlSetting::parse).toList());
      new StudyReader(CHECKOUT, SERVERS).read(Files.exists(CHECKOUT.root().resolve(study)) ? CHECKOUT.root().resolve(study).toString() : study, selection);
    }
  }

  @ParameterizedTest
  @MethodSource("pages")
  void areTaken(Path page) throws IOException {
    for (String command : commands(Files.readString(CHECKOUT.root().resolve(page)))) {
      List<String> words = words(command);
      if (words != null) {
        assertThatCode(() -> isTaken(words)).as("%s: ./ladder %s", page, command).doesNotThrowAnyException();
      }
    }
  }

  @Test
  void mostAreFound() throws IOException {
    assertThat(commands(Files.readString(CHECKOUT.root().resolve("README.md"))))
        .contains("size --connections 10000 --rate 5000/s", "run --own 'python3 runbooks/echo.py 9000' --port 9000");
    assertThat(CHECKOUT.root().resolve("runbooks/echo.py")).isRegularFile();
    int found = 0;
    for (Path page : pages().toList()) {
      found += (int) commands(Files.readString(CHECKOUT.root().resolve(page))).stream().filter(command -> words(command) != null).count();
    }
    assertThat(found).isGreaterThan(80);
  }
}
