package echoladder.harness.site;

import static echoladder.harness.site.PublishedLists.count;
import static echoladder.harness.site.PublishedLists.text;
import static echoladder.harness.site.SiteTable.link;

import echoladder.harness.common.Units;
import echoladder.harness.report.words.Html;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What the published runs say of all: the cards of the front page and of a study, and the lists of studies and runs. */
final class ResultPages {
  private final PublishedLists lists;

  ResultPages(PublishedLists lists) {
    this.lists = lists;
  }

  /** Bound on the sentences of a conclusion in a card. */
  private static final int MOST_LEADS = 2;

  /** Titles of the sections of a study. */
  private static final Pattern ANSWERS = Pattern.compile("Conclusion|showed|believe");

  private static final Pattern METHOD = Pattern.compile("Method|Why these figures|How it is climbed|How a claim is decided");
  private static final Pattern OPEN = Pattern.compile("What is open|cannot tell");

  record Card(String title, String html) {}

  static String cards(List<Card> cards) {
    return cards.stream()
        .map(of -> "<section><h2>%s</h2>%s</section>\n".formatted(of.title, of.html))
        .collect(Collectors.joining("", "<div class=\"cards\">\n", "</div>\n"));
  }

  /**
   * For the first screen of the front page: answer, conditions, trust.
   *
   * @param answers the sections of the front page, as links
   */
  String front(String answers) {
    List<Map<String, String>> runs = lists.runs();
    String hosts = runs.stream().map(PublishedLists::processors).distinct().map(Html::escaped).collect(Collectors.joining("; "));
    return cards(
        List.of(
            new Card("Answer", answers + "<p>" + link("docs/QUESTIONS.html", "Ten questions") + " · "
                + link("docs/RESULTS.html", "all results") + " · " + link("studies/index.html", "each study") + "</p>"),
            new Card("Conditions", "<p>%s. JVM %s; Go %s. Runs of %s to %s. Server and client mostly share one host.</p>"
                .formatted(
                    hosts, versions(runs, "jvm"), versions(runs, "go"), PublishedLists.day(runs.getLast()),
                    PublishedLists.day(runs.getFirst()))
                + "<p>%s · %s</p>".formatted(link("docs/METHOD.html", "method"), link("servers/index.html", "servers and versions"))),
            new Card("Trust", "<p>%,d published runs: %s. Each has its raw data and the command that repeats it.</p>"
                .formatted(runs.size(), rungs(runs))
                + "<p>%s · %s · %s</p>".formatted(
                    link("results/index.html", "runs"), link("studies/claims/index.html", "claims of others, measured again"),
                    link("docs/RELIABILITY.html", "reliability")))));
  }

  static String versions(List<Map<String, String>> runs, String column) {
    return runs.stream().map(run -> PublishedLists.version(text(run, column))).filter(of -> !of.isEmpty()).distinct().sorted()
        .map(Html::escaped).collect(Collectors.joining(", "));
  }

  private static String rungs(List<Map<String, String>> runs) {
    Function<String, Long> sum = column -> runs.stream().mapToLong(run -> count(run, column)).sum();
    return "%,d rungs valid, %,d saturated, %,d invalid".formatted(
        sum.apply("rungs_valid"), sum.apply("rungs_saturated"), sum.apply("rungs_invalid"));
  }

  /**
   * For the first screen of a study: where its answer is, on what it was measured, and what came of its runs.
   *
   * @param sections of its page
   */
  String study(String study, List<SiteText.Section> sections) {
    List<Map<String, String>> runs = lists.runsOf(study);
    Optional<SiteText.Section> conclusion =
        sections.stream().filter(of -> ANSWERS.matcher(of.title()).find())
            .min(Comparator.comparing((SiteText.Section of) -> !of.id().equals("conclusion")));
    String answer =
        conclusion.stream().flatMap(of -> of.leads().stream()).limit(MOST_LEADS).map(of -> "<p>" + Html.escaped(of) + "</p>")
            .collect(Collectors.joining())
            + "<p>" + conclusion.map(of -> link("#" + of.id(), of.title())).orElse("See below.") + "</p>";
    String latest = runs.isEmpty() ? "No run of it is published."
        : "%s. JVM %s. Latest run: %s.".formatted(
            Html.escaped(runs.stream().map(PublishedLists::host).distinct().collect(Collectors.joining("; "))),
            versions(runs, "jvm"), PublishedLists.day(runs.getFirst()));
    return cards(
        List.of(
            new Card("Answer", answer),
            new Card("Conditions", "<p>" + latest + "</p>" + section(sections, METHOD)),
            new Card("Trust", "<p>%s %s</p>%s".formatted(
                runs.isEmpty() ? "No run is published."
                    : "%,d published %s, the latest: %s.".formatted(
                        runs.size(), runs.size() == 1 ? "run" : "runs", PublishedLists.verdicts(runs.getFirst())),
                link("#published-runs", "Plots and raw data"), section(sections, OPEN)))));
  }

  private static String section(List<SiteText.Section> sections, Pattern title) {
    return sections.stream().filter(of -> title.matcher(of.title()).find()).findFirst()
        .map(of -> "<p>" + link("#" + of.id(), of.title()) + "</p>").orElse("");
  }

  /** A row per study. */
  String studies(Map<String, String> questions) {
    SiteTable table = new SiteTable("study", "its question", "#runs", "#latest");
    questions.forEach(
        (study, question) -> {
          List<Map<String, String>> runs = lists.runsOf(study);
          table.row(
              link(study + "/index.html", study), Html.inline(question), String.valueOf(runs.size()),
              runs.isEmpty() ? Units.NONE : PublishedLists.day(runs.getFirst()));
        });
    return table.html();
  }

  /** A row per run, with links from the folder results/. */
  String runs() {
    SiteTable table = new SiteTable("run", "study", "#day", "verdicts", "host", "#JVM", "#Go", "#kernel", "#commit");
    for (Map<String, String> run : lists.runs()) {
      String study = text(run, "study");
      String folder = lists.studies().get(study);
      table.row(
          link("reference/" + PublishedLists.id(run) + "/index.html", text(run, "run_id")),
          folder == null ? Html.escaped(study) : link("../studies/" + folder + "/index.html", study), PublishedLists.day(run),
          PublishedLists.verdicts(run), Html.escaped(PublishedLists.host(run)), Html.escaped(PublishedLists.version(text(run, "jvm"))),
          Html.escaped(PublishedLists.version(text(run, "go"))), Html.escaped(text(run, "kernel")),
          Html.escaped(PublishedLists.commit(run)));
    }
    return table.html();
  }
}
