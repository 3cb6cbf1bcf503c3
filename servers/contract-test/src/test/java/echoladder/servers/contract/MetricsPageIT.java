package echoladder.servers.contract;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.server.ServerProcess;
import echoladder.servers.contract.http.HttpSubject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What the metrics page of every server owes to who scrapes it, whoever else is connected to it. Several servers at a time, as
 * the tests mostly wait for deadlines.
 */
@Order(1)
@Execution(ExecutionMode.CONCURRENT)
class MetricsPageIT {
  /** More than any page serves at a time. */
  private static final int MANY = 20;

  private static final String SCRAPE = "GET /metrics HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";
  private static final String COLLECT = "POST /gc HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 0\r\n";
  private static final Duration AT_ONCE = Duration.ZERO;

  /**
   * A server in one of its variants.
   *
   * @param start gives the argv, of a server that is built by then
   */
  record Subject(String name, String server, Supplier<List<String>> start) {
    List<String> argv() {
      return start.get();
    }

    @Override
    public String toString() {
      return name;
    }
  }

  /**
   * Every server in every variant, of TCP and HTTP; where one server was asked for, that one. The pages of the WebSocket
   * servers are those of the others here, from kit and go-echo, so the whole build does not ask them again.
   */
  static Stream<Subject> all() {
    String only = Tested.only();
    Stream<String> protocols = only == null ? Stream.of("tcp", "http") : Stream.of(Tested.named(only).protocol());
    return protocols.flatMap(
        protocol ->
            protocol.equals("http")
                ? HttpSubject.all()
                    .map(http -> new Subject(http.toString(), http.manifest().name(), () -> http.argv(0, Map.of())))
                : Variant.allOf(protocol).map(variant -> new Subject(variant.toString(), variant.name(), variant::argv)));
  }

  /** Every server once. */
  static Stream<Subject> defaults() {
    Set<String> seen = new HashSet<>();
    return all().filter(subject -> seen.add(subject.server()));
  }

  /** A server's process, and the clients of its page that hang on. */
  private static final class Run implements AutoCloseable {
    private final Path log = Files.createTempFile("metrics-page", ".log");
    private final ServerProcess process;
    private final int port;
    private final List<PageClient> clients = new ArrayList<>();

    Run(List<String> argv) throws Exception {
      process = ServerProcess.start(argv, log);
      port = process.awaitReady(RunningServer.LONG).metricsPort();
    }

    PageClient client() throws IOException {
      PageClient client = new PageClient(port);
      clients.add(client);
      return client;
    }

    void scrapeBeside(String who, Consumer<PageClient> behaviour) throws IOException {
      for (int i = 0; i < MANY; i++) {
        behaviour.accept(client());
      }
      for (int i = 0; i < 3; i++) {
        assertThat(ask(SCRAPE)).as("status of a scrape beside %d connections that %s", MANY, who).isEqualTo(200);
      }
      clients.forEach(PageClient::close);
      clients.clear();
    }

    int ask(String request) throws IOException {
      try (PageClient scraper = new PageClient(port)) {
        return scraper.send(request).answer();
      }
    }

    @Override
    public void close() throws IOException {
      clients.forEach(PageClient::close);
      process.close();
      Files.deleteIfExists(log);
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("all")
  void aScrapeGetsThroughWhoeverElseHangsOn(Subject subject) throws Exception {
    try (Run run = new Run(subject.argv())) {
      run.scrapeBeside("ask nothing", client -> {});
      run.scrapeBeside("have asked once and stay", client -> client.send(SCRAPE));
      run.scrapeBeside("send half a request", client -> client.send("GET /metrics HTTP/1.1\r\nHo"));
      run.scrapeBeside("send half a body", client -> client.send("POST /gc HTTP/1.1\r\nContent-Length: 9\r\n\r\nhalf"));
      run.scrapeBeside(
          "send a byte from time to time",
          client -> client.send("GET /metrics HTTP/1.1\r\n").sendForEver("x", Duration.ofMillis(100)));
      run.scrapeBeside("ask on and on and never read", client -> client.sendForEver(SCRAPE.repeat(50), AT_ONCE));
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("defaults")
  void aRequestHasADeadlineWhateverItsPace(Subject subject) throws Exception {
    try (Run run = new Run(subject.argv())) {
      PageClient half = run.client().send("GET /metrics HTTP/1.1\r\nHo");
      PageClient slow = run.client().send("GET /metrics HTTP/1.1\r\nX-").sendForEver("x", Duration.ofMillis(100));
      PageClient body = run.client().send(COLLECT.replace("Length: 0", "Length: 9") + "\r\nhalf");
      // A client that does not read is cut off as well; what it does not see is its end, so it is not asked.
      half.awaitEnd();
      slow.awaitEnd();
      body.awaitEnd();
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("defaults")
  void aScrapeGetsThroughWithoutADescriptorLeft(Subject subject) throws Exception {
    try (Run run = new Run(LastDescriptors.plain(subject.argv()))) {
      for (int i = 0; i < MANY; i++) {
        run.client().send(SCRAPE);
      }
      assertThat(run.ask(SCRAPE)).isEqualTo(200);
      LastDescriptors.leave(run.process.pid(), 0);
      for (int i = 0; i < MANY; i++) {
        run.client();
      }
      for (int i = 0; i < 3; i++) {
        assertThat(run.ask(SCRAPE)).as("status of a scrape with no descriptor left").isEqualTo(200);
      }
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("defaults")
  void aPageOfAnotherSiteIsRefused(Subject subject) throws Exception {
    try (Run run = new Run(subject.argv())) {
      // 404 of a server that has nothing to collect.
      assertThat(run.ask(COLLECT + "\r\n")).as("status of /gc as the harness asks").isIn(200, 404);
      assertThat(run.ask(COLLECT.replace("127.0.0.1", "localhost:" + run.port) + "\r\n")).isIn(200, 404);
      for (String mark :
          List.of("Origin: http://elsewhere.example", "Origin: null", "ORIGIN:http://127.0.0.1:1", "Sec-Fetch-Site: cross-site",
              "Sec-Fetch-Site: same-site")) {
        assertThat(run.ask(COLLECT + mark + "\r\n\r\n")).as("status of /gc with '%s'", mark).isEqualTo(403);
        assertThat(run.ask(SCRAPE.stripTrailing() + "\r\n" + mark + "\r\n\r\n")).as("a scrape with '%s'", mark).isEqualTo(403);
      }
      // A name that its owner made to lead here: DNS rebinding.
      assertThat(run.ask(COLLECT.replace("127.0.0.1", "elsewhere.example:" + run.port) + "\r\n")).isEqualTo(403);
      assertThat(run.ask(SCRAPE.replace("127.0.0.1", "127.0.0.1.elsewhere.example"))).isEqualTo(403);
      // As an address bar sends it.
      assertThat(run.ask(SCRAPE.stripTrailing() + "\r\nSec-Fetch-Site: none\r\n\r\n")).isEqualTo(200);
    }
  }
}
