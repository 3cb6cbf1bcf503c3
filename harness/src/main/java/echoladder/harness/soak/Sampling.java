package echoladder.harness.soak;

import echoladder.client.page.MetricsPage;
import echoladder.client.page.NotThereException;
import echoladder.harness.probe.Figure;
import echoladder.harness.probe.LiveHeap;
import echoladder.harness.probe.LocalReadings;
import echoladder.harness.probe.Reading;
import echoladder.harness.probe.Readings;
import echoladder.harness.probe.Subject;
import echoladder.harness.results.RunFolder;
import echoladder.harness.server.ReadyLine;
import echoladder.linux.ProcessTree;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Samples of a server, one after the other in a thread of its own. Each is appended to a file at once, so that a soak which is
 * killed or interrupted keeps them.
 */
final class Sampling implements AutoCloseable {
  private static final String DIRECT = "jvm_buffer_pool_used_bytes";
  private static final int MOST_SAMPLES = 240;
  private static final Duration LEAST = Duration.ofMillis(500);

  private final Readings readings;
  private final ProcessTree process;
  private final ReadyLine ready;
  private final URI direct;
  private final Path kept;
  private final long everyNs;
  private final CountDownLatch over = new CountDownLatch(1);
  private final List<SoakSample> samples = new ArrayList<>();
  private @Nullable Thread thread;
  private @Nullable String failure;

  /**
   * Of that server.
   *
   * @param length of its soak
   * @param kept the file that the samples are appended to, a line of JSON each
   */
  Sampling(ReadyLine ready, Duration length, Path kept) {
    this.kept = kept;
    this.ready = ready;
    this.process = new ProcessTree(ready.pid());
    this.readings = new LocalReadings(new Subject(ready.pid(), ready.metrics(), List::of));
    this.direct = MetricsPage.only(ready.metrics(), List.of(DIRECT));
    this.everyNs = Math.max(LEAST.toNanos(), length.toNanos() / MOST_SAMPLES);
  }

  /** Begins, once. */
  void start() {
    thread = Thread.ofPlatform().daemon().name("soak-samples").start(this::sample);
  }

  private void sample() {
    long startNs = System.nanoTime();
    try {
      long waitNs = 0;
      while (!over.await(waitNs, TimeUnit.NANOSECONDS)) {
        long nowNs = System.nanoTime();
        add((nowNs - startNs) / 1e9);
        waitNs = Math.max(1, everyNs - (System.nanoTime() - nowNs));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void add(double seconds) {
    if (over.getCount() == 0) {
      return;
    }
    try {
      Long heap = heap();
      Reading reading = readings.take(Readings.Depth.BORDER);
      SoakSample sample =
          new SoakSample(
              seconds, process.descriptors(), value(reading, Figure.SERVER_THREADS), value(reading, Figure.SERVER_RSS_BYTES), heap,
              MetricsPage.fetch(direct).byLabel(DIRECT, "pool").get("direct"), value(reading, Figure.SOCKET_SLAB_BYTES));
      samples.add(sample);
      Files.writeString(kept, RunFolder.tree(sample) + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException | RuntimeException e) {
      // Of any kind: a thread that ended here would leave a soak with fewer samples, and nobody would know why.
      failure = failure == null ? "no sample after %.0f s: %s".formatted(seconds, e.getMessage() == null ? e : e.getMessage()) : failure;
    }
  }

  /** After a collection; null where the server has none to ask for. */
  private @Nullable Long heap() throws IOException {
    try {
      return LiveHeap.afterGc(ready.gc()).liveHeapBytes();
    } catch (NotThereException e) {
      return null;
    }
  }

  private static @Nullable Long value(Reading reading, Figure figure) {
    OptionalLong value = reading.get(figure);
    return value.isEmpty() ? null : (Long) value.getAsLong();
  }

  /** Ends it; no sample is taken from then on. */
  void end() throws InterruptedException {
    over.countDown();
    Thread running = thread;
    if (running != null) {
      running.join();
    }
  }

  /** The same without waiting for a sample that is being taken. */
  @Override
  public void close() {
    over.countDown();
  }

  /** What was taken. */
  synchronized List<SoakSample> samples() {
    return List.copyOf(samples);
  }

  /** Why one could not be taken, the first time; null where all could. */
  synchronized @Nullable String failure() {
    return failure;
  }
}
