package echoladder.harness.report.page;

import com.samskivert.mustache.Mustache;
import echoladder.harness.report.plot.Panel;
import echoladder.harness.report.plot.PanelPlot;
import echoladder.harness.report.plot.Plot;
import echoladder.harness.report.plot.Series;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** A page in one file: a template with its styles and the script that reads its plots. */
public final class Page {
  private Page() {}

  /**
   * Fills a template.
   *
   * @param template its name among the resources
   * @param values what is in it; the template escapes what it does not mark
   */
  public static String of(String template, Map<String, Object> values) {
    Map<String, Object> map = new HashMap<>(values);
    map.put("css", text("report.css"));
    map.put("script", text("report.js"));
    return Mustache.compiler().defaultValue("").compile(text(template)).execute(map);
  }

  /** Panels as one plot with its tables, as HTML; nothing where there are none. */
  public static String plot(String title, List<Panel> panels, List<Series> series) {
    return panels.isEmpty() ? "" : Plot.html(List.of(PanelPlot.of("", title, panels, series, "")));
  }

  /** Panels as one SVG with nothing around it. */
  public static String svg(String title, List<Panel> panels, List<Series> series) {
    return PanelPlot.of("", title, panels, series, "").svg();
  }

  /** The styles of every page, light and dark. */
  public static String styles() {
    return text("report.css");
  }

  /** A file among the resources: its name as a class of this package gives it. */
  public static String text(String name) {
    try (InputStream in = Page.class.getResourceAsStream(name)) {
      return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
