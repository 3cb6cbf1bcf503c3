package echoladder.openloop.shard;

import echoladder.client.LoadPlan;
import echoladder.linux.cpu.CpuList;
import echoladder.linux.cpu.CpuTopology;
import echoladder.linux.process.CpuAffinity;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which processors the threads of a client process run on, where its plan names any: each event loop has a core of its
 * own, in turn, and every other thread keeps off those cores where the process may run on others. Pure but for {@link #take}
 * and {@link #takeLoop}.
 */
final class ThreadPinning {
  private final List<CpuList> ofLoops;
  private final CpuList helpers;
  private final boolean crowded;
  private final int firstLoop;

  /**
   * @param cores of the plan, as the kernel tells; empty = the plan names none
   * @param allowed what the process may run on
   * @param beside where the other threads may be as well, if none but the loops' processors are allowed; empty = nowhere
   * @param firstLoop number in the whole load of this process's first loop
   * @param loops of the whole load on this host
   */
  ThreadPinning(List<CpuTopology.Core> cores, CpuList allowed, CpuList beside, int firstLoop, int loops) {
    this.firstLoop = firstLoop;
    ofLoops = cores.stream().limit(loops).map(CpuTopology.Core::cpus).toList();
    CpuList others = allowed.without(CpuList.union(ofLoops));
    helpers = cores.isEmpty() ? CpuList.of() : others.isEmpty() ? allowed.with(beside) : others;
    crowded = !cores.isEmpty() && others.isEmpty();
  }

  static ThreadPinning of(LoadPlan plan, int firstLoop, int loops) {
    String cpus = plan.cpus();
    CpuList allowed = CpuAffinity.of(ProcessHandle.current().pid());
    return cpus == null || allowed == null
        ? new ThreadPinning(List.of(), CpuList.of(), CpuList.of(), firstLoop, loops)
        : new ThreadPinning(CpuTopology.cores(Path.of("/sys"), CpuList.parse(cpus)), allowed, beside(plan), firstLoop, loops);
  }

  /** A loop that polls leaves nothing of its core: the server's has idle time. */
  private static CpuList beside(LoadPlan plan) {
    Long server = plan.serverPid();
    CpuList cpus = server == null || !plan.spin().isPositive() ? null : CpuAffinity.of(server);
    return cpus == null ? CpuList.of() : cpus;
  }

  /** Whether the other threads have no core that is neither a loop's nor the server's. */
  boolean crowded() {
    return crowded;
  }

  /** Where the process's other threads are; empty where the plan names no processors. */
  CpuList helpers() {
    return helpers;
  }

  /** Where loop {@code i} of this process is; null where the plan names no processors. */
  @Nullable CpuList loop(int i) {
    return ofLoops.isEmpty() ? null : ofLoops.get((firstLoop + i) % ofLoops.size());
  }

  /** Keeps every thread of this process, and those to come, off the loops' cores where there are others. */
  void take() throws IOException {
    if (!helpers.isEmpty()) {
      CpuAffinity.pinProcess(helpers);
    }
  }

  /** Makes the calling thread that of loop {@code i}. */
  void takeLoop(int i) throws IOException {
    CpuList own = loop(i);
    if (own != null) {
      CpuAffinity.pinThread(own);
    }
  }
}
