package echoladder.harness.run;

import echoladder.harness.study.Cpus;
import echoladder.linux.cpu.CpuList;
import echoladder.linux.cpu.CpuPlacement;
import echoladder.linux.process.CpuAffinity;
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
public record CpuPinning(@Nullable CpuPlacement placement) {
  /**
   * What a study's {@code load.cpus} means here.
   *
   * @throws IllegalArgumentException where this host cannot do it
   */
  static CpuPinning of(String cpus) {
    CpuList allowed = CpuAffinity.of(ProcessHandle.current().pid());
    if (allowed == null) {
      throw new IllegalArgumentException("/proc does not tell the processors of this process");
    }
    return of(cpus, Path.of("/sys"), allowed);
  }

  /** What a study's {@code load.cpus} means on a host with that /sys, for a process that may run on those processors. */
  static CpuPinning of(String cpus, Path sys, CpuList allowed) {
    return new CpuPinning(Cpus.placement(cpus, sys, allowed));
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
  public List<String> client() {
    return placement == null ? List.of() : CpuAffinity.wrapper(placement.clientProcess());
  }

  /** Processors of the client's event loops; null = wherever the kernel puts them. */
  public @Nullable String loops() {
    return placement == null ? null : placement.client().toString();
  }

  /** Whether no core is left for whatever else measures. */
  public boolean crowded() {
    return placement != null && placement.helpers().isEmpty();
  }

  /** Where this process stays, which may run on all of {@code allowed}: off the cores of server and loops where there are others. */
  CpuList harness(CpuList allowed) {
    return placement == null || placement.helpers().isEmpty() ? allowed : placement.helpers();
  }

  /** Takes this process's threads there until that is closed: samplers, pages, and whatever else it starts meanwhile. */
  public Seat take() throws IOException {
    CpuList before = CpuAffinity.of(ProcessHandle.current().pid());
    if (before == null || harness(before).equals(before)) {
      return () -> {};
    }
    CpuAffinity.pinProcess(harness(before));
    return () -> CpuAffinity.pinProcess(before);
  }

  /** The processors on which this process is for a while. */
  public interface Seat extends AutoCloseable {
    @Override
    void close() throws IOException;
  }
}
