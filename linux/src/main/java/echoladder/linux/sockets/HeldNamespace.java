package echoladder.linux.sockets;

import java.io.Closeable;
import java.io.IOException;
import java.util.function.Supplier;

/**
 * A network namespace without a name, which this process holds by a descriptor. The kernel removes the namespace, with every device in
 * it, once the descriptor is closed and no process is left in the namespace. A SIGKILL closes the descriptor too. Any thread.
 */
public final class HeldNamespace implements Closeable {
  private final int descriptor;
  private boolean closed;

  private HeldNamespace(int descriptor) {
    this.descriptor = descriptor;
  }

  /**
   * Makes one. A thread of its own does: the threads of this process stay in their namespace.
   *
   * @throws IOException where this process may make none, which takes CAP_SYS_ADMIN
   */
  public static HeldNamespace make() throws IOException, InterruptedException {
    return new HeldNamespace(
        NetworkNamespace.aside(
            () -> {
              NetworkNamespace.leave();
              return NetworkNamespace.open("/proc/thread-self/ns/net");
            }));
  }

  /** A path of it for nsenter, ip and the like, which holds in this process and in others of this user. */
  public String path() {
    return "/proc/" + ProcessHandle.current().pid() + "/fd/" + descriptor;
  }

  /** Does something in it, on a thread of its own: see {@link NetworkNamespace#in}. */
  public <T> T in(Supplier<T> what) throws IOException, InterruptedException {
    return NetworkNamespace.in(path(), what);
  }

  /** Lets it go. */
  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      new SystemCalls().close(descriptor);
    }
  }
}
