package echoladder.harness.watch;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import echoladder.harness.judgement.StopRule;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import echoladder.harness.study.Study;
import echoladder.loadmetrics.LoadExporter;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The page of a run that has just begun, as a browser gets it. */
class LivePageTest {
  private static final Path FOLDER = Path.of("src/test/resources/golden");

  /** The golden run as its run.json was when no rung had ended. */
  private static RunRecord begun() throws IOException {
    ObjectNode run = (ObjectNode) JsonMapper.shared().readTree(Files.readString(FOLDER.resolve("run.json")));
    run.put("status", "running").putNull("ended_at");
    run.putArray("rungs");
    run.remove("logs");
    Study study = new RunFolder(FOLDER).read().study();
    run.set("climbs", JsonMapper.shared().valueToTree(StopRule.climbs(study, List.of(), false)));
    return RunFolder.parse(run.toString());
  }

  private static String get(HttpClient client, String url) throws IOException, InterruptedException {
    var answer = client.send(HttpRequest.newBuilder(URI.create(url)).build(), BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(url).isEqualTo(200);
    return answer.body();
  }

  @Test
  void beforeTheFirstRungHasEndedItSaysSoAndWhatIsDoneNow() throws Exception {
    HttpServer bound = LivePage.bind(0);
    try (LivePage page = LivePage.of(bound, new RunFolder(FOLDER), new LoadExporter(), () -> "1/12  floor  1,000  ramp  8 min left");
        HttpClient client = HttpClient.newHttpClient()) {
      page.show(begun());
      String url = LivePage.url(bound);
      assertThat(get(client, url))
          .contains("This run is under way.", "<p id=\"now\"></p>", "No rung has ended yet. The run climbs <strong>")
          .doesNotContain("no valid rung");
      assertThat(get(client, url + "now")).isEqualTo("1/12  floor  1,000  ramp  8 min left");
    }
  }
}
