package echoladder.harness.probe;

import echoladder.linux.cpu.CpuList;
import echoladder.linux.process.CpuAffinity;
import echoladder.linux.process.IdleThreads;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.zip.CRC32;

/**
 * A fixed piece of work, and the CPU time that it takes on some processors while a load runs: how quick the host is. A piece is twelve
 * checksums over 16 KiB, which fit the cache, and a message over loopback from one socket of a thread to another one. CPU time leaves
 * out what the hypervisor takes; what it does not leave out is a slower clock, a neighbour on the same core and a cache that others fill.
 *
 * <p>A piece takes some 50 µs on a processor of 2026, as it finds the caches cold. On each of at most four processors a thread does one
 * every 50 ms: a thousandth of the processor. The thread is of the class SCHED_IDLE: it runs where the processor has nothing else to do,
 * and whatever wakes takes the processor from it.
 */
public final class HostWork implements WorkMeter {
  private static final int MOST_PROCESSORS = 4;
  private static final int CHECKSUMS = 12;
  private static final long PAUSE_NS = 50_000_000;

  /** Fewer pieces say nothing of a processor. */
  static final int LEAST_PIECES = 20;

  /** The part of the pieces that is left out at either end: an interrupt may fall into any. */
  private static final double TRIMMED = 0.1;

  /** Pieces that nobody times, until the compilers are done with it. */
  private static final int WARM_UP = 5_000;

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static boolean warm;

  private final List<Worker> workers;
  private volatile boolean counts;
  private volatile boolean ended;

  private HostWork(List<Integer> cpus) {
    workers = cpus.stream().map(Worker::new).toList();
    workers.forEach(worker -> worker.thread.start());
  }

  /** Threads on these processors that wait for the stretch to begin. It takes a while where nobody has asked for one before. */
  public static HostWork on(CpuList cpus) {
    warmUp();
    HostWork made = new HostWork(cpus.stream().limit(MOST_PROCESSORS).boxed().toList());
    made.workers.forEach(worker -> uninterrupted(worker.ready::await));
    return made;
  }

  private interface Wait {
    void forIt() throws InterruptedException;
  }

  /** Waits for what comes within moments; an interrupt stands until then. */
  private static void uninterrupted(Wait wait) {
    boolean interrupted = Thread.interrupted();
    while (true) {
      try {
        wait.forIt();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private static synchronized void warmUp() {
    if (warm) {
      return;
    }
    warm = true;
    try (Piece piece = new Piece()) {
      for (int i = 0; i < WARM_UP; i++) {
        piece.once();
      }
    } catch (IOException e) {
      // Whoever measures will see that it has no sockets.
      return;
    }
  }

  @Override
  public void begin() {
    counts = true;
  }

  @Override
  public OptionalLong endNs() {
    close();
    double[] means = workers.stream().mapToDouble(Worker::meanNs).toArray();
    return means.length == 0 || Arrays.stream(means).anyMatch(Double::isNaN) ? OptionalLong.empty()
        : OptionalLong.of(Math.round(Arrays.stream(means).average().orElseThrow()));
  }

  @Override
  public void close() {
    ended = true;
    for (Worker worker : workers) {
      LockSupport.unpark(worker.thread);
      uninterrupted(worker.thread::join);
    }
  }

  /** One processor's thread. */
  private final class Worker {
    private final Thread thread;
    private final CountDownLatch ready = new CountDownLatch(1);
    private long[] ns = new long[256];
    private int pieces;

    Worker(int cpu) {
      thread = Thread.ofPlatform().daemon().name("host-work-" + cpu).unstarted(() -> work(cpu));
    }

    private void work(int cpu) {
      try (Piece piece = new Piece()) {
        CpuAffinity.pinThread(CpuList.of(cpu));
        IdleThreads.current();
        ready.countDown();
        while (!ended) {
          LockSupport.parkNanos(PAUSE_NS);
          if (counts && !ended) {
            add(piece.ns());
          }
        }
      } catch (IOException e) {
        // It may not run there, or has no descriptors: then nobody can tell.
        pieces = 0;
      } finally {
        ready.countDown();
      }
    }

    private void add(long took) {
      if (pieces == ns.length) {
        ns = Arrays.copyOf(ns, 2 * pieces);
      }
      ns[pieces++] = took;
    }

    /** The mean of its pieces without the shortest and the longest; NaN where they were too few. Called after its end. */
    double meanNs() {
      if (pieces < LEAST_PIECES) {
        return Double.NaN;
      }
      long[] sorted = Arrays.copyOf(ns, pieces);
      Arrays.sort(sorted);
      int trimmed = (int) (pieces * TRIMMED);
      return Arrays.stream(sorted, trimmed, pieces - trimmed).average().orElseThrow();
    }
  }

  /** The piece itself, and the two ends of a connection that it needs. One thread. */
  private static final class Piece implements AutoCloseable {
    private final SocketChannel from;
    private final SocketChannel to;
    private final ByteBuffer message = ByteBuffer.allocateDirect(64);
    private final byte[] block = new byte[16 << 10];

    Piece() throws IOException {
      InetAddress loopback = InetAddress.getLoopbackAddress();
      try (ServerSocketChannel listener = ServerSocketChannel.open().bind(new InetSocketAddress(loopback, 0))) {
        from = SocketChannel.open(listener.getLocalAddress());
        to = listener.accept();
      }
      from.setOption(StandardSocketOptions.TCP_NODELAY, true);
    }

    /** Does it, and says what CPU time it took. */
    long ns() throws IOException {
      long before = THREADS.getCurrentThreadCpuTime();
      once();
      return THREADS.getCurrentThreadCpuTime() - before;
    }

    /** The result of a checksum goes into the next block, so that nothing of it can be left out. */
    void once() throws IOException {
      for (int i = 0; i < CHECKSUMS; i++) {
        CRC32 sum = new CRC32();
        sum.update(block, 0, block.length);
        block[i] = (byte) sum.getValue();
      }
      message.clear();
      while (message.hasRemaining()) {
        from.write(message);
      }
      message.clear();
      while (message.hasRemaining()) {
        if (to.read(message) < 0) {
          throw new IOException("the loopback connection ended");
        }
      }
    }

    @Override
    public void close() throws IOException {
      from.close();
      to.close();
    }
  }
}
