package echoladder.harness;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.needs.Need;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
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
            return plot.querySelector('.tip')?.innerText ?? '';
          };
          // Contrast as WCAG 2 reckons it, of all texts that can be seen.
          const rgb = paint => (paint.match(/[\\d.]+/g) || []).map(Number);
          const light = ([r, g, b]) => [r, g, b].map(c => c / 255).map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
            .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
          const behind = of => {
            for (; of; of = of.parentElement) {
              const paint = rgb(getComputedStyle(of).backgroundColor);
              if (paint.length === 3 || paint[3] === 1) {
                return paint;
              }
            }
            return [255, 255, 255];
          };
          const contrast = of => {
            const [less, more] = [light(rgb(getComputedStyle(of).color)), light(behind(of))].sort((a, b) => a - b);
            return (more + 0.05) / (less + 0.05);
          };
          const texts = [...document.querySelectorAll('body *:not(script):not(style)')]
            .filter(of => !of.closest('svg') && of.getClientRects().length && [...of.childNodes].some(n => n.nodeType === 3 && n.data.trim()));
          const report = {
            errors: seen,
            inner: innerWidth,
            dark: matchMedia('(prefers-color-scheme: dark)').matches,
            ground: light(behind(document.body)),
            texts: texts.length,
            faint: texts.filter(of => contrast(of) < 4.5).map(of => of.tagName + ' ' + of.innerText.slice(0, 60)),
            bottoms: [...document.querySelectorAll('.cards section')].map(of => Math.round(of.getBoundingClientRect().bottom + scrollY)),
            plots: [...document.querySelectorAll('.plot')].map(p => ({
              label: p.getAttribute('aria-label') || '',
              table: p.closest('figure')?.querySelectorAll('details table td').length ?? 0,
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
          parent.postMessage(btoa(unescape(encodeURIComponent(JSON.stringify(report)))), '*');
        }, 500);
      });
      </script>
      """;

  /** Pixels of every window. */
  public static final int HEIGHT = 900;

  private static final Pattern PROBE = Pattern.compile("<pre id=\"probe\">([A-Za-z0-9+/=]+)</pre>");

  private Browser() {}

  private static Path binary() {
    return Need.CHROMIUM.programs().stream()
        .flatMap(name -> Stream.of(System.getenv("PATH").split(":", -1)).map(dir -> Path.of(dir, name)))
        .filter(Files::isExecutable)
        .findFirst()
        .orElseThrow();
  }

  /** What the user prefers, as the number by which Blink calls it. */
  public enum Scheme {
    DARK,
    LIGHT
  }

  /** What a page shows in a light window of that many pixels; the folder is for the browser's own files. */
  public static JsonNode look(Path page, Path scratch, int width) throws IOException, InterruptedException {
    return look(page, scratch, width, Scheme.LIGHT);
  }

  /** A page that holds another in a frame, as a window is never narrower than 500 pixels, and notes what that says of itself. */
  private static String framed(Path page, int width) {
    return """
      <!doctype html><meta name="color-scheme" content="light dark"><body style="margin:0"><script>
      addEventListener('message', said => {
        const pre = document.createElement('pre');
        pre.id = 'probe';
        pre.textContent = said.data;
        document.body.append(pre);
      });
      </script><iframe src="%s" style="width:%dpx;height:%dpx;border:0"></iframe></body>
      """
        .formatted(page.toUri(), width, HEIGHT);
  }

  /**
   * What a page shows in a window of that many pixels to a user who prefers a scheme. Files that the page names are found from its own
   * place. Its policy stays, but for the two scripts that look at it.
   */
  public static JsonNode look(Path page, Path scratch, int width, Scheme scheme) throws IOException, InterruptedException {
    String html = Files.readString(page);
    assertThat(html).contains("<head>").contains("</body>");
    String base = "<base href=\"%s\">".formatted(Objects.requireNonNull(page.toAbsolutePath().getParent(), "a file has a folder").toUri());
    String open = html.replace("script-src 'self' file:;", "script-src 'self' file: 'unsafe-inline';");
    Path probed = scratch.resolve("probed-" + width + ".html");
    Files.writeString(probed, open.replace("<head>", "<head>" + base + FIRST).replace("</body>", LAST + "</body>"));
    Path frame = scratch.resolve("frame-" + width + ".html");
    Files.writeString(frame, framed(probed, width));
    List<MatchResult> found = PROBE.matcher(dom(frame, scratch, width, scheme)).results().toList();
    assertThat(found).as("what the page says of itself").hasSize(1);
    JsonNode seen = JsonMapper.shared().readTree(Base64.getDecoder().decode(found.getFirst().group(1)));
    assertThat(seen.get("inner").asInt()).as("pixels of the window").isEqualTo(width);
    assertThat(seen.get("dark").asBoolean()).as("dark").isEqualTo(scheme == Scheme.DARK);
    return seen;
  }

  /** A page as it is once its scripts have run. */
  public static String dom(Path page, Path scratch, int width) throws IOException, InterruptedException {
    return dom(page, scratch, width, Scheme.LIGHT);
  }

  private static String dom(Path page, Path scratch, int width, Scheme scheme) throws IOException, InterruptedException {
    Path out = scratch.resolve("dom-" + width + ".html");
    Process browser =
        new ProcessBuilder(
                binary().toString(), "--headless", "--no-sandbox", "--disable-gpu",
                "--disable-dev-shm-usage", "--user-data-dir=" + scratch.resolve("profile"),
                "--window-size=" + width + "," + HEIGHT,
                "--blink-settings=preferredColorScheme=" + scheme.ordinal(), "--virtual-time-budget=20000", "--dump-dom", page.toUri().toString())
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
