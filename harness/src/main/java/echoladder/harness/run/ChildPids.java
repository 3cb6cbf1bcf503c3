package echoladder.harness.run;

import echoladder.linux.process.ProcessTree;
import java.util.Collection;
import java.util.List;

/** The processes that this one has started. */
final class ChildPids {
  private ChildPids() {}

  /** The pids of all descendants: with a server of somebody else that is the client, in however many processes. */
  static List<Long> all() {
    return ProcessHandle.current().descendants().map(ProcessHandle::pid).toList();
  }

  /** The pids of all descendants but one and its own: with a server that is the client, in however many processes. */
  static List<Long> othersThan(long serverPid) {
    List<Long> server =
        ProcessHandle.of(serverPid).stream().flatMap(ProcessHandle::descendants).map(ProcessHandle::pid).toList();
    return all().stream().filter(pid -> pid != serverPid && !server.contains(pid)).toList();
  }

  /**
   * The pids of all descendants beside a server of several processes: what leaves its parents becomes a child of this process
   * where this one is init.
   */
  static List<Long> othersThan(ProcessTree server) {
    Collection<Long> pids = server.pids();
    return all().stream().filter(pid -> !pids.contains(pid)).toList();
  }
}
