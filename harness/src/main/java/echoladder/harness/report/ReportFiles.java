package echoladder.harness.report;

import echoladder.harness.report.page.HtmlReport;
import echoladder.harness.report.page.MarkdownReport;
import echoladder.harness.report.plot.Plot;
import echoladder.harness.report.plot.Plots;
import echoladder.harness.report.plot.RungPlots;
import echoladder.harness.report.table.CapacityText;
import echoladder.harness.report.table.Pairs;
import echoladder.harness.report.table.PairsFile;
import echoladder.harness.report.table.TidyFigures;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;

/**
 * All that is made from the folder of a run alone: REPORT.md, results.csv, pairs.csv, the plots and report.html. The same folder
 * gives the same files.
 */
public final class ReportFiles {
  private ReportFiles() {}

  /**
   * Writes them into the run's folder, those first that need the least.
   *
   * @return what of the folder could not be read, in sentences; the report has them too
   * @throws IOException where the folder cannot be written; what was written by then stays
   */
  public static List<String> write(RunFolder folder, RunRecord run) throws IOException {
    return write(folder, run, folder);
  }

  /**
   * Writes them into another folder, and nothing into the run's. A plot that is in the run's folder, and cannot be drawn again for
   * want of what it was made of, is copied.
   *
   * @param to a folder that is there
   */
  public static List<String> write(RunFolder folder, RunRecord run, RunFolder to) throws IOException {
    RunRecord shown = CapacityText.shown(run);
    RungPlots rungs = RungPlots.read(shown, folder);
    Pairs pairs = new Pairs(shown);
    to.replace("REPORT.md", MarkdownReport.of(shown, pairs, rungs.notes(), rungs.files()));
    to.replace("results.csv", TidyFigures.of(run));
    if (!pairs.all().isEmpty()) {
      to.replace(PairsFile.NAME, PairsFile.of(shown, pairs));
    }
    List<Plot> drawn =
        Stream.of(Plots.ofTwo(shown).stream().toList(), Plots.of(shown, pairs.groups()), rungs.distributions(), rungs.flames())
            .flatMap(List::stream)
            .toList();
    for (Plot plot : drawn) {
      to.replace(plot.file(), plot.svg());
    }
    for (String file : rungs.files().keySet()) {
      if (!to.equals(folder) && drawn.stream().noneMatch(plot -> plot.file().equals(file))) {
        to.replace(file, folder.files().text(file, RunFolder.MOST_RECORD_BYTES));
      }
    }
    to.replace("report.html", HtmlReport.of(shown, pairs, rungs));
    return rungs.notes();
  }

  /** report.html of a run that is under way, as it is served; {@code version} grows with each. */
  public static String livePage(RunFolder folder, RunRecord run, int version) {
    RunRecord shown = CapacityText.shown(run);
    return HtmlReport.live(shown, RungPlots.read(shown, folder), version);
  }
}
