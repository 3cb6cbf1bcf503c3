package echoladder.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import echoladder.harness.server.ReadyLine;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The metrics page of somebody else's server: behind a password, and with text that is meant for a terminal. */
@Tag("long")
class AttachedPageIT {
  private static final Path HOME = Path.of("..").toAbsolutePath().normalize();

  private static final String STUDY =
      """
      name: attached
      question: Who is told what?
      servers: [go-echo]
      rungs: [20]
      repeats: 1
      load: {rate: {total: 400/s}}
      phases: {connect_rate: 1000/s, warm_up_min: 0s, warm_up_max: 1s, steady: 2s, drain: 1s}
      """;

  /** The header's value for me:s3cret-word. */
  private static final String AUTHORIZATION = "Basic bWU6czNjcmV0LXdvcmQ=";

  private static final String SECRET = "s3cret-word";

  @TempDir private Path dir;

  private final AtomicInteger refused = new AtomicInteger();
  private final AtomicInteger admitted = new AtomicInteger();

  /** The page of a server, handed on through {@code change} to who has the password. */
  private HttpServer page(ReadyLine server, UnaryOperator<String> change) throws IOException {
    HttpServer front = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
    HttpClient http = HttpClient.newHttpClient();
    front.createContext(
        "/",
        exchange -> {
          try (exchange) {
            if (!List.of(AUTHORIZATION).equals(exchange.getRequestHeaders().get("Authorization"))) {
              refused.incrementAndGet();
              exchange.sendResponseHeaders(401, -1);
              return;
            }
            admitted.incrementAndGet();
            HttpRequest request =
                HttpRequest.newBuilder(server.metrics().resolve(exchange.getRequestURI()))
                    .method(exchange.getRequestMethod(), BodyPublishers.noBody())
                    .build();
            HttpResponse<String> answer = http.send(request, BodyHandlers.ofString());
            byte[] text = change.apply(answer.body()).getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(answer.statusCode(), text.length);
            exchange.getResponseBody().write(text);
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
    front.start();
    return front;
  }

  private LadderProcess serve() {
    LadderProcess server = LadderProcess.start(HOME, dir, "serve", "go-echo");
    Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> server.out().contains("\"ready\":true"));
    return server;
  }

  private LadderProcess climb(ReadyLine server, HttpServer page, String user) throws IOException {
    Path study = Files.writeString(dir.resolve("study.yaml"), STUDY);
    URI metrics = URI.create("http://" + user + "127.0.0.1:" + page.getAddress().getPort() + "/metrics");
    return LadderProcess.start(
        HOME, dir, "run", study.toString(), "--results", dir.resolve("results").toString(), "--attach",
        "127.0.0.1:" + server.port(), "--server-metrics", metrics.toString());
  }

  private List<Path> results() throws IOException {
    try (Stream<Path> all = Files.walk(dir.resolve("results"))) {
      return all.filter(Files::isRegularFile).toList();
    }
  }

  @Test
  void aPasswordGoesWithTheRequestAndIsToldNobody() throws Exception {
    try (LadderProcess running = serve()) {
      ReadyLine server = ReadyLine.parse(running.out().strip());
      HttpServer page = page(server, text -> text);
      try (LadderProcess ladder = climb(server, page, "me:" + SECRET + "@")) {
        assertThat(ladder.status()).as(ladder::err).isIn(0, 1);
        assertThat(ladder.out() + ladder.err()).doesNotContain(SECRET, "me:").contains("report: ");
      } finally {
        page.stop(0);
      }
      assertThat(admitted.get()).isPositive();
      assertThat(refused.get()).as("requests without the password").isZero();
      assertThat(results()).extracting(file -> file.getFileName().toString()).contains("run.json", "REPORT.md", "report.html");
      for (Path file : results()) {
        assertThat(Files.readString(file)).as("%s", file).doesNotContain(SECRET, "bWU6czNjcmV0", "me:s");
      }
    }
  }

  @Test
  void withoutThePasswordItIsSaidWhichPageAndWhy() throws Exception {
    try (LadderProcess running = serve()) {
      ReadyLine server = ReadyLine.parse(running.out().strip());
      HttpServer page = page(server, text -> text);
      try (LadderProcess ladder = climb(server, page, "")) {
        assertThat(ladder.status()).isEqualTo(3);
        assertThat(ladder.err()).contains("/metrics answered 401");
      } finally {
        page.stop(0);
      }
    }
  }

  @Test
  void whatATerminalWouldObeyIsShownAsASign() throws Exception {
    try (LadderProcess running = serve()) {
      ReadyLine server = ReadyLine.parse(running.out().strip());
      HttpServer page = page(server, text -> text.replace("server=\"go-echo\"", "server=\"\033]0;owned\007\033[2J\u009b\""));
      try (LadderProcess ladder = climb(server, page, "me:" + SECRET + "@")) {
        assertThat(ladder.status()).isEqualTo(2);
        assertThat(ladder.err()).contains("is of the server '", "]0;owned").doesNotContain("\033", "\007", "\u009b");
      } finally {
        page.stop(0);
      }
    }
  }
}
