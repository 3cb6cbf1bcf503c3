package echoladder.harness.probe;

import echoladder.harness.common.ProcText;

/** Threads of the server, as the kernel counts them: a virtual thread is none. */
final class ThreadProbe implements Probe {
  private final Subject subject;

  ThreadProbe(Subject subject) {
    this.subject = subject;
  }

  @Override
  public void sample(Reading into) {
    if (subject.serverPid() == null) {
      return;
    }
    ProcText.number(ProcText.lines("/proc/" + subject.serverPid() + "/status"), "Threads:")
        .ifPresent(n -> into.put(Figure.SERVER_THREADS, n));
  }
}
