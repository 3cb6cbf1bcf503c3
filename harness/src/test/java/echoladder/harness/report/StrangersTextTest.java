package echoladder.harness.report;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.results.RunFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/** Texts of servers, tools and hosts in a run's record: nothing in them is markup in a report. */
class StrangersTextTest {
  private static final Path GOLDEN = Path.of("src/test/resources/golden/run.json");

  /** As each form of Markdown that a page runs or loads: a tag, a link and an image, also behind what ends code. */
  private static final String HOSTILE =
      "seen<img src=x onerror=y>`<script>z</script>\\<img src=x>![i](http://h/i.png)[l](http://h/l)<http://h/a>\n```\n# head\n<!-- c";

  /** Where the words of others stand, beside all of the environment and what a process said of itself. */
  private static final Set<String> WORDS = Set.of("question", "reproduce", "title", "detail", "status_reason", "reason");

  @TempDir private Path dir;
  private int poisoned;

  @BeforeEach
  void aRunOfHostileWords() throws IOException {
    Files.copy(GOLDEN, dir.resolve("run.json"));
    ObjectNode run = (ObjectNode) RunFolder.tree(new RunFolder(dir).read());
    poison(run, false);
    assertThat(poisoned).isGreaterThan(40);
    Files.writeString(dir.resolve("run.json"), run.toString());
    RunFolder folder = RunFolder.open(dir);
    ReportFiles.write(folder, folder.read());
  }

  private void poison(JsonNode node, boolean all) {
    if (node instanceof ObjectNode object) {
      object.propertyNames().forEach(
          name -> {
            boolean words = all || (WORDS.contains(name) && !object.path(name).asString("").matches("[a-z-]+"));
            if (words && object.path(name).isString()) {
              object.put(name, HOSTILE);
              poisoned++;
            }
            poison(object.path(name), all || Set.of("environment", "command", "config").contains(name));
          });
    } else if (node instanceof ArrayNode array) {
      for (int i = 0; i < array.size(); i++) {
        if (all && array.get(i).isString()) {
          array.set(i, StringNode.valueOf(HOSTILE));
          poisoned++;
        }
        poison(array.get(i), all);
      }
    }
  }

  @Test
  void theMarkdownHasNoneOfTheirMarkup() throws IOException {
    String report = Files.readString(dir.resolve("REPORT.md"));
    assertThat(report).contains("seen");
    String page = HtmlRenderer.builder().build().render(Parser.builder().build().parse(report));
    assertThat(page).contains("onerror").doesNotContain("<img src=\"http", "<img src=x", "<script", "<a href=\"http", "<!--", "<h1>head");
  }

  @Test
  void thePageHasNoneOfTheirMarkup() throws IOException {
    String page = Files.readString(dir.resolve("report.html"));
    // The data of its plots stand in a script, where no tag but the script's end means anything.
    assertThat(page).contains("seen&lt;img").doesNotContain("<script>z", "z</script>");
    assertThat(page.replaceAll("(?s)<script.*?</script>", "")).doesNotContain("<img src=x", "<!-- c");
  }
}
