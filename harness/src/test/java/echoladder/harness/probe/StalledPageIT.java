package echoladder.harness.probe;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.PhaseBoundary;
import echoladder.client.ReasonCode;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The probes in front of pages that break the contract. */
class StalledPageIT {
  private static final Duration PATIENCE = Duration.ofSeconds(40);

  private static URI page(ServerSocket listener) {
    return URI.create("http://127.0.0.1:" + listener.getLocalPort() + "/metrics");
  }

  private static void answer(ServerSocket listener, String text) {
    answer(listener, text, 0, "");
  }

  private static void answer(ServerSocket listener, String head, long pauseMs, String body) {
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                while (true) {
                  Socket socket = listener.accept();
                  Thread.ofVirtual().start(() -> answer(socket, head, pauseMs, body));
                }
              } catch (IOException e) {
                // the test is over
              }
            });
  }

  private static void answer(Socket socket, String head, long pauseMs, String body) {
    try (socket) {
      OutputStream out = socket.getOutputStream();
      out.write(head.getBytes(StandardCharsets.UTF_8));
      TimeUnit.MILLISECONDS.sleep(pauseMs);
      out.write(body.getBytes(StandardCharsets.UTF_8));
      while (socket.getInputStream().read() >= 0) {
        // until the reader is gone
      }
    } catch (IOException e) {
      // the reader is gone
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static ServerSocket listen() throws IOException {
    return new ServerSocket(0, 16, InetAddress.getByName("127.0.0.1"));
  }

  private static Reading afar(URI uri) throws Exception {
    Reading reading = new Reading(0);
    CompletableFuture.runAsync(() -> new MetricsProbe(uri, true).sample(reading)).get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    return reading;
  }

  @Test
  void aPageThatStopsInMidBodyEndsTheSampleWithinItsBound() throws Exception {
    try (ServerSocket listener = listen()) {
      answer(listener, "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nprocess_cpu_seconds_total 1.5\n");
      List<Reading> seen = new CopyOnWriteArrayList<>();
      CompletableFuture<Void> run =
          CompletableFuture.runAsync(
              () -> {
                try (Sampler sampler = new Sampler(new Subject(null, page(listener), List::of), seen::add)) {
                  sampler.border();
                  assertThat(sampler.metricsFailure()).contains("GET " + page(listener)).contains("within 5.0 s");
                }
              });
      run.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      assertThat(seen).isNotEmpty();
    }
  }

  @Test
  void aBorderIsNotLateForAPageThatOnlySaysOfTheServerWhatTheKernelDoesNot() throws Exception {
    try (ServerSocket listener = listen()) {
      answer(listener, "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n");
      long self = ProcessHandle.current().pid();
      try (Sampler sampler = new Sampler(new Subject(self, page(listener), List::of), reading -> {})) {
        Reading border = sampler.border();
        // The page was waited for, and by then CPU was long read.
        assertThat(System.nanoTime() - border.cpuReadNs()).isGreaterThan(4_000_000_000L);
        assertThat(border.get(Figure.SERVER_CPU_NS)).isPresent();
      }
    }
  }

  @Test
  void aBorderIsAsLateAsThePageThatItsCpuIsReadFrom() throws Exception {
    try (ServerSocket listener = listen()) {
      String body = "process_cpu_seconds_total 1\n";
      answer(listener, "HTTP/1.1 200 OK\r\nContent-Length: " + body.length() + "\r\n\r\n", 400, body);
      try (Sampler sampler = new Sampler(new Subject(null, page(listener), List::of), reading -> {})) {
        long dueNs = System.nanoTime();
        Reading border = sampler.border();
        assertThat(border.get(Figure.SERVER_CPU_NS)).hasValue(1_000_000_000);
        assertThat(new PhaseBoundary("end", "the harness", dueNs, border.cpuReadNs()).doubt(PhaseBoundary.mostNs()).orElseThrow().reason())
            .isEqualTo(ReasonCode.BORDER_LATE);
      }
    }
  }

  @Test
  void cpuThatIsNoNumberIsNotZero() throws Exception {
    try (ServerSocket listener = listen()) {
      String body = "process_cpu_seconds_total NaN\n";
      answer(listener, "HTTP/1.1 200 OK\r\nContent-Length: " + body.length() + "\r\n\r\n" + body);
      assertThat(afar(page(listener)).get(Figure.SERVER_CPU_NS)).isEmpty();
    }
  }
}
