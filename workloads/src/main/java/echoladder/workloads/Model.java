package echoladder.workloads;

import java.util.Locale;
import java.util.concurrent.ThreadFactory;

/** Which kind of thread runs a task. */
enum Model {
  PLATFORM,
  VIRTUAL;

  String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Makes threads that do not keep the process alive. */
  ThreadFactory factory() {
    return this == VIRTUAL ? Thread.ofVirtual().factory() : Thread.ofPlatform().daemon().factory();
  }
}
