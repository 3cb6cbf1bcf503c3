package echoladder.harness.explain;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.Browser;
import echoladder.harness.common.Checkout;
import echoladder.harness.doctor.Facts;
import echoladder.harness.explain.Topic.NumberRule;
import echoladder.needs.Need;
import echoladder.needs.Needs;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The site's script explains as the verb does on a host whose numbers are not known. */
class SearchTableTest {
  private static final List<Topic> TOPICS = Topics.of(Checkout.find()).stream().map(SearchTableTest::ofNoHost).toList();

  private static final Pattern ANSWERS = Pattern.compile("<pre id=\"answers\">([A-Za-z0-9+/=]+)</pre>");

  /** As people paste them, with what the known texts do not have. */
  private static final List<String> MORE =
      List.of(
          "it stops at 28,232", "stuck at 4023 connections", "28232", "about 1020 clients", "no more than 32k threads", "idle for 350 s", "after 5 minutes",
          "to many opne files", "ERRNO 24", "connection dies after 3600 seconds of inactivity", "", "hello", "\u0000 é \ud83d", "0", "999999999999999", "64 KiB", "15 ms",
          "2021/06/24 11:20:01 [alert] 584265#584265: *4242 768 worker_connections are not enough while connecting to upstream",
          "java.lang.OutOfMemoryError: unable to create native thread\n\tat java.base/java.lang.Thread.start0(Native Method)\n\t... 12 more", "EMFILE at 127.0.0.1:8080",
          "os error 105", "listen tcp :8080: bind: address already in use; pid=4242", "[12.3] nf_conntrack: table full, dropping packet\r\nnext line", "x".repeat(5_000));

  @TempDir private Path dir;

  private static Topic ofNoHost(Topic of) {
    List<NumberRule> rules = of.numbers().stream().map(rule -> new NumberRule(Map.of(), rule.with(), rule.elsewhere(), rule.at())).toList();
    return new Topic(of.id(), of.page(), of.limit(), of.means(), of.show(), of.lift(), of.texts(), of.words(), rules);
  }

  private static String said(Explanation of) {
    return of.found() + of.matches().stream()
        .map(match -> "; %s '%s' %s".formatted(match.topic(), match.text(), match.walls().stream().map(Wall::at).toList()))
        .collect(Collectors.joining());
  }

  @Test
  @Needs(Need.CHROMIUM)
  void theScriptOfTheSiteExplainsAsTheVerbDoes() throws IOException, InterruptedException {
    List<String> asked = Stream.of(TOPICS.stream().flatMap(of -> of.allTexts().stream()), ReportsTest.reports().map(ReportsTest.Report::asked), MORE.stream())
        .flatMap(texts -> texts).toList();
    String script;
    try (InputStream in = SearchTableTest.class.getResourceAsStream("/echoladder/harness/site/explain.js")) {
      script = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    }
    JsonMapper json = JsonMapper.shared();
    Path page = dir.resolve("page.html");
    Files.writeString(
        page,
        """
        <!doctype html><meta charset="utf-8"><body><script>const explainTable = %s;
        const asked = JSON.parse(new TextDecoder().decode(Uint8Array.from(atob('%s'), c => c.charCodeAt(0))));</script>
        <script>%s</script><script>
        const said = answer => answer.found + answer.matches.map(of => `; ${of.topic.id} '${of.text}' [${of.walls.map(wall => wall.at).join(', ')}]`).join('');
        const pre = document.createElement('pre');
        pre.id = 'answers';
        pre.textContent = btoa(unescape(encodeURIComponent(JSON.stringify(asked.map(text => said(explainer(text)))))));
        document.body.append(pre);
        </script>"""
            .formatted(
                json.writeValueAsString(SearchTable.of(TOPICS)).replace("</", "<\\/"),
                Base64.getEncoder().encodeToString(json.writeValueAsString(asked).getBytes(StandardCharsets.UTF_8)), script));
    Matcher found = ANSWERS.matcher(Browser.dom(page, dir, 800));
    assertThat(found.find()).as("the script ran to its end").isTrue();
    JsonNode answers = json.readTree(Base64.getDecoder().decode(found.group(1)));
    Explainer verb = new Explainer(TOPICS, new HostNumbers(new Facts().facts(), 4, Map.of()));
    assertThat(answers).hasSize(asked.size());
    for (int i = 0; i < asked.size(); i++) {
      assertThat(answers.get(i).asString()).as(asked.get(i)).isEqualTo(said(verb.explain(asked.get(i))));
    }
  }
}
