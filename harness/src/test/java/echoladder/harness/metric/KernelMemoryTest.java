package echoladder.harness.metric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import echoladder.harness.Results;
import echoladder.harness.probe.Figure;
import echoladder.harness.probe.Reading;
import echoladder.harness.probe.Sampler;
import echoladder.harness.probe.Subject;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** The kernel's memory as the probes read it while this process takes some. */
class KernelMemoryTest {
  private static final int THREADS = MemoryMetrics.LEAST_FOR_KERNEL;

  /** A thread's stack in the kernel, on x86-64 and arm64 (THREAD_SIZE). */
  private static final double STACK_BYTES = 16 << 10;

  /**
   * A server with a thread for each connection. Others on this host start and end threads meanwhile, dozens beside a
   * thousand, and another architecture has stacks of half or double the size: so within a factor of two.
   */
  @Test
  void aThreadForEachConnectionTakesItsKernelStack() throws InterruptedException {
    CountDownLatch end = new CountDownLatch(1);
    List<Thread> threads = new ArrayList<>();
    try (Sampler sampler = new Sampler(new Subject(null, URI.create("http://127.0.0.1:1/metrics"), List::of), _ -> {})) {
      Reading ready = sampler.border();
      for (int i = 0; i < THREADS; i++) {
        threads.add(parked(end));
      }
      Reading full = sampler.border();
      Figures figures =
          Figures.measured(new RungReadings(ready, full, full, null, Results.good(THREADS), false, false, true, null, null, false));

      double stacks = value(figures, MemoryMetrics.KERNEL_STACKS_PER_CONNECTION);
      assertThat(stacks).isBetween(STACK_BYTES / 2, STACK_BYTES * 2);
      double slab = value(figures, MemoryMetrics.SLAB_PER_CONNECTION);
      double tables = value(figures, MemoryMetrics.PAGE_TABLES_PER_CONNECTION);
      assertThat(value(figures, MemoryMetrics.KERNEL_PER_CONNECTION)).isCloseTo(slab + stacks + tables, within(1e-6));
    } finally {
      end.countDown();
      for (Thread thread : threads) {
        thread.join();
      }
    }
  }

  /** Threads of the connections that it held before may be ending while the first border is read; socket objects are counted. */
  @Test
  void aServerThatHeldConnectionsBeforeHasSocketObjectsAlone() {
    Reading ready = new Reading(0);
    Reading end = new Reading(1);
    ready.put(Figure.ECHO_CONNECTIONS_ACCEPTED, THREADS);
    for (Figure part :
        List.of(Figure.HOST_SLAB_BYTES, Figure.HOST_KERNEL_STACK_BYTES, Figure.HOST_PAGE_TABLE_BYTES, Figure.SOCKET_SLAB_BYTES)) {
      ready.put(part, 1 << 20);
      end.put(part, (1 << 20) + THREADS * 1_000L);
    }
    Figures later = Figures.measured(new RungReadings(ready, end, end, null, Results.good(THREADS), true, false, true, null, null, false));
    Figures first = Figures.measured(new RungReadings(ready, end, end, null, Results.good(THREADS), false, false, true, null, null, false));
    assertThat(first.value(MemoryMetrics.KERNEL_PER_CONNECTION)).isEqualTo(3_000);
    assertThat(later.value(MemoryMetrics.KERNEL_PER_CONNECTION)).isNull();
    assertThat(later.value(MemoryMetrics.SLAB_PER_CONNECTION)).isNull();
    assertThat(later.value(MemoryMetrics.KERNEL_STACKS_PER_CONNECTION)).isNull();
    assertThat(later.value(MemoryMetrics.PAGE_TABLES_PER_CONNECTION)).isNull();
    assertThat(later.value(MemoryMetrics.SOCKET_OBJECTS_PER_CONNECTION)).isEqualTo(1_000);
  }

  /** Below so many connections the files and threads of other processes would be taken for theirs. */
  @Test
  void fewConnectionsHaveNone() {
    Reading none = new Reading(0);
    Figures figures =
        Figures.measured(new RungReadings(none, none, none, null, Results.good(THREADS - 1), false, false, true, null, null, false));
    assertThat(figures.get(MemoryMetrics.KERNEL_PER_CONNECTION)).isNull();
  }

  private static Thread parked(CountDownLatch end) {
    Thread thread =
        new Thread(
            null,
            () -> {
              try {
                end.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            },
            "parked",
            64 << 10);
    thread.start();
    return thread;
  }

  private static double value(Figures figures, Metric row) {
    return Objects.requireNonNull(figures.value(row), row.name());
  }
}
