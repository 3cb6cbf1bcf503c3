package echoladder.harness.soak;

import echoladder.client.Target;
import echoladder.client.page.MetricsPage;
import echoladder.client.page.PageFetch;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Those who visit a server beside its load and behave as clients do that an echo test forgets: each kind by a thread of its own, one
 * visit after the other.
 */
final class Visitors implements AutoCloseable {
  /** Between two visits of a kind. */
  private static final Duration PAUSE = Duration.ofMillis(100);

  /** A host that is busy with more than the soak is slow, which is no fault of the server. */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static final PageFetch PAGE = new PageFetch(PATIENCE, PageFetch.FIGURES.mostBytes());

  /** What server.yaml calls it, under {@code cannot}, that bytes in front of a FIN may have no echo. */
  private static final String LOSES_BYTES_BEFORE_FIN = "bytes-before-fin";

  private static final int SMALL = 1 << 10;
  private static final int LARGE = 16 << 10;
  private static final int PIECE = 1 << 10;
  private static final Duration PIECE_PAUSE = Duration.ofMillis(20);

  /** One visit. */
  @FunctionalInterface
  private interface Visit {
    void pay() throws IOException, InterruptedException;
  }

  private final Target target;
  private final EchoProtocol saying;
  private final CountDownLatch over = new CountDownLatch(1);
  private final List<Thread> threads = new ArrayList<>();
  private final AtomicLong slowReaders = new AtomicLong();
  private final AtomicLong resets = new AtomicLong();
  private final AtomicLong halfCloses = new AtomicLong();
  private final AtomicLong scrapes = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private final AtomicReference<String> firstFailure = new AtomicReference<>("");

  private final boolean halfCloseAsked;
  private final long beganNs = System.nanoTime();

  private Visitors(Target target, EchoProtocol saying, boolean halfCloseAsked) {
    this.target = target;
    this.saying = saying;
    this.halfCloseAsked = halfCloseAsked;
  }

  /**
   * Begins to visit.
   *
   * @param cannot clauses of the contract that the server's library does not keep: nobody asks for them
   */
  static Visitors start(Target target, EchoProtocol saying, URI metrics, Set<String> cannot) {
    Visitors visitors = new Visitors(target, saying, !cannot.contains(LOSES_BYTES_BEFORE_FIN));
    visitors.visit("a slow reader", visitors.slowReaders, visitors::readSlowly);
    visitors.visit("a reset", visitors.resets, visitors::reset);
    if (visitors.halfCloseAsked) {
      visitors.visit("a half-close", visitors.halfCloses, visitors::closeHalf);
    }
    visitors.visit("a scrape", visitors.scrapes, () -> MetricsPage.fetch(metrics, PAGE));
    return visitors;
  }

  private void visit(String kind, AtomicLong count, Visit visit) {
    threads.add(
        Thread.ofVirtual()
            .name("soak-" + kind)
            .start(
                () -> {
                  try {
                    while (!over.await(PAUSE.toMillis(), TimeUnit.MILLISECONDS)) {
                      one(kind, count, visit);
                    }
                  } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                  }
                }));
  }

  private void one(String kind, AtomicLong count, Visit visit) throws InterruptedException {
    try {
      visit.pay();
      count.incrementAndGet();
    } catch (IOException e) {
      // What was under way when the visits ended says nothing of the server.
      if (over.getCount() > 0) {
        failed.incrementAndGet();
        long afterS = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - beganNs);
        firstFailure.compareAndSet("", "%,d s after the first visit %s failed: %s".formatted(afterS, kind, e.getMessage()));
      }
    }
  }

  private Socket connected() throws IOException {
    Socket socket = new Socket();
    try {
      // Before the connect, as it is said in the handshake: the kernel would take in for a slow reader what it does not read.
      socket.setReceiveBufferSize(PIECE);
      socket.setSoTimeout((int) PATIENCE.toMillis());
      socket.connect(new InetSocketAddress(target.host(), target.port()), (int) PATIENCE.toMillis());
      saying.open(socket.getInputStream(), socket.getOutputStream(), target);
      return socket;
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  private static byte[] message(int bytes) {
    byte[] message = new byte[bytes];
    for (int i = 0; i < bytes; i++) {
      message[i] = (byte) (i * 31);
    }
    return message;
  }

  /** Takes little at a time, and pauses before each piece. */
  private static final class Slowly extends FilterInputStream {
    Slowly(InputStream in) {
      super(in);
    }

    @Override
    public int read(byte[] into, int from, int count) throws IOException {
      try {
        Thread.sleep(PIECE_PAUSE);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted while it read slowly");
      }
      return in.read(into, from, Math.min(PIECE, count));
    }
  }

  private void readSlowly() throws IOException {
    byte[] sent = message(LARGE);
    try (Socket socket = connected()) {
      saying.say(socket.getOutputStream(), sent);
      same(sent, saying.hear(new Slowly(socket.getInputStream()), LARGE));
    }
  }

  private void reset() throws IOException {
    try (Socket socket = connected()) {
      saying.say(socket.getOutputStream(), message(SMALL));
      socket.setSoLinger(true, 0);
    }
  }

  private void closeHalf() throws IOException {
    byte[] sent = message(SMALL);
    try (Socket socket = connected()) {
      saying.say(socket.getOutputStream(), sent);
      saying.end(socket.getOutputStream());
      socket.shutdownOutput();
      same(sent, saying.hear(socket.getInputStream(), SMALL));
      int more = socket.getInputStream().readNBytes(saying.lastBytesMost() + 1).length;
      if (more > saying.lastBytesMost()) {
        throw new IOException("the connection goes on behind the last echo");
      }
    }
  }

  private static void same(byte[] sent, byte[] got) throws IOException {
    int differs = Arrays.mismatch(sent, got);
    if (differs >= 0) {
      throw new IOException("its echo differs from byte %,d on; it has %,d of %,d bytes".formatted(differs, got.length, sent.length));
    }
  }

  ServerSoak.Visits visits() {
    return new ServerSoak.Visits(slowReaders.get(), resets.get(), halfCloseAsked ? halfCloses.get() : null, scrapes.get(), failed.get());
  }

  /** What went wrong with them, in a sentence. */
  Optional<String> wrong() {
    return failed.get() == 0 ? Optional.empty()
        : Optional.of("%,d visits failed; the first: %s".formatted(failed.get(), firstFailure.get()));
  }

  /** Lets those that are under way end. */
  @Override
  public void close() {
    over.countDown();
    boolean interrupted = false;
    for (Thread thread : threads) {
      try {
        if (!thread.join(PATIENCE.multipliedBy(2))) {
          thread.interrupt();
        }
      } catch (InterruptedException e) {
        interrupted = true;
        thread.interrupt();
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
