package echoladder.linux.process;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import echoladder.linux.Downcall;
import echoladder.linux.Errno;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Replaces this process by another program, execvp(3): the process id, the streams and the environment stay. */
public final class Becoming {
  private static final MethodHandle EXECVP = Downcall.call("execvp", JAVA_INT, ADDRESS, ADDRESS);

  private Becoming() {}

  /** The command that this process was started by, from /proc. */
  public static List<String> ownCommand() throws IOException {
    String text = new String(Files.readAllBytes(Path.of("/proc/self/cmdline")), StandardCharsets.UTF_8);
    return List.of(text.substring(0, Math.max(0, text.length() - 1)).split("\0", -1));
  }

  /**
   * Becomes a program. No shutdown hook runs, and no thread goes on; files of this JVM are closed by the kernel.
   *
   * @param argv the program, found as a shell finds it, and its arguments
   * @throws IOException where there is no such program, or it cannot be run; then nothing has changed
   */
  public static void program(List<String> argv) throws IOException {
    System.out.flush();
    System.err.flush();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment vector = arena.allocate(ADDRESS, argv.size() + 1L);
      for (int i = 0; i < argv.size(); i++) {
        vector.setAtIndex(ADDRESS, i, arena.allocateFrom(argv.get(i)));
      }
      vector.setAtIndex(ADDRESS, argv.size(), MemorySegment.NULL);
      MemorySegment state = arena.allocate(Downcall.CAPTURE);
      int failed = exec(state, vector.getAtIndex(ADDRESS, 0), vector);
      throw new IOException("%s could not be run (%d): %s".formatted(argv.getFirst(), failed, Errno.name(Downcall.errno(state))));
    }
  }

  private static int exec(MemorySegment state, MemorySegment file, MemorySegment vector) {
    try {
      return (int) EXECVP.invokeExact(state, file, vector);
    } catch (Throwable e) {
      throw new IllegalStateException("execvp has other types than this class says", e);
    }
  }
}
