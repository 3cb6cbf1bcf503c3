package echoladder.workloads;

import com.sun.management.HotSpotDiagnosticMXBean.ThreadDumpFormat;
import com.sun.management.HotSpotDiagnosticMXBean;
import echoladder.linux.OwnedFolder;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import javax.management.JMException;
import javax.management.ObjectName;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * What a thread dump of N waiting threads takes and has: as jstack and {@code jcmd Thread.print} print it, and as {@code jcmd
 * Thread.dump_to_file} writes it. Both are asked for from inside, by the same code of the JVM.
 */
@Command(
    name = "thread-dump",
    description = "Let N threads wait, and tell how long thread dumps take, how large they are and how many threads they have.",
    footer = {
      "",
      "Example:",
      "  java -cp 'workloads/target/lib/*' echoladder.workloads.ThreadDump --model virtual --tasks 100000",
      "",
      "Exit status: 0 done, " + Workload.STATUS_1_AND_2,
      Workload.STATUS_3
    })
public final class ThreadDump extends Workload {
  @Option(names = "--model", required = true, description = "platform or virtual.")
  private Model model = Model.VIRTUAL;

  @Option(names = "--tasks", required = true, paramLabel = "N", description = "How many, 1 to 100,000,000.")
  private long tasks;

  private final AtomicLong parked = new AtomicLong();
  private final CountDownLatch gate = new CountDownLatch(1);

  /** Starts it. */
  public static void main(String[] args) {
    Runner.main(new ThreadDump(), args);
  }

  @Override
  void check() {
    requireWithin("--tasks", tasks, 1, 100_000_000);
  }

  @Override
  String progress() {
    return "%,d of %,d parked".formatted(parked.get(), tasks);
  }

  @Override
  void run(Guards guards, Figures figures) throws Exception {
    figures.put("model", model.id()).put("tasks_requested", tasks);
    long started = 0;
    for (; started < tasks && !guards.stopped(); started++) {
      model.factory().newThread(this::park).start();
    }
    boolean going = true;
    while (going && parked.get() < started) {
      going = guards.pause(1_000_000);
    }
    figures.put("tasks_parked", parked.get());
    if (!guards.stopped()) {
      print(figures);
      dump(figures);
    }
    gate.countDown();
  }

  private void park() {
    parked.incrementAndGet();
    try {
      gate.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** As jstack prints it: a thread's first line begins with its name in quotes. */
  private static void print(Figures figures) throws JMException {
    long begun = System.nanoTime();
    Object printed =
        ManagementFactory.getPlatformMBeanServer()
            .invoke(
                new ObjectName("com.sun.management:type=DiagnosticCommand"),
                "threadPrint",
                new Object[] {new String[0]},
                new String[] {String[].class.getName()});
    long ns = System.nanoTime() - begun;
    String text = String.valueOf(printed);
    figures
        .put("print_ns", ns)
        .put("print_bytes", text.length())
        .put("print_threads", text.lines().filter(line -> line.startsWith("\"")).count());
  }

  /** Into a file that does not stay: a thread's first line begins with # and its number. */
  private static void dump(Figures figures) throws IOException {
    try (OwnedFolder folder = OwnedFolder.temporary("thread-dump")) {
      Path file = folder.dir().resolve("threads.txt");
      HotSpotDiagnosticMXBean jvm = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
      long begun = System.nanoTime();
      jvm.dumpThreads(file.toString(), ThreadDumpFormat.TEXT_PLAIN);
      long ns = System.nanoTime() - begun;
      try (Stream<String> lines = Files.lines(file)) {
        figures.put("dump_threads", lines.filter(line -> line.startsWith("#")).count());
      }
      figures.put("dump_ns", ns).put("dump_bytes", Files.size(file));
    }
  }
}
