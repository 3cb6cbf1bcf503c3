package echoladder.harness.site;

import static echoladder.harness.site.SiteTable.link;

import echoladder.harness.explain.SearchTable;
import echoladder.harness.explain.Topic;
import echoladder.harness.report.words.Html;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/** The search over error texts and numbers, and the list of all symptoms. */
final class SymptomsPage {
  static final String PATH = "runbooks/symptoms/index.html";

  private SymptomsPage() {}

  /** The script's data. */
  static String table(List<Topic> topics) {
    return "const explainTable = " + JsonMapper.shared().writeValueAsString(SearchTable.of(topics)) + ";\n";
  }

  /**
   * The page.
   *
   * @param meanings by the name of a symptom: what it means, in a sentence or a few
   */
  static String body(Map<String, String> meanings) {
    SiteTable table = new SiteTable("symptom", "what it means");
    meanings.forEach((id, means) -> table.row(link(id + ".html", id), Html.inline(means)));
    return """
        <h1>Why does it stop?</h1>
        <form id="explain" role="search">
        <label for="q">Paste an error text, some lines of a log, or the number at which the server stops. Nothing leaves this page.</label>
        <textarea id="q" name="q" rows="3" spellcheck="false" \
        placeholder="dial tcp 10.0.0.7:443: connect: cannot assign requested address"></textarea>
        <p class="muted">Try <a href="?q=Too+many+open+files">Too many open files</a>, \
        <a href="?q=it+stops+at+28232">it stops at 28232</a>, <a href="?q=connection+reset+by+peer">connection reset by peer</a>. \
        <code>./ladder explain TEXT</code> answers the same, with the values of your host.</p>
        </form>
        <noscript><p class="mark">The search needs JavaScript. <a href="../index.html">All texts</a> stand on one page too.</p></noscript>
        <div id="found" aria-live="polite"></div>
        <h2 id="all">All symptoms</h2>
        <div id="symptoms">
        %s</div>
        <script src="../../explain.table.js"></script>
        <script src="../../explain.js"></script>
        """
        .formatted(table.html());
  }
}
