package echoladder.harness.site;

import static echoladder.harness.site.SiteTable.link;

import com.samskivert.mustache.Mustache;
import com.samskivert.mustache.Template;
import echoladder.harness.report.page.Page;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The frame of every page: styles, the way to the main pages, the search, and the way up. */
final class SiteLayout {
  private record Place(String name, String path) {}

  /** In the order of a reader's questions: the answers, where they come from, why they may be trusted, what to do. */
  private static final List<Place> PLACES =
      List.of(
          new Place("Answers", "docs/QUESTIONS.html"), new Place("Results", "docs/RESULTS.html"),
          new Place("Studies", "studies/index.html"),
          new Place("Servers", "servers/index.html"), new Place("Claims", "studies/claims/index.html"),
          new Place("Symptoms", "runbooks/symptoms/index.html"), new Place("Method", "docs/METHOD.html"),
          new Place("Runs", "results/index.html"), new Place("Docs", "docs/index.html"));

  private final Template template = Mustache.compiler().emptyStringIsFalse(true).compile(resource("site.html.mustache"));

  /**
   * A whole page.
   *
   * @param path where it stands in the site
   * @param body HTML, with its first heading
   * @param source the file of the repository that it was made of; empty = none
   */
  String page(String path, String title, String body, String source) {
    String root = "../".repeat(depth(path));
    List<Map<String, Object>> places =
        PLACES.stream().map(of -> Map.<String, Object>of("name", of.name, "path", of.path, "here", of.path.equals(path))).toList();
    return template.execute(
        Map.of(
            "root", root, "title", title, "places", places, "crumbs", crumbs(path, root), "body", body, "source", source));
  }

  private static int depth(String path) {
    return (int) path.chars().filter(c -> c == '/').count();
  }

  /** The folders above a page. */
  private static String crumbs(String path, String root) {
    String[] parts = path.split("/", -1);
    StringBuilder out = new StringBuilder();
    StringBuilder folder = new StringBuilder(root);
    boolean index = parts[parts.length - 1].equals("index.html");
    for (int i = 0; i < parts.length - (index ? 2 : 1); i++) {
      folder.append(parts[i]).append('/');
      out.append(link(folder + "index.html", parts[i])).append(" / ");
    }
    return out.toString();
  }

  /** A file among the resources of the site. */
  static String resource(String name) {
    return Page.text("/echoladder/harness/site/" + name);
  }

  /** Links to the parts of a page, for its top. */
  static String contents(Stream<String> links) {
    return links.collect(Collectors.joining(" ", "<nav class=\"contents\" aria-label=\"On this page\">", "</nav>\n"));
  }
}
