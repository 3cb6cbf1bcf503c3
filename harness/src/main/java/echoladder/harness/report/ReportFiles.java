package echoladder.harness.report;

import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import java.io.IOException;
import java.util.List;

/**
 * All that is made from the folder of a run alone: REPORT.md, results.csv, pairs.csv, the plots and report.html. The same folder
 * gives the same files.
 */
public final class ReportFiles {
  private ReportFiles() {}

  /**
   * Writes them, those first that need the least.
   *
   * @return what of the folder could not be read, in sentences; the report has them too
   * @throws IOException where the folder cannot be written; what was written by then stays
   */
  public static List<String> write(RunFolder folder, RunRecord run) throws IOException {
    RunRecord shown = CapacityText.shown(run);
    RungPlots rungs = RungPlots.read(shown, folder);
    Pairs pairs = new Pairs(shown);
    folder.replace("REPORT.md", MarkdownReport.of(shown, pairs, rungs.notes(), rungs.distributions()));
    folder.replace("results.csv", TidyFigures.of(run));
    if (!pairs.all().isEmpty()) {
      folder.replace(PairsFile.NAME, PairsFile.of(shown, pairs));
    }
    for (Plot plot : Plots.of(shown)) {
      folder.replace(plot.file(), plot.svg());
    }
    for (Plot plot : rungs.distributions()) {
      folder.replace(plot.file(), plot.svg());
    }
    for (Plot flame : rungs.flames()) {
      folder.replace(flame.file(), flame.svg());
    }
    folder.replace("report.html", HtmlReport.of(shown, pairs, rungs));
    return rungs.notes();
  }

  /** report.html of a run that is under way, as it is served; {@code version} grows with each. */
  public static String livePage(RunFolder folder, RunRecord run, int version) {
    RunRecord shown = CapacityText.shown(run);
    return HtmlReport.live(shown, RungPlots.read(shown, folder), version);
  }
}
