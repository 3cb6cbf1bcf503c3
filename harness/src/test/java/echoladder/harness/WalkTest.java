package echoladder.harness;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.common.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** docs/WALK.md leads a newcomer from {@code main} to the loop that sends, and the walk stays short. */
class WalkTest {
  private static final int MOST_CLASSES = 14;
  private static final int MOST_ENGINE_LINES = 120;
  private static final int MOST_PAGE_LINES = 70;

  /** A place in the code: {@code [`Class.method`](../path/Class.java#L12)}. */
  private static final Pattern PLACE = Pattern.compile("\\[`(\\w+)(?:\\.(\\w+))?`]\\(\\.\\./([^)#]+\\.java)#L(\\d+)\\)");

  /** One step of the walk, from its number to the next step, heading or table. */
  private static final Pattern STEP = Pattern.compile("(?ms)^(\\d+)\\. (.*?)(?=^\\d+\\. |^\\S|\\z)");

  private static final Pattern CALL = Pattern.compile("`([\\w.()]+(?:\\(|\\.class)|new \\w+\\()`");

  private final Path root = Checkout.find().root();
  private final Path page = root.resolve("docs/WALK.md");

  private record Step(int number, String typeName, String method, Path file, List<String> calls) {}

  private List<Step> steps() throws IOException {
    List<Step> steps = new ArrayList<>();
    Matcher step = STEP.matcher(Files.readString(page));
    while (step.find()) {
      Matcher place = PLACE.matcher(step.group(2));
      assertThat(place.find()).as("step %s names a method and links to it", step.group(1)).isTrue();
      List<String> calls = CALL.matcher(step.group(2)).results().map(call -> call.group(1)).toList();
      steps.add(new Step(Integer.parseInt(step.group(1)), place.group(1), place.group(2), root.resolve(place.group(3)), calls));
    }
    return steps;
  }

  @Test
  void leadsFromMainToTheLoopThatSendsOverFewClasses() throws IOException {
    List<Step> steps = steps();
    assertThat(steps.getFirst()).extracting(Step::typeName, Step::method).containsExactly("Ladder", "main");
    assertThat(steps.getLast()).extracting(Step::typeName, Step::method).containsExactly("Sender", "due");
    assertThat(steps).extracting(Step::typeName).doesNotHaveDuplicates().hasSizeLessThanOrEqualTo(MOST_CLASSES);
    assertThat(Files.readAllLines(page)).hasSizeLessThanOrEqualTo(MOST_PAGE_LINES);
    for (int i = 0; i < steps.size(); i++) {
      assertThat(steps.get(i).number()).isEqualTo(i + 1);
    }
  }

  /** No class is left out between two: each has the call by which the page says that it goes on, and this leads into the next. */
  @Test
  void eachStepGoesOnToTheNextByTheCallThatThePageNames() throws IOException {
    List<Step> steps = steps();
    for (int i = 0; i < steps.size() - 1; i++) {
      Step step = steps.get(i);
      Step next = steps.get(i + 1);
      assertThat(step.calls()).as("calls of %s", step.typeName()).isNotEmpty();
      assertThat(Files.readString(step.file())).as(step.typeName()).contains(step.calls());
      String simple = next.typeName();
      boolean leads =
          step.calls().stream()
              .map(call -> call.replaceAll("\\W", " ").trim())
              .anyMatch(call -> Arrays.asList(call.split(" +")).contains(simple) || call.endsWith(String.valueOf(next.method())));
      assertThat(leads).as("%s goes on by %s to %s.%s", step.typeName(), step.calls(), simple, next.method()).isTrue();
    }
  }

  @Test
  void everyLinkLeadsToTheLineThatItNames() throws IOException {
    String text = Files.readString(page);
    StringBuilder renewed = new StringBuilder();
    Matcher place = PLACE.matcher(text);
    int places = 0;
    while (place.find()) {
      places++;
      int line = line(root.resolve(place.group(3)), place.group(1), place.group(2));
      String found = text.substring(place.start(), place.end()).replaceFirst("#L\\d+\\)$", "#L" + line + ")");
      place.appendReplacement(renewed, Matcher.quoteReplacement(found));
    }
    place.appendTail(renewed);
    assertThat(places).isGreaterThan(MOST_CLASSES);
    Derived.follows(WalkTest.class, page, renewed.toString());
  }

  /** The line that declares a type, or the first method of that name in it or in a class within it. */
  private static int line(Path file, String type, String method) throws IOException {
    Pattern declared =
        method == null
            ? Pattern.compile("^public .*\\b" + type + "\\b.*")
            : Pattern.compile("^  (?:  (?=public ))?(?! )(?!return\\b)[^=;*/]*\\b" + method + "\\(.*");
    List<String> lines = Files.readAllLines(file);
    for (int i = 0; i < lines.size(); i++) {
      if (declared.matcher(lines.get(i)).matches()) {
        return i + 1;
      }
    }
    throw new AssertionError(file + " declares no " + (method == null ? type : type + "." + method));
  }

  /** Whatever a run may be besides a loop over rungs belongs to an itinerary, an observer or the place where the servers are. */
  @Test
  void theLoopIsShortAndKnowsOfNoSpecialKindOfRun() throws IOException {
    Path loop = root.resolve("harness/src/main/java/echoladder/harness/engine/Climb.java");
    assertThat(Files.readAllLines(loop)).hasSizeLessThanOrEqualTo(MOST_ENGINE_LINES);
    assertThat(words(Files.readString(loop)))
        .doesNotContain(
            "storm", "storms", "stall", "stalls", "churn", "attached", "attach", "host", "hosts", "fleet", "lab", "labs", "profiler", "profile",
            "profiles", "profiled", "knob", "knobs", "capacity", "capacities", "search");
  }

  /** Words of a source: names are taken apart where they change to a capital. */
  private static Set<String> words(String source) {
    Set<String> words = new TreeSet<>();
    for (String word : source.replaceAll("([a-z0-9])([A-Z])", "$1 $2").split("[^A-Za-z]+", -1)) {
      words.add(word.toLowerCase(Locale.ROOT));
    }
    return words;
  }
}
