package echoladder.harness.probe;

import echoladder.harness.common.ProcText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * Context switches: of the host at every sample, of the server, with its moves between processors, only at the borders of the
 * steady state and only up to 1,000 threads. The kernel keeps them per thread (the figure in /proc/PID/status is that of the
 * main thread alone), and reading 10,000 files would load the host that is being measured.
 */
record ContextSwitchProbe(Subject subject, boolean ofServer) implements Probe {
  /** Threads above which the server's switches are not asked for. */
  static final int MOST_THREADS = 1_000;

  @Override
  public void sample(Reading into) {
    if (!ofServer) {
      ProcText.number(ProcText.lines("/proc/stat"), "ctxt ").ifPresent(n -> into.put(Figure.HOST_CONTEXT_SWITCHES, n));
      return;
    }
    List<Path> tasks = new ArrayList<>();
    for (long pid : subject.serverPids()) {
      try (Stream<Path> found = Files.list(Path.of("/proc/" + pid + "/task"))) {
        found.limit(MOST_THREADS + 1L).forEach(tasks::add);
      } catch (IOException e) {
        // It has just ended; of a server that is one process nothing is left then.
      }
    }
    if (tasks.isEmpty() || tasks.size() > MOST_THREADS) {
      return;
    }
    long voluntary = 0;
    long involuntary = 0;
    long moves = 0;
    boolean movesKnown = false;
    for (Path task : tasks) {
      List<String> status = ProcText.lines(task.resolve("status").toString());
      OptionalLong waited = ProcText.number(status, "voluntary_ctxt_switches:");
      OptionalLong preempted = ProcText.number(status, "nonvoluntary_ctxt_switches:");
      voluntary += waited.orElse(0);
      involuntary += preempted.orElse(0);
      OptionalLong moved = migrations(ProcText.lines(task.resolve("sched").toString()));
      moves += moved.orElse(0);
      movesKnown |= moved.isPresent();
    }
    into.put(Figure.SERVER_VOLUNTARY_SWITCHES, voluntary);
    into.put(Figure.SERVER_INVOLUNTARY_SWITCHES, involuntary);
    if (movesKnown) {
      into.put(Figure.SERVER_MIGRATIONS, moves);
    }
  }

  /** In /proc/PID/task/TID/sched, which a kernel without CONFIG_SCHED_DEBUG does not have; a column of blanks is before the colon. */
  static OptionalLong migrations(List<String> sched) {
    return ProcText.number(sched.stream().map(line -> line.replaceFirst("\\s*:", ":")).toList(), "se.nr_migrations:");
  }
}
