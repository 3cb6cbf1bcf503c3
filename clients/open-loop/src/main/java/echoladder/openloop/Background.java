package echoladder.openloop;

import echoladder.linux.SystemCalls;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * What else runs in the process of the event loops: the thread that drives them, which takes intervals and tells of
 * progress each second, and the compilers. Where all processors are busy, each of them is milliseconds in which a loop is
 * late; so in steady state they give way. Not so the threads that collect garbage: the loops wait for those.
 */
final class Background {
  private static final int NICE = 10;
  private static final List<String> COMPILERS = List.of("C1 Compiler", "C2 Compiler");
  private static volatile boolean processIsOurs;

  private Background() {}

  /** To be said by a main method whose process does nothing but drive a load; else nothing steps back. */
  static void processIsOurs() {
    processIsOurs = true;
  }

  /** Lets the calling thread and the compilers of this process give way from now on, which cannot be taken back. */
  static void stepBack() {
    if (!processIsOurs) {
      return;
    }
    SystemCalls sys = new SystemCalls();
    sys.nice(0, NICE);
    List<Path> threads;
    try (Stream<Path> tasks = Files.list(Path.of("/proc/self/task"))) {
      threads = tasks.toList();
    } catch (IOException e) {
      throw new UncheckedIOException("/proc/self/task cannot be listed", e);
    }
    for (Path thread : threads) {
      if (compiler(thread)) {
        sys.nice(Integer.parseInt(thread.getFileName().toString()), NICE);
      }
    }
  }

  private static boolean compiler(Path thread) {
    try {
      String name = Files.readString(thread.resolve("comm"));
      return COMPILERS.stream().anyMatch(name::startsWith);
    } catch (IOException e) {
      // A compiler's thread that was idle for long has ended meanwhile.
      return false;
    }
  }
}
