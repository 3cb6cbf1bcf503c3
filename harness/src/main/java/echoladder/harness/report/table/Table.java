package echoladder.harness.report.table;

import echoladder.harness.common.TextTable;
import echoladder.harness.common.Units;
import echoladder.harness.report.words.Html;
import echoladder.harness.report.words.MarkdownText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A table, and its three writers: for a terminal, for Markdown and for HTML. A cell is plain text, in which **bold** and `code` may be
 * marked. Each writer escapes what its format would take for its own.
 */
public final class Table {
  /** With more columns a page shows a table in smaller letters. */
  private static final int MANY = 9;

  private record Column(String head, boolean figures) {
    private String divider() {
      return figures ? "--:|" : "---|";
    }
  }

  /**
   * What a row begins with.
   *
   * @param text stands before that of the first cell
   * @param target it leads there
   * @param style the row's class in HTML
   */
  public record Name(String text, String target, String style) {}

  private record Row(@Nullable Name name, List<String> cells) {
    /** The first cell with the name before it. */
    private String first() {
      return (name == null ? "" : name.text) + cells.getFirst();
    }
  }

  private final List<Column> columns = new ArrayList<>();
  private final List<Row> rows = new ArrayList<>();
  private String style = "";

  /** Gives the table a class of its own in HTML, by which report.css lays it out. */
  Table styled(String as) {
    style = as;
    return this;
  }

  /** Adds columns of words, which are left-aligned. */
  public Table words(String... heads) {
    Arrays.stream(heads).forEach(head -> columns.add(new Column(head, false)));
    return this;
  }

  /** Adds columns of figures, which are right-aligned. */
  public Table figures(String... heads) {
    return figures(List.of(heads));
  }

  /** Adds a column of figures for each head of a list. */
  public Table figures(List<String> heads) {
    heads.forEach(head -> columns.add(new Column(head, true)));
    return this;
  }

  /** Adds a row of as many cells as there are columns; null stands for what there is not. */
  public Table row(@Nullable String... cells) {
    return row(Arrays.stream(cells).map(cell -> cell == null ? Units.NONE : cell).toList());
  }

  /** Adds a row from a list of as many cells as there are columns. */
  public Table row(List<String> cells) {
    return row(null, cells);
  }

  /** Adds a row that begins with a name. */
  public Table named(Name name, String... cells) {
    return row(name, List.of(cells));
  }

  private Table row(@Nullable Name name, List<String> cells) {
    if (cells.size() != columns.size()) {
      throw new IllegalArgumentException(cells.size() + " cells in " + columns.size() + " columns: " + cells);
    }
    rows.add(new Row(name, List.copyOf(cells)));
    return this;
  }

  public boolean isEmpty() {
    return rows.isEmpty();
  }

  /** Those of the columns that have these heads. */
  public Table only(String... heads) {
    List<Integer> at = columns.stream().filter(c -> List.of(heads).contains(c.head())).map(columns::indexOf).toList();
    Table only = new Table();
    at.forEach(i -> only.columns.add(columns.get(i)));
    rows.forEach(row -> only.row(row.name, at.stream().map(row.cells::get).toList()));
    return only;
  }

  /** The lines for a terminal, marks left out. */
  public List<String> lines() {
    TextTable text = new TextTable().row(columns.stream().map(Column::head).toList());
    for (Row row : rows) {
      List<String> cells = new ArrayList<>(row.cells);
      cells.set(0, row.first());
      text.row(cells.stream().map(cell -> cell.replace("**", "").replace("`", "")).toList());
    }
    return text.lines();
  }

  /** The table in Markdown, without a line break at its end. */
  public String markdown() {
    boolean named = columns.stream().anyMatch(column -> !column.head().isEmpty());
    List<String> lines = new ArrayList<>();
    lines.add(named ? line(columns.stream().map(Column::head).toList()) : "| ".repeat(columns.size()) + "|");
    lines.add("|" + columns.stream().map(Column::divider).collect(Collectors.joining()));
    rows.forEach(row -> lines.add(line(row.name, row.cells)));
    return String.join("\n", lines);
  }

  private static String line(List<String> cells) {
    return line(null, cells);
  }

  private static String line(@Nullable Name name, List<String> cells) {
    String begin = name == null ? "| " : "| [%s](%s)".formatted(cell(name.text), name.target);
    return cells.stream().map(Table::cell).collect(Collectors.joining(" | ", begin, " |"));
  }

  /** Text that may stand in a cell of Markdown. */
  static String cell(String text) {
    return MarkdownText.plain(text).replace("|", "\\|");
  }

  /** The table in HTML, in a box that scrolls where it is too wide. */
  public String html() {
    return html(cell -> "");
  }

  /**
   * The table in HTML, in a box that scrolls where it is too wide, with a mark before each row.
   *
   * @param mark what stands before the first cell of a row, by the cell's text, as HTML
   */
  public String html(UnaryOperator<String> mark) {
    String names = columns.stream().map(Column::head).filter(head -> !head.isEmpty()).collect(Collectors.joining(", "));
    StringBuilder out = new StringBuilder();
    out.append(Html.scroll("Table: " + (names.isEmpty() ? "names and values" : names)));
    out.append("\n<table%s>\n".formatted(styleInHtml()));
    if (!names.isEmpty()) {
      out.append("<thead><tr>");
      columns.forEach(column -> out.append("<th scope=\"col\"%s>%s</th>".formatted(kind(column), Html.inline(column.head()))));
      out.append("</tr></thead>\n");
    }
    out.append("<tbody>\n");
    for (Row row : rows) {
      out.append(row.name == null ? "<tr>" : "<tr class=\"%s\">".formatted(Html.escaped(row.name.style)));
      for (int i = 0; i < row.cells.size(); i++) {
        String text = Html.inline(row.cells.get(i));
        out.append(i == 0 ? "<th scope=\"row\"" : "<td").append(kind(columns.get(i))).append('>');
        out.append(i == 0 ? mark.apply(row.cells.get(i)) + link(row.name) : "").append(columns.get(i).figures() ? figure(text) : text);
        out.append(i == 0 ? "</th>" : "</td>");
      }
      out.append("</tr>\n");
    }
    return out.append("</tbody></table></div>").toString();
  }

  private String styleInHtml() {
    String as = style.isEmpty() && columns.size() > MANY ? "many" : style;
    return as.isEmpty() ? "" : " class=\"%s\"".formatted(Html.escaped(as));
  }

  private static String link(@Nullable Name name) {
    return name == null ? "" : "<a href=\"%s\">%s</a>".formatted(Html.escaped(name.target), Html.inline(name.text));
  }

  private static String kind(Column column) {
    return column.figures() ? " class=\"n\"" : "";
  }

  /** A line of a narrow column ends before a range or within it, and never between a number and its unit. */
  private static String figure(String text) {
    String whole = text.replace(' ', '\u00a0').replace("\u00a0(", " (").replace("\u00a0to\u00a0", " to\u00a0");
    return whole.length() > 1 ? whole.replace("–", "–<wbr>") : whole;
  }
}
