package echoladder.openloop;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import echoladder.linux.process.ProcessCpu;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;

/**
 * How much of the processors others used while a benchmark ran: everything that /proc/stat counts as busy, less this
 * process, its ended children and those named.
 */
final class OtherWork {
  /** With more of it than this, a benchmark prints its figures and asserts nothing. */
  static final double MOST = 0.1;

  private static final double TICKS_PER_S = 100;

  private final long[] stillRunning;
  private final double busyS;
  private final double ownS;
  private final long beganNs = System.nanoTime();

  private OtherWork(long... stillRunning) throws IOException {
    this.stillRunning = stillRunning;
    busyS = busySeconds();
    ownS = ownSeconds(stillRunning);
  }

  /** Begins to watch; {@code stillRunning} are the pids of children that are there all the while. */
  static OtherWork besides(long... stillRunning) throws IOException {
    return new OtherWork(stillRunning);
  }

  /** Share of all processors, 0-1, that others have used so far. */
  double share() throws IOException {
    double others = busySeconds() - busyS - (ownSeconds(stillRunning) - ownS);
    double seconds = (System.nanoTime() - beganNs) / 1e9;
    return Math.max(0, others) / (seconds * Runtime.getRuntime().availableProcessors());
  }

  /** Ends the benchmark as skipped where others were too busy for its targets to mean anything. */
  void assumeLittle() throws IOException {
    double share = share();
    System.out.printf(Locale.ROOT, "bench: others used %.1f %% of the processors meanwhile%n", 100 * share);
    assumeTrue(
        share <= MOST,
        () -> "SKIPPED: others used %.0f %% of the processors (bound %.0f %%)".formatted(100 * share, 100 * MOST));
  }

  private static double busySeconds() throws IOException {
    String[] cpu = Files.readAllLines(Path.of("/proc/stat")).getFirst().trim().split("\\s+", -1);
    double ticks = 0;
    // user nice system, not idle and iowait, irq softirq steal; guest time is part of user.
    for (int i : new int[] {1, 2, 3, 6, 7, 8}) {
      ticks += Double.parseDouble(cpu[i]);
    }
    return ticks / TICKS_PER_S;
  }

  private static double ownSeconds(long[] stillRunning) throws IOException {
    String stat = Files.readString(Path.of("/proc/self/stat"));
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    // proc(5): cutime and cstime are fields 16 and 17 of the line, state is the third.
    double children = (Double.parseDouble(fields[13]) + Double.parseDouble(fields[14])) / TICKS_PER_S;
    ProcessCpu cpu = new ProcessCpu();
    return children + (cpu.ownNs() + Arrays.stream(stillRunning).map(cpu::ns).sum()) / 1e9;
  }
}
