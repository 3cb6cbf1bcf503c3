package echoladder.harness.run;

import echoladder.harness.study.Cpus;
import echoladder.linux.CpuAffinity;
import echoladder.linux.CpuList;
import echoladder.linux.CpuPlacement;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The processors of one rung: what server and client are started on, so that their runtimes size themselves by it, and where
 * this process stays meanwhile. taskset(1) sets them before exec: a JVM that is told later has chosen its threads already,
 * and threads that were started beside the one that starts a server would keep its processors.
 *
 * @param placement null = wherever the kernel puts them
 */
record Placed(@Nullable CpuPlacement placement) {
  /**
   * What a study's {@code load.cpus} means here.
   *
   * @throws IllegalArgumentException where this host cannot do it
   */
  static Placed of(String cpus) {
    CpuList allowed = CpuAffinity.of(ProcessHandle.current().pid());
    if (allowed == null) {
      throw new IllegalArgumentException("/proc does not tell the processors of this process");
    }
    return new Placed(Cpus.placement(cpus, Path.of("/sys"), allowed));
  }

  /** The command of a server, on its processors. */
  List<String> server(List<String> argv) {
    if (placement == null) {
      return argv;
    }
    List<String> wrapped = new ArrayList<>(CpuAffinity.wrapper(placement.server()));
    wrapped.addAll(argv);
    return wrapped;
  }

  /** What the client's command begins with. */
  List<String> client() {
    return placement == null ? List.of() : CpuAffinity.wrapper(placement.clientProcess());
  }

  /** Of the client's event loops; null = wherever the kernel puts them. */
  @Nullable String loops() {
    return placement == null ? null : placement.client().toString();
  }

  /** Whether no core is left for whatever else measures. */
  boolean crowded() {
    return placement != null && placement.helpers().isEmpty();
  }

  /** Keeps this process's threads off the cores of server and loops until that is closed; where no other is left, nowhere. */
  Seat take() throws IOException {
    CpuList before = CpuAffinity.of(ProcessHandle.current().pid());
    if (placement == null || before == null || placement.helpers().isEmpty()) {
      return () -> {};
    }
    CpuAffinity.pinProcess(placement.helpers());
    return () -> CpuAffinity.pinProcess(before);
  }

  /** Where this process is for a while. */
  interface Seat extends AutoCloseable {
    @Override
    void close() throws IOException;
  }
}
