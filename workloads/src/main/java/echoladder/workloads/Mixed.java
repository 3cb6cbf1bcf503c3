package echoladder.workloads;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.HdrHistogram.ConcurrentHistogram;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Tasks that first compute and then wait for a server: each a Fibonacci number, then one request that a server on this host
 * answers after a fixed time. At most so many tasks are under way at once where that is told; then tasks per second follow
 * from that number and a task's time (Little's law), whatever runs them.
 */
@Command(
    name = "mixed",
    description = "Compute, then wait for a local server, in each of T tasks; tell the wall time, memory and threads over time.",
    footer = {
      "",
      "Example:",
      "  java -cp 'workloads/target/lib/*' echoladder.workloads.Mixed --model virtual --tasks 2000 --fibonacci 25 --wait 5s",
      "",
      "Exit status: 0 all tasks ended, 1 it ended before (ended_by and ended_detail say why), 2 bad usage."
    })
public final class Mixed extends Workload {
  private static final long NS_MOST = 3_600_000_000_000L;

  @Option(names = "--model", required = true, description = "platform or virtual.")
  private Model model = Model.VIRTUAL;

  @Option(names = "--tasks", defaultValue = "1000", paramLabel = "T", description = "1 to 1,000,000; default 1000.")
  private int tasks = 1_000;

  @Option(names = "--at-once", paramLabel = "N", description = "A fixed pool of N threads. Default: a thread per task.")
  private @Nullable Integer atOnce;

  @Option(names = "--fibonacci", defaultValue = "25", paramLabel = "N", description = "Which number, 1 to 50; default 25.")
  private int n = 25;

  @Option(
      names = "--wait",
      defaultValue = "5s",
      paramLabel = "TIME",
      converter = OptionTexts.Time.class,
      description = "After which the server answers; default ${DEFAULT-VALUE}.")
  private Duration wait = Duration.ofSeconds(5);

  private final AtomicLong ended = new AtomicLong();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private final ConcurrentHistogram startDelay = new ConcurrentHistogram(1, NS_MOST, 3);
  private final ConcurrentHistogram taskTime = new ConcurrentHistogram(1, NS_MOST, 3);

  /** Starts it. */
  public static void main(String[] args) {
    Runner.main(new Mixed(), args);
  }

  @Override
  void check() {
    requireWithin("--tasks", tasks, 1, 1_000_000);
    requireWithin("--fibonacci", n, 1, 50);
    requireWithin("--at-once", atOnce == null ? 1 : atOnce, 1, 1_000_000);
  }

  @Override
  String progress() {
    return "%,d of %,d ended".formatted(ended.get(), tasks);
  }

  @Override
  void run(Guards guards, Figures figures) throws Exception {
    figures
        .put("model", model.name().toLowerCase(Locale.ROOT))
        .put("tasks_requested", tasks)
        .put("at_once", atOnce)
        .put("fibonacci", n)
        .put("wait_ns", wait.toNanos());
    Process server = server();
    try (BufferedReader out = server.inputReader(StandardCharsets.US_ASCII)) {
      int port = Integer.parseInt(String.valueOf(out.readLine()));
      ExecutorService executor =
          atOnce == null
              ? Executors.newThreadPerTaskExecutor(model.factory())
              : Executors.newFixedThreadPool(atOnce, model.factory());
      CountDownLatch left = new CountDownLatch(tasks);
      long begun = System.nanoTime();
      for (int i = 0; i < tasks && !guards.stopped() && failure.get() == null; i++) {
        long askedNs = System.nanoTime();
        executor.execute(() -> task(askedNs, port, left, guards));
      }
      guards.await(left);
      long wall = System.nanoTime() - begun;
      Throwable thrown = failure.get();
      if (thrown != null) {
        guards.fail(thrown);
      }
      figures
          .put("wall_ns", wall)
          .put("tasks_ended", ended.get())
          .put("tasks_per_s", ended.get() * 1e9 / wall)
          .times("start_delay", startDelay)
          .times("task_time", taskTime);
    } finally {
      server.destroyForcibly();
    }
  }

  private Process server() throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx512m",
            "-XX:+UseSerialGC",
            "-cp",
            System.getProperty("java.class.path"),
            WaitingServer.class.getName(),
            Long.toString(wait.toMillis()))
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  private void task(long askedNs, int port, CountDownLatch left, Guards guards) {
    if (!guards.stopped() && failure.get() == null) {
      long begunNs = System.nanoTime();
      startDelay.recordValue(Math.clamp(begunNs - askedNs, 0, NS_MOST));
      try {
        computeAndWait(port);
        taskTime.recordValue(Math.clamp(System.nanoTime() - begunNs, 0, NS_MOST));
        ended.incrementAndGet();
      } catch (Throwable e) {
        failure.compareAndSet(null, e);
        guards.fail(e);
      }
    }
    left.countDown();
  }

  private void computeAndWait(int port) throws IOException {
    if (Fibonacci.of(n) != Fibonacci.known(n)) {
      throw new IllegalStateException("the number " + n + " was computed wrongly");
    }
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.getOutputStream().write(1);
      if (socket.getInputStream().read() != 1) {
        throw new IOException("the local server closed the connection without its answer");
      }
    }
  }
}
