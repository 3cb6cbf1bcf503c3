package echoladder.harness.probe;

import echoladder.linux.process.ProcessTree;
import java.net.URI;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The processes that the probes read.
 *
 * @param serverPid process of the server; null = not ours to see, so that its CPU and RSS come from its page
 * @param metrics its Prometheus page; null = there is no server to look at
 * @param clientPids the client processes that run now
 * @param tree the server's process with all that belong to it; null = the server is that one process
 */
public record Subject(@Nullable Long serverPid, @Nullable URI metrics, Supplier<List<Long>> clientPids, @Nullable ProcessTree tree) {
  /** With a server that is one process. */
  public Subject(@Nullable Long serverPid, @Nullable URI metrics, Supplier<List<Long>> clientPids) {
    this(serverPid, metrics, clientPids, null);
  }

  /** The processes of the server that run now; none where it is not ours to see. */
  List<Long> serverPids() {
    return serverPid == null ? List.of() : tree != null ? tree.pids() : List.of(serverPid);
  }
}
