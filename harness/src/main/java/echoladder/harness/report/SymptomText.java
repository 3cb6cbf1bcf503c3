package echoladder.harness.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Heading;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;
import org.jspecify.annotations.Nullable;

/** The symptom pages in a report of their own: what a reason means and what to do, as HTML. */
final class SymptomText {
  /** How reasons name a page. */
  private static final Pattern NAME = Pattern.compile("runbooks/symptoms/([a-z0-9-]+)\\.md");

  private static final Pattern PARTS =
      Pattern.compile("(?ms)^## (Meaning|Mitigation)\\R(.*?)(?=^## |\\z)");

  private SymptomText() {}

  /** The page of a symptom: its meaning and its mitigation as HTML; null where there is no such page. */
  static @Nullable String html(String id) {
    String page = page(id);
    if (page == null) {
      return null;
    }
    StringBuilder html = new StringBuilder();
    for (MatchResult part : PARTS.matcher(page).results().toList()) {
      Node body = Parser.builder().build().parse(part.group(2));
      withoutLinks(body);
      String text = HtmlRenderer.builder().escapeHtml(true).sanitizeUrls(true).build().render(body);
      html.append("<h4>").append(part.group(1)).append("</h4>\n").append(text);
    }
    return html.toString();
  }

  /** The names of the pages that a text refers to. */
  static List<String> namedIn(String text) {
    return NAME.matcher(text).results().map(m -> m.group(1)).toList();
  }

  private static @Nullable String page(String id) {
    if (!id.matches("[a-z0-9-]+")) {
      return null;
    }
    try (InputStream in = SymptomText.class.getResourceAsStream("/echoladder/harness/symptoms/" + id + ".md")) {
      return in == null ? null : new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Its links lead to other files of the checkout, which do not travel with a report: their text stays. */
  private static void withoutLinks(Node body) {
    body.accept(
        new AbstractVisitor() {
          @Override
          public void visit(Link link) {
            while (link.getFirstChild() != null) {
              link.insertBefore(link.getFirstChild());
            }
            link.unlink();
          }

          @Override
          public void visit(Heading heading) {
            heading.setLevel(Math.min(6, heading.getLevel() + 2));
            visitChildren(heading);
          }
        });
  }
}
