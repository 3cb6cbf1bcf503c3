package echoladder.harness.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The symptom pages in a report of their own: what a reason means and what to do, as HTML. */
final class SymptomText {
  private static final Pattern PARTS =
      Pattern.compile("(?ms)^## (Meaning|Mitigation)\\R(.*?)(?=^## |\\z)");

  private SymptomText() {}

  /** The page of a symptom: its meaning and its mitigation as HTML; null where there is no such page. */
  static @Nullable String html(String id) {
    String page = page(id);
    if (page == null) {
      return null;
    }
    StringBuilder html = new StringBuilder();
    for (MatchResult part : PARTS.matcher(page).results().toList()) {
      String text = Prose.html(part.group(2)).replaceAll("<(/?)h[1-6][^>]*>", "<$1h5>");
      html.append("<h4>").append(part.group(1)).append("</h4>\n").append(text);
    }
    return html.toString();
  }

  private static @Nullable String page(String id) {
    if (!id.matches("[a-z0-9-]+")) {
      return null;
    }
    try (InputStream in = SymptomText.class.getResourceAsStream("/echoladder/harness/symptoms/" + id + ".md")) {
      return in == null ? null : new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
