package echoladder.harness;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.needs.Need;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Headless Chromium ({@link Need#CHROMIUM}): loads a page from disk, opens all that can be opened, and looks at it. */
public final class Browser {
  /** Before everything else, so that no error of the page is missed. */
  private static final String FIRST =
      "<script>window.seen = [];"
          + "addEventListener('error', e => seen.push(String(e.message)));"
          + "addEventListener('unhandledrejection', e => seen.push(String(e.reason)));"
          + "addEventListener('securitypolicyviolation', e => seen.push('policy: ' + e.blockedURI));</script>";

  /** After everything else. A plot is drawn where its lines and bars have a length in their server's colour, and is read by a key. */
  private static final String LAST =
      """
      <script>
      addEventListener('load', () => {
        document.getElementById('all')?.click();
        document.querySelectorAll('details').forEach(d => { d.open = true; });
        setTimeout(() => {
          const strong = paint => {
            const parts = (/rgb\\((\\d+), (\\d+), (\\d+)\\)/.exec(paint) || [0, 0, 0, 0]).slice(1).map(Number);
            return Math.max(...parts) - Math.min(...parts) > 60;
          };
          // The reference is grey, and may be the only server of a plot with a figure that is quoted.
          const painted = (shape, paint) => shape.closest('g[data-name]') ? paint.startsWith('rgb') : strong(paint);
          const drawn = shape => shape.getClientRects().length > 0
            && (painted(shape, getComputedStyle(shape).stroke) || painted(shape, getComputedStyle(shape).fill));
          const coloured = plot => [...plot.querySelectorAll('path, rect')].filter(drawn).reduce((sum, s) => sum + s.getTotalLength(), 0);
          const read = plot => {
            plot.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight', bubbles: true}));
            return plot.querySelector('.tip').innerText;
          };
          const report = {
            errors: seen,
            plots: [...document.querySelectorAll('.plot')].map(p => ({
              label: p.getAttribute('aria-label') || '',
              table: p.closest('figure').querySelectorAll('details table td').length,
              focusable: p.tabIndex === 0,
              coloured: Math.round(coloured(p)),
              panels: p.querySelectorAll('.panel').length,
              read: read(p),
            })),
            bars: [...document.querySelectorAll('svg g[class^=s] rect')].filter(b => b.getBoundingClientRect().width > 0).length,
            dead: [...document.querySelectorAll('a')].map(a => a.getAttribute('href'))
              .filter(h => !h || !h.startsWith('#') || !document.getElementById(h.slice(1))),
            loads: performance.getEntriesByType('resource').map(r => r.name),
            wider: document.documentElement.scrollWidth - innerWidth,
            text: document.querySelector('main').innerText,
          };
          const pre = document.createElement('pre');
          pre.id = 'probe';
          pre.textContent = btoa(unescape(encodeURIComponent(JSON.stringify(report))));
          document.body.append(pre);
        }, 500);
      });
      </script>
      """;

  private static final Pattern PROBE = Pattern.compile("<pre id=\"probe\">([A-Za-z0-9+/=]+)</pre>");

  private Browser() {}

  private static Path binary() {
    return Need.CHROMIUM.programs().stream()
        .flatMap(name -> Stream.of(System.getenv("PATH").split(":", -1)).map(dir -> Path.of(dir, name)))
        .filter(Files::isExecutable)
        .findFirst()
        .orElseThrow();
  }

  /** What a page shows in a window of that many pixels; the folder is for the browser's own files. */
  public static JsonNode look(Path page, Path scratch, int width) throws IOException, InterruptedException {
    String html = Files.readString(page);
    assertThat(html).contains("<head>").contains("</body>");
    Path probed = scratch.resolve("probed-" + width + ".html");
    Files.writeString(probed, html.replaceFirst("<head>", "<head>" + FIRST).replace("</body>", LAST + "</body>"));
    List<MatchResult> found = PROBE.matcher(dom(probed, scratch, width)).results().toList();
    assertThat(found).as("what the page says of itself").hasSize(1);
    return JsonMapper.shared().readTree(Base64.getDecoder().decode(found.getFirst().group(1)));
  }

  /** A page as it is once its scripts have run. */
  public static String dom(Path page, Path scratch, int width) throws IOException, InterruptedException {
    Path out = scratch.resolve("dom-" + width + ".html");
    Process browser =
        new ProcessBuilder(
                binary().toString(), "--headless", "--no-sandbox", "--disable-gpu",
                "--disable-dev-shm-usage", "--user-data-dir=" + scratch.resolve("profile"),
                "--window-size=" + width + ",900", "--virtual-time-budget=20000", "--dump-dom", page.toUri().toString())
            .redirectOutput(out.toFile())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      assertThat(browser.waitFor(180, TimeUnit.SECONDS)).as("the browser's end").isTrue();
    } finally {
      browser.descendants().forEach(ProcessHandle::destroyForcibly);
      browser.destroyForcibly();
    }
    return Files.readString(out);
  }

  /** Asserts that a page of a run with figures is whole: no error, every plot drawn, named and with its table. */
  public static void isWhole(JsonNode seen) {
    assertThat(seen.get("errors")).as("errors").isEmpty();
    assertThat(seen.get("loads")).as("what was loaded from elsewhere").isEmpty();
    assertThat(seen.get("dead")).as("links that lead nowhere").isEmpty();
    assertThat(seen.get("wider").asInt()).as("pixels by which the page is wider than its window").isNotPositive();
    assertThat(seen.get("plots")).as("plots").isNotEmpty();
    for (JsonNode plot : seen.get("plots")) {
      String label = plot.get("label").asString();
      assertThat(label).isNotBlank();
      assertThat(plot.get("focusable").asBoolean()).as(label).isTrue();
      assertThat(plot.get("table").asInt()).as("cells of the table of: " + label).isPositive();
      assertThat(plot.get("coloured").asInt()).as("length of coloured lines of: " + label).isGreaterThan(20);
      assertThat(plot.get("read").asString()).as("what a key reads of: " + label).isNotBlank();
    }
    assertThat(seen.get("text").asString()).doesNotContain("undefined", "NaN", "Infinity", "[object");
  }
}
