package echoladder.harness.report.page;

import java.util.Locale;
import java.util.Map;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Heading;
import org.commonmark.node.Image;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.node.Paragraph;
import org.commonmark.node.StrongEmphasis;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;
import org.commonmark.renderer.text.TextContentRenderer;

/** Markdown as HTML of a page that travels alone: links and images become their text, and tags in it are shown, not obeyed. */
final class Prose {
  private static final TextContentRenderer TEXT = TextContentRenderer.builder().build();

  private static final HtmlRenderer HTML =
      HtmlRenderer.builder().escapeHtml(true).attributeProviderFactory(_ -> Prose::attributes).build();

  private Prose() {}

  /** The HTML of it. */
  static String html(String markdown) {
    Node body = Parser.builder().build().parse(markdown);
    body.accept(
        new AbstractVisitor() {
          @Override
          public void visit(Link link) {
            visitChildren(link);
            unwrap(link);
          }

          @Override
          public void visit(Image image) {
            visitChildren(image);
            unwrap(image);
          }
        });
    return HTML.render(body);
  }

  private static void unwrap(Node node) {
    while (node.getFirstChild() != null) {
      node.insertBefore(node.getFirstChild());
    }
    node.unlink();
  }

  /** Headings can be led to. A paragraph that begins with a sentence in bold, or a word with a colon, is a notice. */
  private static void attributes(Node node, String tag, Map<String, String> attributes) {
    if (node instanceof Heading) {
      attributes.put("id", TEXT.render(node).toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-").replaceAll("^-|-$", ""));
    }
    if (node instanceof Paragraph && node.getFirstChild() instanceof StrongEmphasis bold && TEXT.render(bold).matches(".*[.:]")) {
      attributes.put("class", "mark");
      attributes.put("role", "note");
    }
  }
}
