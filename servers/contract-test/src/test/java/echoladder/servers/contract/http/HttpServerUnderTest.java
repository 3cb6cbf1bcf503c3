package echoladder.servers.contract.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import echoladder.harness.server.ReadyLine;
import echoladder.harness.server.ServerProcess;
import echoladder.servers.contract.Leaks;
import echoladder.servers.contract.Peer;
import echoladder.servers.contract.Tested;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A server's process, its metrics page and its end. */
final class HttpServerUnderTest implements AutoCloseable {
  static final Duration START = Duration.ofSeconds(60);

  private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final ServerProcess process;
  private final ReadyLine ready;
  private final Path log;

  private HttpServerUnderTest(ServerProcess process, ReadyLine ready, Path log) {
    this.process = process;
    this.ready = ready;
    this.log = log;
  }

  static HttpServerUnderTest start(List<String> argv) throws Exception {
    Path log = Files.createTempFile("http-contract", ".log");
    ServerProcess process = ServerProcess.start(argv, log);
    try {
      return new HttpServerUnderTest(process, process.awaitReady(START), log);
    } catch (Exception e) {
      process.close();
      throw e;
    }
  }

  HttpPeer connect() throws IOException {
    return new HttpPeer(ready.port());
  }

  ServerProcess process() {
    return process;
  }

  ReadyLine ready() {
    return ready;
  }

  String log() throws IOException {
    return Files.readString(log);
  }

  /** The value of one series, e.g. {@code echo_connections_open}. */
  double metric(String series) throws IOException, InterruptedException {
    HttpResponse<String> page =
        client.send(HttpRequest.newBuilder(ready.metrics()).build(), HttpResponse.BodyHandlers.ofString());
    Matcher m = Pattern.compile("(?m)^" + Pattern.quote(series) + " ([-+.eE0-9]+)").matcher(page.body());
    assertThat(m.find()).as("%s on the metrics page:%n%s", series, page.body()).isTrue();
    return Double.parseDouble(m.group(1));
  }

  /** Failures for want of something, e.g. {@code enomem}; 0 where the page has none of that reason, which is there once it was seen. */
  double failures(String reason) throws IOException, InterruptedException {
    String series = "echo_accept_errors_total{reason=\"" + reason + "\"} ";
    return client.send(HttpRequest.newBuilder(ready.metrics()).build(), HttpResponse.BodyHandlers.ofString()).body().lines()
        .filter(line -> line.startsWith(series))
        .mapToDouble(line -> Double.parseDouble(line.substring(series.length())))
        .sum();
  }

  /** What it holds: what is left after a garbage collection, of a program without one its resident memory. */
  long heldBytes() throws IOException, InterruptedException {
    URI gc = ready.gc();
    HttpResponse<String> answered =
        client.send(
            HttpRequest.newBuilder(gc).POST(HttpRequest.BodyPublishers.noBody()).build(),
            HttpResponse.BodyHandlers.ofString());
    if (Tested.named(ready.server()).unmanaged() && answered.statusCode() == 404) {
      return (long) metric("process_resident_memory_bytes");
    }
    String answer = answered.body();
    Matcher m = Pattern.compile("\"live_heap_bytes\":\\s*(\\d+)").matcher(answer);
    assertThat(m.find()).as(answer).isTrue();
    return Long.parseLong(m.group(1));
  }

  /** A connection that its client has left is given up: else each such client would cost the server one for good. */
  void holdsNoConnectionAfter(String what) {
    holdsNoMoreAfter(what, 0);
  }

  /**
   * Awaits that the server holds no more connections than before: another test in this process may have left some, which end by
   * a timeout of the server's.
   */
  void holdsNoMoreAfter(String what, double before) {
    await()
        .atMost(Peer.PATIENCE)
        .untilAsserted(
            () ->
                assertThat(openConnections())
                    .as("connections that %s still holds after %s", ready.server(), what)
                    .isLessThanOrEqualTo(before));
  }

  double openConnections() throws IOException, InterruptedException {
    return metric("echo_connections_open");
  }

  /**
   * Collects what is not referred to any more; the next buffer that is taken then reports what was never released.
   *
   * @param target where a message is posted to
   */
  void leaksNothing(String target) throws IOException, InterruptedException {
    heldBytes();
    try (HttpPeer peer = connect()) {
      for (int i = 0; i < 20; i++) {
        peer.send(HttpPeer.post(target, new byte[64]));
        assertThat(peer.answer().status()).isEqualTo(200);
      }
    }
    assertThat(Leaks.in(log().lines())).as("buffers that were not released:%n%s", log()).isEmpty();
  }

  @Override
  public void close() throws IOException {
    process.close();
    client.close();
    Files.deleteIfExists(log);
  }
}
