package echoladder.harness.site;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.common.Checkout;
import echoladder.harness.common.Csv;
import echoladder.harness.server.ServerManifest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The site of this repository: nothing in it leads nowhere, and nothing is loaded from elsewhere. */
class SiteTest {
  private static final Checkout CHECKOUT = Checkout.find();

  private static final Pattern ADDRESS = Pattern.compile("<(\\w+)[^>]*?\\s(?:href|src|action|poster|data)=\"([^\"]*)\"");
  private static final Pattern ID = Pattern.compile("\\sid=\"([^\"]+)\"");

  @TempDir private static Path dir;

  private static Path site;
  private static Site.Made made;

  @BeforeAll
  static void build() {
    site = dir.resolve("site");
    made = Site.build(CHECKOUT, site);
  }

  private static List<Path> files(String suffix) throws IOException {
    try (Stream<Path> all = Files.walk(site)) {
      return all.filter(file -> Files.isRegularFile(file) && file.toString().endsWith(suffix)).sorted().toList();
    }
  }

  /** Pages of this verb; reports that a run wrote are copies. */
  private static List<Path> pages() throws IOException {
    return files(".html").stream().filter(file -> text(file).contains("site.css")).toList();
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Set<String> ids(Path page) {
    return ID.matcher(text(page)).results().map(id -> id.group(1)).collect(Collectors.toSet());
  }

  @Test
  void everyLinkPictureAndAnchorLeadsSomewhere() throws IOException {
    Map<Path, Set<String>> ids = new HashMap<>();
    Set<String> dead = new TreeSet<>();
    int seen = 0;
    for (Path page : pages()) {
      for (MatchResult address : ADDRESS.matcher(text(page)).results().toList()) {
        String target = address.group(2).replace("&amp;", "&");
        if (target.matches("(?:https?|mailto|data):.*")) {
          continue;
        }
        seen++;
        String[] parts = target.replaceFirst("\\?[^#]*", "").split("#", 2);
        Path file = parts[0].isEmpty() ? page : page.resolveSibling(parts[0]).normalize();
        boolean anchored = parts.length < 2 || parts[1].isEmpty() || ids.computeIfAbsent(file, SiteTest::ids).contains(parts[1]);
        if (!file.startsWith(site) || !Files.isRegularFile(file) || !anchored) {
          dead.add(site.relativize(page) + " -> " + target);
        }
      }
    }
    assertThat(dead).isEmpty();
    assertThat(seen).isGreaterThan(10_000);
  }

  /** A link may lead out; whatever a browser loads by itself lies in the site. */
  @Test
  void noFileLoadsAnythingFromTheNetwork() throws IOException {
    List<String> loads = new ArrayList<>();
    for (Path page : files(".html")) {
      String html = text(page);
      assertThat(html).as(page.toString()).contains("Content-Security-Policy\" content=\"default-src 'none'");
      ADDRESS.matcher(html).results().filter(of -> !of.group(1).equals("a") && of.group(2).matches("(?:[a-z+]+:)?//.*"))
          .forEach(of -> loads.add(site.relativize(page) + " loads " + of.group(2)));
    }
    for (Path file : Stream.of(files(".css"), files(".js"), files(".svg")).flatMap(List::stream).toList()) {
      String text = text(file).replace("http://www.w3.org/2000/svg", "");
      if (Pattern.compile("https?://|@import|url\\(|fetch\\(|XMLHttpRequest|import\\(").matcher(file.endsWith("explain.table.js") ? "" : text).find()) {
        loads.add(site.relativize(file).toString());
      }
    }
    assertThat(loads).isEmpty();
  }

  @Test
  void everyStudyServerSymptomClaimAndRunHasItsPage() throws IOException {
    List<String> wanted = new ArrayList<>();
    for (String folder : List.of("runbooks/symptoms", "studies/claims", "docs", "runbooks/outside", "runbooks/procedures")) {
      try (Stream<Path> all = Files.list(CHECKOUT.root().resolve(folder))) {
        all.map(file -> file.getFileName().toString()).filter(name -> name.endsWith(".md") && !name.matches("(README|STUDY)\\.md"))
            .forEach(name -> wanted.add(folder + "/" + name.replace(".md", ".html")));
      }
    }
    try (Stream<Path> studies = Files.list(CHECKOUT.studies())) {
      studies.filter(Files::isDirectory).forEach(study -> wanted.add("studies/" + study.getFileName() + "/index.html"));
    }
    ServerManifest.all(CHECKOUT).keySet().forEach(server -> wanted.add("servers/" + server + "/index.html"));
    List<Map<String, String>> runs = Csv.rows(text(CHECKOUT.results().resolve("index.csv")));
    runs.forEach(run -> wanted.add("results/reference/" + run.get("study") + "/" + run.get("run_id") + "/index.html"));
    assertThat(wanted).hasSizeGreaterThan(200).allSatisfy(path -> assertThat(site.resolve(path)).isRegularFile());
    // From the first page each is two steps away.
    assertThat(text(site.resolve("studies/index.html"))).contains("href=\"async-vs-virtual/index.html\"");
    assertThat(text(site.resolve("servers/index.html"))).contains("href=\"go-echo/index.html\"", "href=\"netty/index.html\"");
    assertThat(text(site.resolve("runbooks/symptoms/index.html"))).contains("href=\"descriptor-limit.html\"");
    assertThat(text(site.resolve("results/index.html"))).contains("href=\"index.csv\"", "href=\"points.csv\"", "href=\"climbs.csv\"");
  }

  @Test
  void theFirstScreenHasAnswerConditionsAndTrust() {
    String page = text(site.resolve("index.html"));
    String top = page.substring(page.indexOf("<main"), page.indexOf("</section>", page.indexOf(">Trust<")));
    assertThat(top).contains(">Answer<", ">Conditions<", ">Trust<", "docs/QUESTIONS.html", "docs/METHOD.html", "results/index.html");
    assertThat(top.replaceAll("<[^>]+>", "")).hasSizeLessThan(1_500);
  }

  /** A question without one would be a link alone. */
  @Test
  void eachQuestionOfTheFirstScreenHasItsAnswer() {
    String page = text(site.resolve("index.html"));
    String card = page.substring(page.indexOf(">Answer<"), page.indexOf(">Conditions<"));
    Map<String, String> answers =
        Pattern.compile("<p><a href=\"#([^\"]+)\">[^<]+\\?</a> ?([^<]*)</p>").matcher(card).results()
            .collect(Collectors.toMap(of -> of.group(1), of -> of.group(2)));
    assertThat(answers).containsOnlyKeys("async-virtual-threads-or-goroutines", "what-do-many-connections-need");
    assertThat(answers.get("async-virtual-threads-or-goroutines")).startsWith("On shared cores at low load, an echo costs 2.4 times ").endsWith(".");
    assertThat(answers.get("what-do-many-connections-need"))
        .contains("100,000 connections needed one setting: descriptors.", "Over a network ", "net.ipv4.tcp_slow_start_after_idle").endsWith(".");
  }

  /** QuestionsTest has them in the repository. */
  @Test
  void theTenQuestionsLeadToSections() {
    assertThat(text(site.resolve("docs/QUESTIONS.html")))
        .contains("href=\"RESULTS.html#what-connections-take\"", "href=\"../sysctl/index.html#which-settings-are-needed\"")
        .contains("href=\"../runbooks/procedures/prepare-a-host.html#steps\"", "href=\"RESULTS.html#async-virtual-threads-or-goroutines\"")
        .contains("href=\"INCIDENT.html#five-common-walls\"", "href=\"WHICH-FIGURE.html#signs-in-a-table\"")
        .contains("href=\"regression-guard.html#conditions\"", "href=\"../runbooks/procedures/your-own-server.html#steps\"")
        .contains("href=\"METHOD.html#what-the-instrument-is-tested-against\"");
  }

  @Test
  void aStudyHasItsConclusionPlotsAndRawData() {
    String page = text(site.resolve("studies/async-vs-virtual/index.html"));
    assertThat(page).contains("id=\"conclusion\"", "href=\"#conclusion\"", "<svg ", "/index.html#files", "href=\"study.yaml\"");
    String run = text(site.resolve("results/reference/async-vs-virtual/20261126T095347Z-a74d/index.html"));
    assertThat(run).contains("href=\"run.json\"", "<svg ", "<table>").doesNotContain("![");
  }

  @Test
  void aServerHasItsHistoryOverRunsAndVersions() {
    String page = text(site.resolve("servers/virtual-threads/index.html"));
    assertThat(page).contains("25.0.3+9-LTS", "/async-vs-virtual/20261126T095347Z-a74d/index.html\"", "runbooks/symptoms/memory.html");
    assertThat(page.split("<tr>", -1).length).isGreaterThan(30);
  }

  @Test
  void itsSizeIsBounded() {
    assertThat(made.bytes()).isLessThan(512L << 20);
    assertThat(made.pages()).isGreaterThan(300);
  }
}
