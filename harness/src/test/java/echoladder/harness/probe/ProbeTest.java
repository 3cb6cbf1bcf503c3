package echoladder.harness.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import echoladder.client.page.MetricsPage;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class ProbeTest {
  private static final long SELF = ProcessHandle.current().pid();
  private static final URI NOWHERE = URI.create("http://127.0.0.1:1/metrics");

  private static Subject self() {
    return new Subject(SELF, NOWHERE, () -> List.of(SELF));
  }

  private static Subject gone() {
    // Above the kernel's greatest pid_max.
    return new Subject(1L << 23, NOWHERE, () -> List.of(1L << 23));
  }

  private static void read(Subject subject, Reading into) {
    ProcessProbes processes = new ProcessProbes(subject);
    processes.cpu(into);
    processes.rss(into);
    processes.threads(into);
    new ContextSwitchProbe(subject, true).sample(into);
  }

  @Test
  void readsAProcessThatRuns() {
    Reading reading = new Reading(0);
    read(self(), reading);
    assertThat(reading.get(Figure.SERVER_CPU_NS).orElseThrow()).isPositive();
    assertThat(reading.get(Figure.CLIENT_CPU_NS).orElseThrow()).isPositive();
    assertThat(reading.get(Figure.SERVER_RSS_BYTES).orElseThrow()).isGreaterThan(1 << 20);
    assertThat(reading.get(Figure.CLIENT_RSS_BYTES)).isPresent();
    assertThat(reading.get(Figure.SERVER_THREADS).orElseThrow()).isBetween(2L, 10_000L);
    assertThat(reading.get(Figure.SERVER_VOLUNTARY_SWITCHES).orElseThrow()).isPositive();
  }

  @Test
  void aProcessThatIsGoneHasNoFiguresRatherThanZeros() {
    Reading reading = new Reading(0);
    read(gone(), reading);
    for (Figure figure : Figure.values()) {
      assertThat(reading.get(figure)).isEmpty();
    }
  }

  @Test
  void theSwitchesOfTooManyThreadsAreNotAskedFor() throws InterruptedException {
    Thread[] many = new Thread[ContextSwitchProbe.MOST_THREADS + 10];
    CountDownLatch end = new CountDownLatch(1);
    for (int i = 0; i < many.length; i++) {
      many[i] =
          new Thread(
              null,
              () -> {
                try {
                  end.await();
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                }
              },
              "idle-" + i,
              64 << 10);
      many[i].start();
    }
    Reading reading = new Reading(0);
    new ContextSwitchProbe(self(), true).sample(reading);
    end.countDown();
    for (Thread thread : many) {
      thread.join();
    }
    assertThat(reading.get(Figure.SERVER_VOLUNTARY_SWITCHES)).isEmpty();
  }

  @Test
  void migrationsAreOfTheLineThatTheKernelFillsUpWithBlanks() {
    List<String> sched = List.of("java (1, #threads: 2)", "-----", "se.exec_start                                :       2288015.149791", "se.nr_migrations                             :                  296");
    assertThat(ContextSwitchProbe.migrations(sched)).hasValue(296);
    assertThat(ContextSwitchProbe.migrations(List.of())).as("a kernel without").isEmpty();
  }

  @Test
  void slabIsTheSumOfTheCachesThatConnectionsUse() {
    Reading reading = new Reading(0);
    KernelMemoryProbe.slab(
        List.of(
            "slabinfo - version: 2.1",
            "# name            <active_objs> <num_objs> <objsize> <objperslab> <pagesperslab>",
            "TCP                  100    110   2496   13    8 : tunables    0    0    0 : slabdata     10     10      0",
            "TCPv6                100    110   2496   13    8 : tunables",
            "filp                  50    110    192   13    8 : tunables"),
        reading);
    assertThat(reading.get(Figure.SOCKET_SLAB_BYTES)).hasValue(100 * 2_496 + 50 * 192);
    Reading unreadable = new Reading(0);
    KernelMemoryProbe.slab(List.of(), unreadable);
    assertThat(unreadable.get(Figure.SOCKET_SLAB_BYTES)).isEmpty();
  }

  private static Reading hiccups(Object... counts) throws IOException {
    Reading reading = new Reading(0);
    reading.put(
        Hiccups.on(
            MetricsPage.parse(
                "a page",
                """
                # TYPE echo_hiccup_seconds histogram
                echo_hiccup_seconds_bucket{le="1e-04"} %d
                echo_hiccup_seconds_bucket{le="0.01"} %d
                echo_hiccup_seconds_bucket{le="0.315"} %d
                echo_hiccup_seconds_bucket{le="+Inf"} %d
                echo_hiccup_seconds_sum 1.0
                """
                    .formatted(counts))));
    return reading;
  }

  @Test
  void hiccupsAreThoseSinceTheReadingBefore() throws IOException {
    Reading before = hiccups(1_000, 1_500, 1_500, 1_500);
    Reading after = hiccups(1_980, 2_499, 2_500, 2_500);
    assertThat(after.serverHiccupNs(before, 0.98)).isEqualTo(100_000);
    assertThat(after.serverHiccupNs(before, 0.99)).isEqualTo(10_000_000);
    assertThat(after.serverHiccupNs(before, 1)).isEqualTo(315_000_000);
    assertThat(after.serverHiccupNs(after, 1)).as("none since").isNull();
    assertThat(hiccups(1_980, 2_499, 2_500, 2_501).serverHiccupNs(before, 1)).as("beyond the last bound").isEqualTo(315_000_000);
    assertThat(after.serverHiccupNs(new Reading(0), 1)).as("a page without").isNull();
    assertThat(Hiccups.on(MetricsPage.parse("a page", "echo_connections_open 1"))).isNull();
  }

  @Test
  void saysWhyThereIsNoPage() throws IOException {
    assertThatThrownBy(() -> MetricsPage.fetch(NOWHERE)).hasMessageContaining("GET http://127.0.0.1:1/metrics failed");
    assertThatThrownBy(() -> LiveHeap.afterGc(NOWHERE)).hasMessageContaining("POST http://127.0.0.1:1/metrics failed");
    try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      Thread.ofVirtual().start(() -> answerOnce(closed));
      URI uri = URI.create("http://127.0.0.1:" + closed.getLocalPort() + "/gc");
      assertThatThrownBy(() -> LiveHeap.afterGc(uri)).hasMessageContaining("answered 404");
    }
  }

  private static void answerOnce(ServerSocket listener) {
    try (var socket = listener.accept()) {
      socket.getOutputStream().write("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
      socket.shutdownOutput();
      while (socket.getInputStream().read() >= 0) {
        // until the client is gone
      }
    } catch (IOException e) {
      // the client closed first
    }
  }

  @Test
  void samplesEachSecondAndAtBorders() {
    List<Reading> seen = new CopyOnWriteArrayList<>();
    try (Sampler sampler = new Sampler(self(), seen::add)) {
      Reading border = sampler.border();
      assertThat(border.get(Figure.SERVER_VOLUNTARY_SWITCHES)).isPresent();
      Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> seen.size() >= 3);
      assertThat(seen.get(1).get(Figure.SERVER_VOLUNTARY_SWITCHES)).isEmpty();
      assertThat(seen.get(2).since(seen.get(1), Figure.HOST_CPU_NS).orElseThrow()).isNotNegative();
      assertThat(sampler.metricsFailure()).contains("127.0.0.1:1");
    }
  }
}
