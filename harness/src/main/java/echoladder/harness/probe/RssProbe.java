package echoladder.harness.probe;

import echoladder.linux.ProcessMemory;

/** Resident memory of server and client, as /proc/PID/status gives it. */
final class RssProbe implements Probe {
  private final Subject subject;

  RssProbe(Subject subject) {
    this.subject = subject;
  }

  @Override
  public void sample(Reading into) {
    Long serverPid = subject.serverPid();
    Long server = serverPid == null ? null : ProcessMemory.rssBytes(serverPid);
    if (server != null) {
      into.put(Figure.SERVER_RSS_BYTES, server);
    }
    long sum = 0;
    boolean any = false;
    for (long pid : subject.clientPids().get()) {
      Long bytes = ProcessMemory.rssBytes(pid);
      any |= bytes != null;
      sum += bytes == null ? 0 : bytes;
    }
    if (any) {
      into.put(Figure.CLIENT_RSS_BYTES, sum);
    }
  }
}
