package echoladder.harness.engine;

import echoladder.client.Target;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Connections of the harness's own to a TCP echo server, each of which has had one echo. They ask again only when told to. */
final class Peers implements AutoCloseable {
  /** How long a connect, and then an echo, is waited for: a SYN that is lost is sent again after 1, 2 and 4 s. */
  private static final int PATIENCE_MS = 20_000;

  /** How soon a stop is heard. */
  private static final long LOOK_MS = 100;

  /** Connects under way, within the backlog that every server here asks for. */
  private static final int AT_ONCE = 128;

  private static final byte[] MESSAGE = "echo ladder: is anybody there?\r\n".getBytes(StandardCharsets.US_ASCII);

  private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();

  private Peers() {}

  /**
   * Connects them.
   *
   * @return null where a stop came first; then none is left
   * @throws IOException where one of them had no echo; then none is left
   */
  static @Nullable Peers come(Target target, int number, BooleanSupplier stop) throws IOException, InterruptedException {
    Peers peers = new Peers();
    boolean all = false;
    try (ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE, Thread.ofVirtual().factory())) {
      List<Future<Socket>> coming = new ArrayList<>();
      for (int i = 0; i < number; i++) {
        coming.add(threads.submit(() -> peers.connect(target)));
      }
      try {
        all = came(coming, stop);
      } catch (ExecutionException e) {
        Throwable why = e.getCause();
        throw new IOException(
            "one of %,d connections to %s had no echo: %s".formatted(number, target, why == null ? e : why.getMessage()), e);
      } finally {
        if (!all) {
          threads.shutdownNow();
        }
      }
      return all ? peers : null;
    } finally {
      if (!all) {
        peers.close();
      }
    }
  }

  /** Waits for all of them; false where a stop came first. */
  private static boolean came(List<Future<Socket>> coming, BooleanSupplier stop) throws InterruptedException, ExecutionException {
    for (Future<Socket> one : coming) {
      while (one.state() == Future.State.RUNNING && !stop.getAsBoolean()) {
        try {
          var _ = one.get(LOOK_MS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
          // It is looked at again.
        }
      }
      if (stop.getAsBoolean()) {
        return false;
      }
      var _ = one.get();
    }
    return true;
  }

  private Socket connect(Target target) throws IOException {
    Socket socket = new Socket();
    // First, so that it is closed whatever comes.
    sockets.add(socket);
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(PATIENCE_MS);
    socket.connect(new InetSocketAddress(target.host(), target.port()), PATIENCE_MS);
    socket.getOutputStream().write(MESSAGE);
    byte[] echo = socket.getInputStream().readNBytes(MESSAGE.length);
    if (!Arrays.equals(echo, MESSAGE)) {
      String back = echo.length < MESSAGE.length ? "%d came back".formatted(echo.length) : "others came back";
      throw new IOException("%d bytes were sent and %s".formatted(MESSAGE.length, back));
    }
    return socket;
  }

  /** Sends one more message on each, and awaits no answer. */
  void ask() throws IOException {
    for (Socket socket : sockets) {
      socket.getOutputStream().write(MESSAGE);
    }
  }

  /** The bytes of what {@link #ask} sends on all of them. */
  long askedBytes() {
    return (long) sockets.size() * MESSAGE.length;
  }

  /** Ends all of them. */
  @Override
  public void close() throws IOException {
    IOException failed = null;
    for (Socket socket : sockets) {
      try {
        socket.close();
      } catch (IOException e) {
        failed = e;
      }
    }
    if (failed != null) {
      throw failed;
    }
  }
}
