package echoladder.harness.report;

import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import java.io.IOException;

/**
 * All that is made from the folder of a run alone: REPORT.md, results.csv, the plots and report.html. The same folder
 * gives the same files.
 */
public final class ReportFiles {
  private ReportFiles() {}

  /**
   * Writes them, those first that need the least.
   *
   * @throws IOException where the folder cannot be written; what was written by then stays
   */
  public static void write(RunFolder folder, RunRecord run) throws IOException {
    folder.replace("REPORT.md", MarkdownReport.of(run));
    folder.replace("results.csv", TidyFigures.of(run));
    for (SvgPlots.Plot plot : SvgPlots.of(run)) {
      folder.replace(plot.file(), plot.svg());
    }
    folder.replace("report.html", HtmlReport.of(run, folder));
  }
}
