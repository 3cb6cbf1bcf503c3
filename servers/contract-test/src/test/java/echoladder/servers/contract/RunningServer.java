package echoladder.servers.contract;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.harness.server.ReadyLine;
import echoladder.harness.server.ServerNotReadyException;
import echoladder.harness.server.ServerProcess;
import echoladder.needs.Lacks;
import echoladder.needs.Need;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import tools.jackson.databind.json.JsonMapper;

/** A server as a process: its ready line, its echo port, its metrics page, its log. */
public final class RunningServer implements AutoCloseable {
  /** Longer than anything takes that goes well. */
  public static final Duration LONG = Duration.ofSeconds(60);

  private final Variant variant;
  private final ServerProcess process;
  private final ReadyLine ready;
  private final Path log;

  private RunningServer(Variant variant, ServerProcess process, ReadyLine ready, Path log) {
    this.variant = variant;
    this.process = process;
    this.ready = ready;
    this.log = log;
  }

  /** Starts it as the harness does and waits for its ready line. */
  public static RunningServer start(Variant variant) throws Exception {
    return start(variant, List.of(), variant.argv());
  }

  /** Starts the server behind {@code prefix}, a command that ends in an exec of its arguments, and waits for its ready line. */
  public static RunningServer start(Variant variant, List<String> prefix, List<String> argv) throws Exception {
    Path log = Files.createTempFile("contract-" + variant.name(), ".log");
    List<String> whole = new ArrayList<>(prefix);
    whole.addAll(argv);
    ServerProcess process = ServerProcess.start(whole, log);
    try {
      return new RunningServer(variant, process, process.awaitReady(LONG), log);
    } catch (ServerNotReadyException e) {
      process.close();
      String text = Files.readString(log);
      if (!variant.options().isEmpty() && text.contains("transport io_uring") && text.contains("not available here")) {
        // Said by the server with exit status 3.
        throw Lacks.found(Need.IO_URING, variant + " cannot run on this host: " + text.strip());
      }
      if (text.contains("--tls-engine kernel: this kernel makes no TLS records")) {
        throw Lacks.found(Need.KERNEL_TLS, variant + " cannot run on this host: " + text.strip());
      }
      throw new AssertionError(variant + " did not start: " + e.getMessage(), e);
    }
  }

  /** What it said when it was ready. */
  public ReadyLine ready() {
    return ready;
  }

  /** The process itself. */
  public ServerProcess process() {
    return process;
  }

  /** Its exit status, once it has ended. */
  public int exitStatus() throws Exception {
    return process.ended().get(LONG.toSeconds(), TimeUnit.SECONDS);
  }

  /** Where it echoes. */
  public InetSocketAddress address() {
    return new InetSocketAddress(ready.reachableHost(), ready.port());
  }

  EchoClient connect() {
    return new EchoClient(this);
  }

  List<EchoClient> connect(int count) {
    List<EchoClient> clients = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      clients.add(connect());
    }
    return clients;
  }

  /** What it has said on stderr so far. */
  public List<String> logLines() {
    try {
      return Files.readAllLines(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** For messages: which server, and what it logged last. */
  @Override
  public String toString() {
    return variant + process.tail();
  }

  /** One series of the page, on a connection of its own; a missing one fails. */
  public double metric(String series) {
    String page = ask("GET", ready.metrics()).body();
    List<String> lines = page.lines().filter(line -> line.startsWith(series + " ")).toList();
    assertThat(lines).as("%s: '%s' on its metrics page%n%s", this, series, page).hasSize(1);
    return Double.parseDouble(lines.getFirst().substring(series.length() + 1));
  }

  /** Failures for want of something, e.g. {@code enomem}; 0 where the page has none of that reason, which is there once it was seen. */
  public double failures(String reason) {
    String series = "echo_accept_errors_total{reason=\"" + reason + "\"} ";
    return ask("GET", ready.metrics()).body().lines()
        .filter(line -> line.startsWith(series))
        .mapToDouble(line -> Double.parseDouble(line.substring(series.length())))
        .sum();
  }

  /** The counts that the suite can foretell, by name. */
  public Map<String, Long> counts() {
    Map<String, Long> counts = new TreeMap<>();
    for (String name :
        List.of(
            "echo_connections_accepted_total",
            "echo_connections_open",
            "echo_received_bytes_total",
            "echo_sent_bytes_total")) {
      counts.put(name, (long) metric(name));
    }
    return counts;
  }

  /** What it holds: what is left after a garbage collection, of a program without one its resident memory. */
  public long heldBytes() {
    HttpResponse<String> answered = ask("POST", ready.gc());
    if (variant.manifest().unmanaged() && answered.statusCode() == 404) {
      return (long) metric("process_resident_memory_bytes");
    }
    return JsonMapper.shared().readTree(answered.body()).path("live_heap_bytes").asLong();
  }

  /** A request to its page, of which every answer is given. */
  public HttpResponse<String> ask(String method, URI uri) {
    // A client of its own each time: a kept connection would not show whether new ones are served.
    try (HttpClient http = HttpClient.newHttpClient()) {
      return http.send(
          HttpRequest.newBuilder(uri).timeout(LONG).method(method, BodyPublishers.noBody()).build(),
          BodyHandlers.ofString());
    } catch (IOException e) {
      throw new AssertionError(this + ": " + method + " " + uri + " failed: " + e, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  /**
   * Waits until all that clients have sent from these local ports is with this host's kernel for the server: what is still on its
   * way when a server is told to stop has not arrived. Looks often, as the server reads meanwhile.
   */
  public void awaitArrival(Set<Integer> localPorts) {
    Awaitility.await(variant + ": what was sent arrives")
        .atMost(LONG)
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(1))
        .pollInSameThread()
        .until(() -> TcpTable.unconfirmedBytes(localPorts) == 0);
  }

  /** Waits long enough for a busy machine; {@code what} is for the message. */
  public ConditionFactory await(String what) {
    return Awaitility.await(variant + ": " + what).atMost(LONG).pollInterval(Duration.ofMillis(50)).pollInSameThread();
  }

  /** Waits until its page shows that many open connections. */
  public void awaitOpen(long connections) {
    await("open connections")
        .untilAsserted(
            () -> assertThat(metric("echo_connections_open")).as("%s: open connections", this).isEqualTo((double) connections));
  }

  /** Collects what is not referred to any more; the next buffer that is taken then reports what was never released. */
  void leaksNothing() {
    if (variant.followed()) {
      ask("POST", ready.gc());
      try (EchoClient client = connect()) {
        for (int i = 0; i < 20; i++) {
          client.echo(EchoClient.bytes(i, 64));
        }
      }
      assertThat(Leaks.in(logLines().stream())).as("%s: buffers that were not released", this).isEmpty();
    }
  }

  @Override
  public void close() throws IOException {
    process.close();
    Files.deleteIfExists(log);
  }
}
