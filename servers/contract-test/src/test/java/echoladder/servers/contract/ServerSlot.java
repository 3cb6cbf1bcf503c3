package echoladder.servers.contract;

import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * Where a class with a {@link SharedServer} keeps the server of the instance at hand. JUnit also ends what was skipped at its start, for
 * want of a program: there is nothing to end then.
 */
public final class ServerSlot<T extends AutoCloseable> {
  private @Nullable T server;

  /** Starts the next server. */
  public void start(Callable<T> starting) throws Exception {
    server = starting.call();
  }

  /** The server that runs. */
  public T get() {
    return Objects.requireNonNull(server, "no server was started");
  }

  /** Takes it out, for the last look at it before it is closed; null where none was started. */
  public @Nullable T take() {
    T last = server;
    server = null;
    return last;
  }

  /** Ends it, where one was started. */
  public void stop() throws Exception {
    T last = take();
    if (last != null) {
      last.close();
    }
  }
}
