package echoladder.harness.report.plot;

import echoladder.harness.report.table.Table;
import echoladder.harness.report.words.Html;
import java.util.List;
import java.util.Map;

/**
 * A plot as it is drawn: the SVG is the file beside a report and what report.html shows.
 *
 * @param file its name beside the report; empty where it stands in report.html alone
 * @param title what it shows, for where its figures stand beside it; those are in the plot's own description
 * @param tables its values, each table with what it is of
 */
public record Plot(String file, String title, String svg, Map<String, Table> tables) {

  /** The plots with their tables, in a page that has report.js and report.css. */
  public static String html(List<Plot> plots) {
    StringBuilder out = new StringBuilder();
    for (Plot plot : plots) {
      out.append(
          ("<figure>\n<div class=\"plot\" tabindex=\"0\" role=\"group\" aria-roledescription=\"plot\""
              + " aria-label=\"%s\">\n%s</div>\n<details class=\"values\"><summary>Table: %s</summary>\n")
              .formatted(Html.escaped(plot.title()), plot.svg(), Html.escaped(plot.title())));
      plot.tables().forEach((of, table) -> out.append("<p>").append(Html.escaped(of)).append("</p>\n").append(table.html()).append('\n'));
      out.append("</details>\n</figure>\n");
    }
    return out.toString();
  }
}
