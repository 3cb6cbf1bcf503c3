package echoladder.openloop;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import echoladder.linux.sockets.Epoll;
import echoladder.linux.sockets.SocketAddress;
import echoladder.linux.sockets.StampedReads;
import echoladder.linux.sockets.SystemCalls;
import java.io.BufferedReader;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The stamps that a client is told, beside those of a packet capture of the same echoes: see src/bench/c/capture.c. */
class CaptureBench {
  private static final int ECHOES = 10_000;
  private static final int NOT_ALLOWED = 4;

  @Test
  void stampsAreThoseOfAPacketCapture() throws Exception {
    Path program = ReferenceProgram.compile("capture");
    try (FloorProcess floor = FloorProcess.start(1, BenchPairs.atServers())) {
      int port = floor.target().port();
      Process capture =
          ReferenceProgram.start(List.of(program.toString(), Integer.toString(port), Integer.toString(ECHOES)));
      BufferedReader said = capture.inputReader();
      boolean ready = "ready".equals(said.readLine());
      assumeTrue(ready || capture.waitFor() != NOT_ALLOWED, "SKIPPED: a packet capture takes root (CAP_NET_RAW)");
      long[] told = echoes(port);
      long[] apart = new long[ECHOES];
      int n = 0;
      for (String line = said.readLine(); line != null; line = said.readLine()) {
        int gap = line.indexOf(' ');
        long stamp = told[Integer.parseInt(line.substring(0, gap))];
        if (stamp != 0) {
          apart[n++] = stamp - Long.parseLong(line.substring(gap + 1));
        }
      }
      assertThat(capture.waitFor()).isZero();
      long[] sorted = Arrays.copyOf(apart, n);
      Arrays.sort(sorted);
      System.out.printf(
          "bench: %,d of %,d echoes have both stamps; the client's less the capture's: least %,d ns, p50 %,d ns, p99 %,d ns, most %,d ns%n",
          n, ECHOES, sorted[0], sorted[n / 2], sorted[n / 100 * 99], sorted[n - 1]);
      // The first few may come before the kernel has begun to stamp.
      assertThat(n).isGreaterThan(ECHOES * 99 / 100);
      assertThat(sorted[0]).as("a packet arrives after it left").isNotNegative();
      assertThat(sorted[n / 100 * 99]).isLessThan(5_000);
    }
  }

  /** The stamp of each echo, one after the other over one connection; 0 = it had none. */
  private static long[] echoes(int port) {
    SystemCalls sys = new SystemCalls();
    MemorySegment message = Arena.ofAuto().allocate(Measured.MESSAGE_BYTES, 8);
    StampedReads reads = new StampedReads(Arena.ofAuto().allocate(4_096, 8));
    long[] stamps = new long[ECHOES];
    int fd = sys.tcpSocket();
    try (Epoll epoll = Epoll.open(sys, 1)) {
      sys.setOption(fd, SystemCalls.IPPROTO_TCP, SystemCalls.TCP_NODELAY, 1);
      assertThat(StampedReads.ask(sys, fd)).isZero();
      sys.connect(fd, SocketAddress.of("127.0.0.1", port));
      epoll.add(fd, Epoll.IN | Epoll.OUT | Epoll.EDGE, 0);
      epoll.await(1_000_000_000L);
      for (int i = 0; i < ECHOES; i++) {
        message.set(JAVA_LONG, 0, i);
        assertThat(sys.write(fd, message, Measured.MESSAGE_BYTES)).isEqualTo(Measured.MESSAGE_BYTES);
        for (int got = 0; got < Measured.MESSAGE_BYTES; ) {
          int n = reads.read(fd);
          if (n > 0) {
            got += n;
          } else {
            epoll.await(1_000_000_000L);
          }
        }
        stamps[i] = reads.stampNs();
      }
    } catch (UnknownHostException e) {
      throw new AssertionError(e);
    } finally {
      sys.close(fd);
    }
    return stamps;
  }
}
