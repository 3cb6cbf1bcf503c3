package echoladder.servers.kit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadFactory;

/**
 * A wait for a socket before there are connections. The JDK opens what virtual threads wait by, some epoll
 * descriptors, when the first of them has to wait, and tries only once: where a burst of connections had taken all
 * descriptors by then, every connection would end with an error, those that come later too.
 */
public final class FirstWait {
  private static final int WAIT_MS = 1;

  private FirstWait() {}

  /**
   * Has a thread of that kind wait for a millisecond, at any free port.
   *
   * @param address that can be listened on; loopback may be down where the server runs
   * @throws CannotRun where it cannot
   */
  public static void by(ThreadFactory threads, InetAddress address) {
    FutureTask<Boolean> wait = new FutureTask<>(() -> nobodyCame(address));
    try {
      threads.newThread(wait).start();
      wait.get();
    } catch (ExecutionException | OutOfMemoryError e) {
      throw new CannotRun(
          "could not let a thread wait for a socket: " + e + "; it takes a thread and some descriptors (ulimit -u, ulimit -n)", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static boolean nobodyCame(InetAddress address) throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, address)) {
      socket.setSoTimeout(WAIT_MS);
      socket.accept().close();
      return false;
    } catch (SocketTimeoutException e) {
      return true;
    }
  }
}
