package echoladder.linux.process;

import echoladder.linux.Errno;
import echoladder.linux.cpu.CpuList;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which processors a thread or process may run on: sched_setaffinity(2), and what is in force by /proc. */
public final class CpuAffinity {
  private CpuAffinity() {}

  /** What the calling thread may run on, as the kernel tells; null where it does not. */
  public static @Nullable CpuList ofThread() {
    return read(Path.of("/proc/thread-self/status"));
  }

  /** What the main thread of a process may run on, as the kernel tells; null where the process is gone. */
  public static @Nullable CpuList of(long pid) {
    return read(Path.of("/proc/" + pid + "/status"));
  }

  private static @Nullable CpuList read(Path status) {
    String key = "Cpus_allowed_list:";
    try {
      for (String line : Files.readAllLines(status)) {
        if (line.startsWith(key)) {
          return CpuList.parse(line.substring(key.length()));
        }
      }
      return null;
    } catch (IOException e) {
      return null;
    }
  }

  /**
   * Keeps the calling thread, and those that it starts from now on, on these processors.
   *
   * @throws IOException where the kernel refuses, e.g. as none of them is there or allowed
   */
  public static void pinThread(CpuList cpus) throws IOException {
    int r = new ProcessCalls().affinity(0, cpus);
    if (r < 0) {
      throw new IOException(
          "cannot run on the processors %s: sched_setaffinity said %s; this process may run on %s"
              .formatted(cpus, Errno.name(r), allowed()));
    }
  }

  /**
   * Keeps every thread that this process has now on these processors: compilers and collectors too. A thread that ends
   * meanwhile is no failure.
   *
   * @throws IOException where the kernel refuses
   */
  public static void pinProcess(CpuList cpus) throws IOException {
    pinThread(cpus);
    ProcessCalls sys = new ProcessCalls();
    try (DirectoryStream<Path> tasks = Files.newDirectoryStream(Path.of("/proc/self/task"))) {
      for (Path task : tasks) {
        int r = sys.affinity(Integer.parseInt(task.getFileName().toString()), cpus);
        if (r < 0 && r != -Errno.ESRCH) {
          throw new IOException("cannot keep thread " + task.getFileName() + " on the processors " + cpus + ": " + Errno.name(r));
        }
      }
    }
  }

  private static String allowed() {
    CpuList allowed = ofThread();
    return allowed == null ? "unknown ones" : allowed.toString();
  }

  /** The command that starts a process on these processors: taskset(1), of util-linux or busybox, execs what follows. */
  public static List<String> wrapper(CpuList cpus) {
    return List.of("taskset", "-c", cpus.toString());
  }
}
