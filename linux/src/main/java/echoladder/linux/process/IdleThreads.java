package echoladder.linux.process;

import echoladder.linux.Errno;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * Threads of this process that run only where nothing else wants the processor: SCHED_IDLE of sched(7). A thread of the usual
 * kind takes the processor from them as soon as it wakes.
 */
public final class IdleThreads {
  private IdleThreads() {}

  /**
   * Makes the JIT compilers' threads such, and those that they start later. There may be no way back: the kernel asks for the
   * right to it.
   *
   * @throws IOException where the kernel refuses
   */
  public static void compilers() throws IOException {
    ProcessCalls sys = new ProcessCalls();
    try (DirectoryStream<Path> tasks = Files.newDirectoryStream(Path.of("/proc/self/task"))) {
      for (Path task : tasks) {
        int tid = Integer.parseInt(task.getFileName().toString());
        int r = compiles(task) ? sys.idle(tid) : -Errno.ESRCH;
        if (r < 0 && r != -Errno.ESRCH) {
          throw new IOException("compiler thread " + tid + " cannot be made idle: " + Errno.name(r));
        }
      }
    }
  }

  /**
   * Makes the calling thread such.
   *
   * @throws IOException where the kernel refuses
   */
  public static void current() throws IOException {
    int r = new ProcessCalls().idle(0);
    if (r < 0) {
      throw new IOException("this thread cannot be made idle: " + Errno.name(r));
    }
  }

  /** The kernel keeps the first 15 characters of a thread's name. */
  private static boolean compiles(Path task) throws IOException {
    try {
      String name = Files.readString(task.resolve("comm")).strip();
      return name.startsWith("C1 Compiler") || name.startsWith("C2 Compiler");
    } catch (NoSuchFileException e) {
      return false;
    }
  }
}
