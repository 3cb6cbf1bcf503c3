package echoladder.workloads;

import echoladder.linux.ErrorText;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import one.profiler.AsyncProfiler;
import org.jspecify.annotations.Nullable;

/**
 * Where a stretch of work spends its processor time, as a flame graph by async-profiler. Where that cannot run here, it says
 * so once and the work goes on without.
 */
final class FlameGraph {
  /** By perf_event_open as far as the kernel lets this process: with the kernel's frames, without them; then by timers. */
  private static final List<String> EVENTS = List.of("cpu-clock", "cpu-clock,alluser", "ctimer", "itimer");

  private final String name;
  private final Path file;
  private final Figures figures;
  private final @Nullable AsyncProfiler profiler;

  /**
   * Begins to sample.
   *
   * @param name of the workload, for messages
   * @param file that {@link #write} makes
   */
  FlameGraph(String name, Path file, Figures figures) {
    this.name = name;
    this.file = file;
    this.figures = figures;
    profiler = start();
  }

  private @Nullable AsyncProfiler start() {
    List<String> complaints = new ArrayList<>();
    try {
      AsyncProfiler own = AsyncProfiler.getInstance();
      for (String event : EVENTS) {
        try {
          own.execute("start,interval=1ms,event=" + event);
          figures.put("flame_graph_event", event);
          System.err.println(name + ": samples for a flame graph by " + event + "; times are those of a run that is watched");
          return own;
        } catch (IllegalStateException | IOException e) {
          complaints.add(event + ": " + e.getMessage());
        }
      }
    } catch (LinkageError | RuntimeException e) {
      complaints.add(ErrorText.of(e)); // No such library for this machine, or no room to unpack it.
    }
    System.err.println(name + ": no flame graph, async-profiler cannot run here: " + String.join("; ", complaints));
    figures.put("flame_graph", null);
    return null;
  }

  /** Stops and writes the file. */
  void write() {
    if (profiler == null) {
      return;
    }
    try {
      profiler.execute("stop,flamegraph,file=" + file);
      figures.put("flame_graph", file.toString());
    } catch (IllegalStateException | IOException e) {
      System.err.println(name + ": no flame graph, " + file + " cannot be written: " + e.getMessage());
      figures.put("flame_graph", null);
    }
  }
}
