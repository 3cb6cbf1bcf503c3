package echoladder.harness.site;

import echoladder.harness.report.words.Html;
import java.util.ArrayList;
import java.util.List;

/** A table whose cells may be links: as HTML, in the classes of report.css. */
final class SiteTable {
  /** Columns from which on letters are smaller. */
  private static final int MANY = 9;

  private final StringBuilder rows = new StringBuilder();
  private final List<Boolean> figures = new ArrayList<>();
  private final StringBuilder head = new StringBuilder();
  private final List<String> names = new ArrayList<>();

  /** @param heads of the columns; one that begins with # has figures, which are right-aligned */
  SiteTable(String... heads) {
    for (String of : heads) {
      boolean figure = of.startsWith("#");
      String name = figure ? of.substring(1) : of;
      figures.add(figure);
      names.add(name);
      head.append("<th scope=\"col\"%s>%s</th>".formatted(figure ? " class=\"n\"" : "", Html.escaped(name)));
    }
  }

  /** A row of HTML cells, as many as there are columns. */
  SiteTable row(String... cells) {
    if (cells.length != figures.size()) {
      throw new IllegalArgumentException(cells.length + " cells in " + figures.size() + " columns");
    }
    rows.append("<tr>");
    for (int i = 0; i < cells.length; i++) {
      String tag = i == 0 ? "th scope=\"row\"" : figures.get(i) ? "td class=\"n\"" : "td";
      rows.append('<').append(tag).append('>').append(cells[i]).append(i == 0 ? "</th>" : "</td>");
    }
    rows.append("</tr>\n");
    return this;
  }

  String html() {
    String box = Html.scroll("Table: " + String.join(", ", names));
    return "%s<table%s>\n<thead><tr>%s</tr></thead>\n<tbody>\n%s</tbody>\n</table></div>\n"
        .formatted(box, figures.size() < MANY ? "" : " class=\"many\"", head, rows);
  }

  /** A link as a cell has it. */
  static String link(String to, String text) {
    return "<a href=\"%s\">%s</a>".formatted(Html.escaped(to), Html.escaped(text));
  }
}
