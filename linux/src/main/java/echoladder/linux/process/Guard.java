package echoladder.linux.process;

import echoladder.linux.Errno;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * Ends what this process has started and left behind, however this process ends. A shell that is nobody's child waits at a
 * pipe for the end of this process, so SIGKILL is noticed too. It looks for a variable in the environment, which a process
 * hands on to what it starts itself. It asks with SIGTERM, and with SIGCONT, as a stopped process takes no SIGTERM before
 * that. It kills 20 s later. There is one per process, made with the first child. Where this process ended without a word
 * and the kernel has killed for want of memory meanwhile, the guard says so on the stderr of this process.
 */
final class Guard {
  /**
   * The variable. The mark of the {@link Starter} will not do: in a lab it is that of a process outside, and all that runs
   * in there has it.
   */
  private static final String VARIABLE = "ECHOLADDER_GUARDED_BY";

  /**
   * {@code $1} is the entry of the environment, {@code $2} the pipe. The outer shell ends at once, so that the waiting one
   * belongs to no process tree. The waiting one sleeps in read and costs nothing. It lets go of stderr before it waits for
   * the others, as whoever reads a pipe waits for the last who has it open.
   */
  private static final String SCRIPT =
      """
      exec 3<"$2" || exit 1
      (
        trap '' HUP INT TERM QUIT
        cd /
        left() { grep -lzxFs -e "$1" /proc/[0-9]*/environ | cut -d/ -f3; }
        killed() { sed -n 's/^oom_kill //p' /proc/vmstat 2>/dev/null; }
        before=$(killed)
        word=
        while read -r line <&3; do word=$line; done
        now=$(killed)
        more=$((${now:-0} - ${before:-0}))
        [ -n "$word" ] || [ $more -le 0 ] ||
          echo "ladder: killed. Since it started children, the kernel has killed $more process(es) on this host for want of\
       memory (oom_kill in /proc/vmstat). Free memory, or ask for fewer connections. What was finished is kept: a run\
       goes on with './ladder run --resume RUN'" >&2
        exec 2>/dev/null
        pids=$(left "$1")
        [ -z "$pids" ] || { kill -TERM $pids; kill -CONT $pids; }
        for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
          pids=$(left "$1")
          [ -n "$pids" ] || exit 0
          sleep 1
        done
        kill -KILL $pids
      ) >/dev/null &
      """;

  private static boolean started;

  private Guard() {}

  /**
   * Puts what is about to be started under the guard, which is started where this process has none yet.
   *
   * @throws IOException where there is no shell or no descriptor left
   */
  static synchronized void mark(Map<String, String> environment) throws IOException {
    Starter own = Starter.here();
    environment.put(VARIABLE, own.text());
    if (started) {
      return;
    }
    // Not the stdin of the shell: Java closes that when the outer shell ends.
    int[] pipe = new int[2];
    int r = new ProcessCalls().pipeForLife(pipe);
    if (r < 0) {
      throw new IOException("cannot make a pipe for what ends the started processes: " + Errno.name(-r));
    }
    atAnOrderlyEnd(() -> say(pipe[1]));
    ProcessBuilder builder =
        new ProcessBuilder(
                "sh", "-c", SCRIPT, "sh", VARIABLE + "=" + own.text(), "/proc/%d/fd/%d".formatted(own.pid(), pipe[0]))
            .redirectInput(Path.of("/dev/null").toFile())
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.INHERIT);
    // It is none of those that anybody looks for.
    builder.environment().remove(VARIABLE);
    builder.environment().remove(Starter.VARIABLE);
    builder.start();
    started = true;
  }

  private static void atAnOrderlyEnd(Runnable action) {
    try {
      Runtime.getRuntime().addShutdownHook(new Thread(action, "guard"));
    } catch (IllegalStateException e) {
      // This process is at its orderly end already.
      action.run();
    }
  }

  private static void say(int pipe) {
    try {
      Files.writeString(Path.of("/proc/self/fd/" + pipe), "end\n");
    } catch (IOException e) {
      // The guard is gone: there is nobody to be told.
    }
  }
}
