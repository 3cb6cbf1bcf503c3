package echoladder.openloop;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.openloop.result.Recorders;
import echoladder.openloop.result.TimeKind;
import echoladder.openloop.testserver.Answering;
import echoladder.openloop.testserver.TestServer;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

/** Coordinated omission: an open loop sees a stall in proportion to its length, a closed loop hardly at all. */
class StallTest {
  private static final Duration STALL = Duration.ofMillis(500);
  private static final Duration PERIOD = Duration.ofSeconds(2);
  /** Two periods, so that two stalls fall into it wherever it begins. */
  private static final Duration STEADY = PERIOD.multipliedBy(2);
  private static final double RATE_PER_S = 1_000;
  private static final int CONNECTIONS = 50;
  /** Slower than any answer outside a stall on a machine that works at all. */
  private static final long SLOW_NS = 100_000_000;

  @Test
  void anOpenLoopSeesTheStallAndAClosedLoopDoesNot() throws Exception {
    try (TestServer server = TestServer.start(Measured.MESSAGE_BYTES, Answering.stalling(STALL, PERIOD))) {
      Measured load = Measured.run(Measured.plan(server.target(), CONNECTIONS, RATE_PER_S, STEADY));
      // What is intended in the first (stall - slow) of each period waits for longer than slow.
      double expected = (double) (STALL.toNanos() - SLOW_NS) / PERIOD.toNanos();
      double open = Measured.shareFrom(load.responses(), SLOW_NS);
      assertThat(load.result().messages().unanswered()).isZero();
      assertThat(load.result().messages().scheduled()).isEqualTo(load.responses().getTotalCount());
      assertThat(open).isGreaterThan(expected * 0.95);
      assertThat(load.responses().getMaxValue()).isGreaterThan((long) (STALL.toNanos() * 0.95));

      // Waiting for the answer before the next send meets each stall with one message per connection.
      Histogram control = closedLoop(server, STEADY);
      assertThat(control.getMaxValue()).isGreaterThan(SLOW_NS);
      assertThat(Measured.shareFrom(control, SLOW_NS)).isLessThan(open / 5);

      // The same data as service time, from the actual send, is what a closed loop would make of it.
      assertThat(Measured.shareFrom(load.times(TimeKind.SERVICE), SLOW_NS)).isLessThan(open / 2);
    }
  }

  /** One connection, about as many messages per second: send, wait, sleep, send. */
  private static Histogram closedLoop(TestServer server, Duration duration) throws IOException {
    Histogram times = Recorders.emptyHistogram();
    byte[] message = new byte[Measured.MESSAGE_BYTES];
    long endNs = System.nanoTime() + duration.toNanos();
    try (Socket socket = new Socket(server.target().host(), server.target().port())) {
      socket.setTcpNoDelay(true);
      DataInputStream in = new DataInputStream(socket.getInputStream());
      while (System.nanoTime() < endNs) {
        long sentNs = System.nanoTime();
        socket.getOutputStream().write(message);
        in.readFully(message);
        times.recordValue(System.nanoTime() - sentNs);
        LockSupport.parkNanos((long) (1e9 / RATE_PER_S));
      }
    }
    return times;
  }
}
