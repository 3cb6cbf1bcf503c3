package echoladder.harness.report.page;

import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** The symptom pages in a report of their own: what a reason means and what to do, as HTML. */
final class SymptomText {
  private static final Pattern PARTS =
      Pattern.compile("(?ms)^## (Meaning|Mitigation)\\R(.*?)(?=^## |\\z)");

  private SymptomText() {}

  /** The page of a symptom: its meaning and its mitigation as HTML, or that there is no such page. */
  static String html(String id) {
    String name = "/echoladder/harness/symptoms/" + id + ".md";
    if (SymptomText.class.getResource(name) == null) {
      return "<p>This ladder has no page of that name.</p>";
    }
    StringBuilder html = new StringBuilder();
    for (MatchResult part : PARTS.matcher(Page.text(name)).results().toList()) {
      String text = Prose.html(part.group(2)).replaceAll("<(/?)h[1-6][^>]*>", "<$1h5>");
      html.append("<h4>").append(part.group(1)).append("</h4>\n").append(text);
    }
    return html.toString();
  }
}
