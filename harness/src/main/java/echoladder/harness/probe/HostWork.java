package echoladder.harness.probe;

import echoladder.linux.cpu.CpuList;
import echoladder.linux.process.CpuAffinity;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.zip.CRC32;

/**
 * A fixed piece of work, and the CPU time that it takes on some processors: how quick the host is just now. The work is a checksum over
 * 16 KiB, which fits the cache, and messages over loopback from one socket of a thread to another one. CPU time leaves out what the
 * hypervisor takes; what it does not leave out is a slower clock, a neighbour on the same core and a cache that others fill.
 *
 * <p>A piece takes some 4 ms on a processor of 2026. It is done three times on each of at most four processors, and the median counts.
 */
public final class HostWork {
  private static final int MOST_PROCESSORS = 4;
  private static final int TIMES = 3;
  private static final int CHECKSUMS = 2_000;
  private static final int MESSAGES = 500;

  /** Pieces that nobody times, until the compilers are done with it. */
  private static final int WARM_UP = 30;

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static boolean warm;

  private HostWork() {}

  /**
   * CPU time of one piece, in ns: the mean over the processors, of each the median. Empty where this process may not run there, or cannot
   * open sockets. It takes the processors for some 15 ms each, one after the other.
   */
  public static synchronized OptionalLong ns(CpuList cpus) {
    try {
      return OptionalLong.of(CompletableFuture.supplyAsync(() -> mean(cpus), work -> Thread.ofPlatform().daemon().start(work)).join());
    } catch (CompletionException e) {
      return OptionalLong.empty();
    }
  }

  private static long mean(CpuList cpus) {
    int[] some = cpus.stream().limit(MOST_PROCESSORS).toArray();
    if (some.length == 0) {
      throw new IllegalArgumentException("no processors");
    }
    InetAddress loopback = InetAddress.getLoopbackAddress();
    try (ServerSocketChannel listener = ServerSocketChannel.open().bind(new InetSocketAddress(loopback, 0));
        SocketChannel from = SocketChannel.open(listener.getLocalAddress());
        SocketChannel to = listener.accept()) {
      from.setOption(StandardSocketOptions.TCP_NODELAY, true);
      ByteBuffer message = ByteBuffer.allocateDirect(64);
      byte[] block = new byte[16 << 10];
      for (int i = 0; i < WARM_UP && !warm; i++) {
        piece(block, from, to, message);
      }
      warm = true;
      long sum = 0;
      for (int cpu : some) {
        CpuAffinity.pinThread(CpuList.of(cpu));
        long[] ns = new long[TIMES];
        for (int i = 0; i < TIMES; i++) {
          long before = THREADS.getCurrentThreadCpuTime();
          piece(block, from, to, message);
          ns[i] = THREADS.getCurrentThreadCpuTime() - before;
        }
        Arrays.sort(ns);
        sum += ns[TIMES / 2];
      }
      return sum / some.length;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The result of a checksum goes into the next block, so that nothing of it can be left out. */
  private static void piece(byte[] block, SocketChannel from, SocketChannel to, ByteBuffer message) throws IOException {
    for (int i = 0; i < CHECKSUMS; i++) {
      CRC32 sum = new CRC32();
      sum.update(block, 0, block.length);
      block[i % block.length] = (byte) sum.getValue();
    }
    for (int i = 0; i < MESSAGES; i++) {
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
  }
}
