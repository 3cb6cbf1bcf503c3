package echoladder.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.needs.BusyHost;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A real run followed as a browser and as a script would: its growing report, and a line of JSON per event. */
class WatchIT {
  private static final Path HOME = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern ADDRESS = Pattern.compile("http://127\\.0\\.0\\.1:(\\d+)/");

  private static final List<String> EVENTS = List.of("run-begins", "phase", "rung-ends", "run-ends");

  private static final String STUDY =
      """
      name: watched
      question: Does the report grow with its run?
      servers: [floor, virtual-threads]
      rungs: [20]
      repeats: 1
      load: {rate: {total: 400/s}}
      phases: {connect_rate: 1000/s, warm_up_min: 0s, warm_up_max: 2m, steady: 3s, drain: 5s}
      bounds: {response_time_p99: 1h, server_start: 2m}
      """
          + BusyHost.THRESHOLDS;

  @TempDir private Path dir;

  private LadderProcess run(String port) throws IOException {
    Path study = Files.writeString(dir.resolve("study.yaml"), STUDY);
    return LadderProcess.start(
        HOME, dir, "run", study.toString(), "--results", dir.resolve("results").toString(), "--watch", port, "--quiet", "--events",
        events().toString());
  }

  private Path events() {
    return dir.resolve("events.jsonl");
  }

  /** Whether a rung has come so far, by what a script is told; a line may be half written. */
  private boolean told(String event, String server, String phase) throws IOException {
    return Files.exists(events())
        && Files.readString(events()).lines().anyMatch(
            line -> line.contains("\"event\":\"" + event + "\"") && line.contains("\"server\":\"" + server + "\"") && line.contains(phase));
  }

  private static String get(HttpClient client, String url) throws IOException, InterruptedException {
    var answer = client.send(HttpRequest.newBuilder(URI.create(url)).build(), BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(url).isEqualTo(200);
    return answer.body();
  }

  @Test
  @Tag("long")
  void itIsReadInTheMiddleAndAtTheEndAndEndsWithTheRun() throws Exception {
    try (LadderProcess ladder = run("0");
        HttpClient client = HttpClient.newHttpClient()) {
      Awaitility.await()
          .atMost(Duration.ofMinutes(2))
          .until(() -> told("phase", "virtual-threads", "\"phase\":\"start server\""));
      Matcher address = ADDRESS.matcher(ladder.err());
      assertThat(address.find()).as(ladder.err()).isTrue();
      String url = address.group();
      String middle = get(client, url);
      assertThat(middle)
          .contains("Does the report grow with its run?", "This run is under way", "connect-src 'self'")
          .contains("<td>valid</td>", "the run had not ended when this was written");
      assertThat(otherHost(Integer.parseInt(address.group(1)))).startsWith("HTTP/1.1 403");
      Awaitility.await()
          .atMost(Duration.ofMinutes(2))
          .until(() -> hasTheThreeTimes(get(client, url + "metrics")));
      String before = get(client, url + "version");
      // As a page does; so the last one is served until it was fetched.
      Awaitility.await()
          .atMost(Duration.ofMinutes(2))
          .pollInterval(Duration.ofMillis(300))
          .until(() -> !get(client, url + "version").equals(before) && told("rung-ends", "virtual-threads", "\"verdict\":\"valid\""));
      Awaitility.await()
          .atMost(Duration.ofMinutes(1))
          .pollInterval(Duration.ofMillis(300))
          .until(() -> !get(client, url + "version").isEmpty() && !get(client, url).contains("This run is under way"));
      assertThat(ladder.status()).as(ladder.err()).isZero();
      assertThat(ladder.err()).doesNotContain("\tat ").as("--quiet").doesNotContain("steady", "looking for", "valid, ");
      assertThat(ladder.out()).contains("virtual-threads", "report: ");
      everyEventIsAsItsPageSays();
      int port = Integer.parseInt(address.group(1));
      Awaitility.await().atMost(Duration.ofSeconds(10)).until(() -> closed(port));
    }
    assertThat(RunBelow.folder(dir.resolve("results"), "watched").resolve("report.html"))
        .content()
        .doesNotContain("This run is under way", "connect-src", "echo-ladder-place");
  }

  private static boolean hasTheThreeTimes(String metrics) {
    return Stream.of("response_time", "service_time", "send_lateness")
        .allMatch(time -> metrics.contains("echo_client_" + time + "_seconds{connections=\"20\",quantile=\"0.5\",server=\"virtual-threads\"}"));
  }

  private void everyEventIsAsItsPageSays() throws IOException {
    Map<String, Set<String>> documented = new HashMap<>();
    Matcher row = Pattern.compile("(?m)^\\| `(\\w+)` \\| ([a-z, -]+) \\|").matcher(Files.readString(HOME.resolve("docs/EVENTS.md")));
    while (row.find()) {
      for (String event : row.group(2).equals("all") ? EVENTS : List.of(row.group(2).split(", ", -1))) {
        documented.computeIfAbsent(event, _ -> new TreeSet<>()).add(row.group(1));
      }
    }
    List<JsonNode> events = Files.readAllLines(events()).stream().map(JsonMapper.shared()::readTree).toList();
    for (JsonNode event : events) {
      assertThat(event.propertyNames()).as("%s", event).containsExactlyInAnyOrderElementsOf(Objects.requireNonNull(documented.get(event.path("event").asString())));
    }
    assertThat(events).extracting(event -> event.path("event").asString()).startsWith("run-begins", "phase").endsWith("rung-ends", "run-ends").hasSameElementsAs(EVENTS);
    assertThat(events.stream().filter(event -> event.path("server").asString().equals("floor")).map(event -> event.path("phase").asString()))
        .containsSubsequence("start server", "ramp", "warm-up", "steady", "drain", "hold");
    assertThat(events.getLast().path("exit_status").asInt()).isZero();
    assertThat(Path.of(events.getLast().path("report").asString())).isRegularFile();
  }

  private static boolean closed(int port) {
    try (Socket socket = new Socket(InetAddress.getByName("127.0.0.1"), port)) {
      return !socket.isConnected();
    } catch (IOException e) {
      return true;
    }
  }

  /** What a browser would get for a page of somebody else whose name leads here. */
  private static String otherHost(int port) throws IOException {
    try (Socket socket = new Socket(InetAddress.getByName("127.0.0.1"), port)) {
      socket.getOutputStream()
          .write("GET / HTTP/1.1\r\nHost: example.org\r\nConnection: close\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void aPortInUseIsRefusedBeforeAnythingStarts() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"));
        LadderProcess ladder = run(String.valueOf(taken.getLocalPort()))) {
      assertThat(ladder.status()).isEqualTo(3);
      assertThat(ladder.err())
          .contains("cannot serve the report on 127.0.0.1:" + taken.getLocalPort(), "Address already in use", "--watch 0")
          .doesNotContain("start server", "\tat ");
    }
    assertThat(events()).doesNotExist();
    assertThat(dir.resolve("results")).doesNotExist();
  }
}
