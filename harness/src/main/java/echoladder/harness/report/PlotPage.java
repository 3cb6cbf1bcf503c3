package echoladder.harness.report;

import com.samskivert.mustache.Mustache;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** A page in one file: a template with its styles, uPlot, the script that draws, and the data of its plots. */
public final class PlotPage {
  private PlotPage() {}

  /**
   * Fills a template.
   *
   * @param template its name among the resources
   * @param series lines of the plots
   * @param panels the plots, by whose index the template names them
   * @param values what else is in it; the template escapes what it does not mark
   */
  public static String of(String template, List<Series> series, List<Panel> panels, Map<String, Object> values) {
    return of(template, PlotData.json(series, panels, List.of()), values);
  }

  static String of(String template, String data, Map<String, Object> values) {
    Map<String, Object> map = new HashMap<>(values);
    map.put("data", data);
    map.put("plotCss", text("uPlot.min.css"));
    map.put("plotLicence", text("uPlot.LICENSE"));
    map.put("plotScript", text("uPlot.iife.min.js"));
    map.put("css", text("report.css"));
    map.put("script", text("report.js"));
    return Mustache.compiler().defaultValue("").compile(text(template)).execute(map);
  }

  /** Each plot as a template takes it, with its place among them as {@code index}. */
  public static List<Map<String, Object>> rows(List<Series> series, List<Panel> panels) {
    List<Map<String, Object>> rows = new ArrayList<>();
    for (int i = 0; i < panels.size(); i++) {
      rows.add(PanelRows.of(i, panels.get(i), series));
    }
    return rows;
  }

  static String text(String name) {
    try (InputStream in = PlotPage.class.getResourceAsStream(name)) {
      return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
