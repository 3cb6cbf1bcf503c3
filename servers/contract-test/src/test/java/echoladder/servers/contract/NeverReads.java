package echoladder.servers.contract;

import echoladder.linux.ProcSys;
import echoladder.needs.Lacks;
import echoladder.needs.Need;
import java.io.IOException;
import java.time.Duration;
import org.awaitility.Awaitility;

/** What the tests of clients that send and never read have in common, whatever the protocol. */
public final class NeverReads {
  /** Looks in a row at which nothing more was taken, 100 ms apart. */
  private static final int QUIET_LOOKS = 6;

  /**
   * For echoes on other connections. A server that waits for who never reads does not come to them at all; a machine that is busy
   * with other tests takes seconds.
   */
  public static final Duration OTHERS_MAX = Duration.ofSeconds(20);

  private static final long TOO_MANY_BYTES = 256 << 20;

  private NeverReads() {}

  /** Something that is done on connections, or read off them. */
  @FunctionalInterface
  public interface OnConnections<T> {
    /** Does it. */
    T get() throws IOException;
  }

  /**
   * What the kernel queues for one such client. The test is skipped where that is too much to show anything.
   *
   * @param clientBufferBytes that the client asked for, for each of its two buffers; the kernel doubles them
   * @param serverBytesMost what a server may hold for one beyond that
   */
  public static long kernelBytes(int clientBufferBytes, long serverBytesMost) throws IOException {
    long bytes = greatest("net.ipv4.tcp_rmem") + greatest("net.ipv4.tcp_wmem") + 4L * clientBufferBytes;
    if (bytes + serverBytesMost >= TOO_MANY_BYTES) {
      throw Lacks.found(Need.SMALL_SOCKET_BUFFERS, "sockets queue " + bytes + " B here, too many to show anything");
    }
    return bytes;
  }

  private static long greatest(String threeNumbers) throws IOException {
    String[] values = ProcSys.read(threeNumbers).split("\\s+", -1);
    return Long.parseLong(values[2]);
  }

  /**
   * Goes on until nothing more is taken from those clients.
   *
   * @param others echoes once on other connections
   * @param taken bytes taken so far from those that never read
   * @return the slowest of the echoes, in nanoseconds
   */
  public static long slowestUntilStuckNs(OnConnections<?> others, OnConnections<Long> taken) throws IOException {
    long slowestNs = 0;
    long before = -1;
    for (int quiet = 0; quiet < QUIET_LOOKS; ) {
      long startNs = System.nanoTime();
      others.get();
      slowestNs = Math.max(slowestNs, System.nanoTime() - startNs);
      long now = taken.get();
      quiet = now == before ? quiet + 1 : 0;
      before = now;
      Awaitility.await().pollDelay(Duration.ofMillis(100)).until(() -> true);
    }
    return slowestNs;
  }
}
