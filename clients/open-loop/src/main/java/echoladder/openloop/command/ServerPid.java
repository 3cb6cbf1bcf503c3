package echoladder.openloop.command;

import echoladder.client.LoadPlan;
import echoladder.client.Target;
import echoladder.linux.process.ListenerMismatch;
import echoladder.linux.process.ProcessTree;
import echoladder.linux.sockets.SocketAddress;
import java.net.UnknownHostException;
import java.util.List;

/** The process that a user names as the server of his targets. */
final class ServerPid {
  private ServerPid() {}

  /**
   * Refuses a process that does not serve every target, as its CPU and RSS would be a stranger's.
   *
   * @throws IllegalArgumentException that says who listens there, where that can be told
   */
  static void refuseStranger(LoadPlan plan) {
    if (plan.serverPid() == null) {
      return;
    }
    List<Long> pids = new ProcessTree(plan.serverPid()).pids();
    if (pids.isEmpty()) {
      throw new IllegalArgumentException("--server-pid: process " + plan.serverPid() + " has ended");
    }
    try {
      for (Target target : plan.targets()) {
        ListenerMismatch wrong = ListenerMismatch.of(pids, SocketAddress.of(target.host(), target.port())).orElse(null);
        if (wrong != null) {
          throw new IllegalArgumentException(
              "--server-pid: %s; %s or leave --server-pid out, and the server's CPU and RSS are unknown"
                  .formatted(wrong.seen(), wrong.instead() == null ? "name the process that serves there" : "give " + wrong.instead()));
        }
      }
    } catch (UnknownHostException e) {
      // The load itself refuses an address that has no meaning.
    }
  }
}
