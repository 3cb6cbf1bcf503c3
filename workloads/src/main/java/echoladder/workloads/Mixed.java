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
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Tasks that first compute and then wait for a server: each a Fibonacci number, then one request that a server on this host
 * answers after a fixed time. At most so many tasks are under way at once where that is told; then tasks per second follow
 * from that number and a task's time (Little's law), whatever runs them.
 *
 * <p>{@code request_mean_ns} is the mean time from the start to a task's request, {@code request_last_ns} that to the last: the
 * two are near each other where all ask in one burst after all have computed, and the mean is near half of the last where they
 * ask one after the other.
 */
@Command(
    name = "mixed",
    description = "Compute, then wait for a local server, in each of T tasks; tell the wall time, memory and threads over time.",
    footer = {
      "",
      "Example:",
      "  java -cp 'workloads/target/lib/*' echoladder.workloads.Mixed --model virtual --tasks 2000 --fibonacci 25 --wait 5s",
      "",
      "Exit status: 0 all tasks ended, " + Workload.STATUS_1_AND_2,
      Workload.STATUS_3
    })
public final class Mixed extends Workload {
  @Option(names = "--model", required = true, description = "platform or virtual.")
  private Model model = Model.VIRTUAL;

  @Option(names = "--tasks", defaultValue = "1000", paramLabel = "T", description = "1 to 100,000,000; default 1000.")
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

  @Option(
      names = "--warm-up",
      defaultValue = "200",
      paramLabel = "T",
      description = "Tasks before that, which the server answers at once; default 200.")
  private int warmUp = 200;

  private final AtomicLong ended = new AtomicLong();
  private final LongAdder requestsNs = new LongAdder();
  private final LongAccumulator lastRequestNs = new LongAccumulator(Long::max, 0);
  private volatile long roundNs;
  private final Times startDelay = new Times();
  private final Times taskTime = new Times();

  /** Starts it. */
  public static void main(String[] args) {
    Runner.main(new Mixed(), args);
  }

  @Override
  void check() {
    requireWithin("--tasks", tasks, 1, 100_000_000);
    requireWithin("--warm-up", warmUp, 0, 1_000_000);
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
      String told = out.readLine();
      if (told == null) {
        throw new IOException("the local server ended before it told its port; what it said stands above");
      }
      int port = Integer.parseInt(told);
      ExecutorService executor =
          atOnce == null
              ? Executors.newThreadPerTaskExecutor(model.factory())
              : Executors.newFixedThreadPool(atOnce, model.factory());
      round(executor, warmUp, WaitingServer.AT_ONCE, port, guards);
      startDelay.reset();
      taskTime.reset();
      ended.set(0);
      requestsNs.reset();
      lastRequestNs.reset();
      long begun = System.nanoTime();
      round(executor, tasks, WaitingServer.WAIT, port, guards);
      long wall = System.nanoTime() - begun;
      figures
          .put("wall_ns", wall)
          .put("tasks_ended", ended.get())
          .put("tasks_per_s", ended.get() * 1e9 / wall)
          .times("start_delay", startDelay)
          .times("task_time", taskTime);
      if (ended.get() == tasks) {
        figures.put("request_mean_ns", requestsNs.sum() / tasks).put("request_last_ns", lastRequestNs.get());
      }
    } finally {
      server.destroyForcibly().waitFor(); // Only what was waited for is known to have been this workload's CPU.
    }
  }

  /** So many tasks, all of them asked for at once. */
  private void round(ExecutorService executor, int count, int ask, int port, Guards guards) throws InterruptedException {
    CountDownLatch left = new CountDownLatch(count);
    roundNs = System.nanoTime();
    for (int i = 0; i < count && !guards.stopped(); i++) {
      long askedNs = System.nanoTime();
      executor.execute(() -> task(askedNs, ask, port, left, guards));
    }
    guards.await(left);
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

  private void task(long askedNs, int ask, int port, CountDownLatch left, Guards guards) {
    if (!guards.stopped()) {
      long begunNs = System.nanoTime();
      startDelay.record(begunNs - askedNs);
      try {
        computeAndWait(ask, port);
        taskTime.record(System.nanoTime() - begunNs);
        ended.incrementAndGet();
      } catch (Throwable e) {
        guards.fail(e);
      }
    }
    left.countDown();
  }

  private void computeAndWait(int ask, int port) throws IOException {
    if (Fibonacci.of(n) != Fibonacci.known(n)) {
      throw new IllegalStateException("the number " + n + " was computed wrongly");
    }
    long computedNs = System.nanoTime() - roundNs;
    requestsNs.add(computedNs);
    lastRequestNs.accumulate(computedNs);
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.getOutputStream().write(ask);
      if (socket.getInputStream().read() != 1) {
        throw new IOException("the local server closed the connection without its answer");
      }
    }
  }
}
