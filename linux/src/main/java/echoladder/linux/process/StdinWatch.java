package echoladder.linux.process;

import java.io.IOException;

/** Ends this process when its stdin ends. The parent holds the other end, so a parent that is killed leaves no process behind. */
public final class StdinWatch {
  private StdinWatch() {}

  /** Begins to watch, on a thread that keeps no process alive. The exit status is 1. */
  public static void begin() {
    Thread.ofPlatform().daemon().name("stdin").start(StdinWatch::watch);
  }

  private static void watch() {
    try {
      while (System.in.read() >= 0) {
        // Nobody says anything.
      }
    } catch (IOException e) {
      // As its end.
    }
    Runtime.getRuntime().halt(1);
  }
}
