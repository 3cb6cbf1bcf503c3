package echoladder.harness.site;

import echoladder.harness.report.words.Html;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.commonmark.ext.gfm.tables.TableCell;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Code;
import org.commonmark.node.Heading;
import org.commonmark.node.HtmlBlock;
import org.commonmark.node.HtmlInline;
import org.commonmark.node.Image;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.node.Paragraph;
import org.commonmark.node.StrongEmphasis;
import org.commonmark.node.Text;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.NodeRenderer;
import org.commonmark.renderer.html.HtmlNodeRendererContext;
import org.commonmark.renderer.html.HtmlRenderer;
import org.commonmark.renderer.text.TextContentRenderer;
import org.jspecify.annotations.Nullable;

/**
 * A page of the repository as HTML.
 *
 * @param title its first heading, as text; empty where there is none
 * @param html with an id in each heading, as code hosts give them
 * @param sections its headings of the second level, in order
 */
record SiteText(String title, String html, List<Section> sections) {
  /**
   * A heading, as text, and where it is.
   *
   * @param leads the bold sentences that its paragraphs and points begin with, as text, in order
   */
  record Section(String id, String title, List<String> leads) {}

  /** Where the links of a page lead in the site. */
  interface Links {
    /** The address for a link's target; null = it leads nowhere here, and its text stands alone. */
    @Nullable String link(String target);

    /** The address of a file that a text names from the root of the repository; null = no page of the site. */
    @Nullable String named(String path);

    /** A picture as HTML. */
    String picture(String target, String alt);
  }

  private static final List<TablesExtension> TABLES = List.of((TablesExtension) TablesExtension.create());
  private static final Parser PARSER = Parser.builder().extensions(TABLES).build();
  private static final TextContentRenderer PLAIN = TextContentRenderer.builder().build();

  /** How texts name a page, as reasons of verdicts do. */
  private static final Pattern PAGE = Pattern.compile("(?:runbooks|docs|studies)/[A-Za-z0-9/-]+\\.md");

  SiteText {
    sections = List.copyOf(sections);
  }

  /** Renders Markdown with tables; tags in it are shown, not obeyed. */
  static SiteText of(String markdown, Links links) {
    Node body = PARSER.parse(markdown);
    body.accept(new Leading(links));
    Map<Heading, String> ids = new HashMap<>();
    List<Section> sections = new ArrayList<>();
    String[] title = {""};
    Map<String, Integer> used = new HashMap<>();
    body.accept(
        new AbstractVisitor() {
          @Override
          public void visit(Heading heading) {
            String text = PLAIN.render(heading);
            String id = id(text);
            int times = used.merge(id, 1, Integer::sum);
            String own = times == 1 ? id : id + "-" + (times - 1);
            ids.put(heading, own);
            if (heading.getLevel() == 1 && title[0].isEmpty()) {
              title[0] = text;
            } else if (heading.getLevel() == 2) {
              sections.add(new Section(own, text, leads(heading)));
            }
          }
        });
    String html =
        HtmlRenderer.builder()
            .extensions(TABLES)
            .escapeHtml(true)
            .attributeProviderFactory(_ -> (node, _, attributes) -> attributes(node, attributes, ids))
            .nodeRendererFactory(context -> new Drawn(context, links))
            .build()
            .render(body);
    String boxed = html.replace("<table>", Html.scroll("Table") + "<table>").replace("</table>", "</table></div>");
    return new SiteText(title[0], boxed, sections);
  }

  /** The id that code hosts give a heading: its letters and digits, in lower case, with hyphens for spaces. */
  static String id(String heading) {
    return heading.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-');
  }

  private static List<String> leads(Heading of) {
    List<String> leads = new ArrayList<>();
    AbstractVisitor paragraphs =
        new AbstractVisitor() {
          @Override
          public void visit(Paragraph paragraph) {
            if (paragraph.getFirstChild() instanceof StrongEmphasis bold && PLAIN.render(bold).endsWith(".")) {
              leads.add(PLAIN.render(bold));
            }
          }
        };
    for (@Nullable Node next = of.getNext(); next != null && !(next instanceof Heading end && end.getLevel() <= 2); next = next.getNext()) {
      next.accept(paragraphs);
    }
    return leads;
  }

  private static void attributes(Node node, Map<String, String> attributes, Map<Heading, String> ids) {
    if (node instanceof Heading heading) {
      attributes.put("id", ids.getOrDefault(heading, ""));
    }
    if (node instanceof TableCell cell && cell.getAlignment() == TableCell.Alignment.RIGHT) {
      attributes.put("class", "n");
      attributes.remove("align");
    }
  }

  /** Pictures; and of the tags in a text the places that links of the page lead to. */
  private record Drawn(HtmlNodeRendererContext context, Links links) implements NodeRenderer {
    private static final Pattern PLACE = Pattern.compile("<a id=\"[A-Za-z0-9_-]+\">|</a>");

    @Override
    public Set<Class<? extends Node>> getNodeTypes() {
      return Set.of(Image.class, HtmlInline.class);
    }

    @Override
    public void render(Node node) {
      if (node instanceof Image image) {
        context.getWriter().raw(links.picture(image.getDestination(), PLAIN.render(image)));
      } else if (node instanceof HtmlInline tag && PLACE.matcher(tag.getLiteral()).matches()) {
        context.getWriter().raw(tag.getLiteral());
      } else if (node instanceof HtmlInline tag) {
        context.getWriter().text(tag.getLiteral());
      }
    }
  }

  /** Has links lead into the site, and makes links of the pages that texts name. */
  private static final class Leading extends AbstractVisitor {
    private final Links links;

    Leading(Links links) {
      this.links = links;
    }

    @Override
    public void visit(Link link) {
      String to = links.link(link.getDestination());
      if (to != null) {
        link.setDestination(to);
        return;
      }
      while (link.getFirstChild() != null) {
        link.insertBefore(link.getFirstChild());
      }
      link.unlink();
    }

    @Override
    public void visit(Image image) {
      // Its text is no place for links.
    }

    @Override
    public void visit(HtmlBlock block) {
      // A remark for programs that write into the page.
      if (block.getLiteral().startsWith("<!--")) {
        block.unlink();
      }
    }

    @Override
    public void visit(Code code) {
      String to = links.named(code.getLiteral());
      if (to != null) {
        Link link = new Link(to, null);
        code.insertBefore(link);
        link.appendChild(code);
      }
    }

    @Override
    public void visit(Text text) {
      String literal = text.getLiteral();
      int from = 0;
      for (MatchResult page : PAGE.matcher(literal).results().toList()) {
        String to = links.named(page.group());
        if (to != null) {
          text.insertBefore(new Text(literal.substring(from, page.start())));
          Link link = new Link(to, null);
          link.appendChild(new Text(page.group()));
          text.insertBefore(link);
          from = page.end();
        }
      }
      text.setLiteral(literal.substring(from));
    }
  }

  /** A list of the sections for the top of a page; empty where there are few. */
  String contents() {
    return sections.size() < 3 ? "" : SiteLayout.contents(sections.stream().map(of -> SiteTable.link("#" + of.id, of.title)));
  }
}
