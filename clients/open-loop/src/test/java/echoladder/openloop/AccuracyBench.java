package echoladder.openloop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import echoladder.client.LoadListener;
import echoladder.client.LoadPlan;
import echoladder.client.Phase;
import echoladder.client.Progress;
import echoladder.client.Target;
import echoladder.openloop.testserver.Answering;
import echoladder.openloop.testserver.TestServer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How near the client's figures come to what the server did, on a machine that is left alone meanwhile. */
class AccuracyBench {
  private static final double NS_PER_MS = 1e6;

  @TempDir private Path folder = Path.of("");

  private Measured run(Target target, Duration steady) throws IOException {
    LoadPlan plan =
        LoadPlan.builder(target, 200, 1_000, steady)
            .messageBytes(Measured.MESSAGE_BYTES)
            .warmUp(Duration.ofSeconds(1), Duration.ofSeconds(1), 0)
            .build();
    Path log = folder.resolve("load.hlog");
    OpenLoopClient client = new OpenLoopClient(ClientProcess.measuredJavaCommand(), folder.resolve("client.log"));
    return new Measured(client.run(plan, log, SILENT), Measured.read(log));
  }

  private static final LoadListener SILENT =
      new LoadListener() {
        @Override
        public void phase(Phase phase, long monotonicNs) {}

        @Override
        public void progress(Progress progress) {}
      };

  private static double quantileMs(long[] sortedNs, double q) {
    return sortedNs[(int) Math.min(sortedNs.length - 1, Math.round(q * sortedNs.length))] / NS_PER_MS;
  }

  private void compare(String what, TestServer server, double... quantiles) throws IOException {
    OtherWork others = OtherWork.besides();
    Histogram responses = run(server.target(), Duration.ofSeconds(5)).responses();
    long[] made = server.record().sortedDelaysNs();
    double worst = 0;
    for (double q : quantiles) {
      double seen = responses.getValueAtPercentile(q * 100) / NS_PER_MS;
      double difference = seen - quantileMs(made, q);
      worst = Math.max(worst, Math.abs(difference));
      System.out.printf(
          "bench: %-22s p%-4.0f server's record %8.3f ms, client %8.3f ms, difference %6.3f ms%n",
          what, q * 100, quantileMs(made, q), seen, difference);
    }
    others.assumeLittle();
    assertThat(worst).as("%s: largest difference in ms", what).isLessThanOrEqualTo(1.0);
  }

  @Test
  void aFixedDelayIsSeenToWithinAMillisecond() throws Exception {
    try (TestServer server = TestServer.start(Measured.MESSAGE_BYTES, Answering.after(Duration.ofMillis(20)))) {
      compare("20 ms", server, 0.5);
    }
  }

  @Test
  void aDistributionIsSeenToWithinAMillisecond() throws Exception {
    Answering answering = Answering.twoPoint(Duration.ofMillis(2), 0.1, Duration.ofMillis(50), 7);
    try (TestServer server = TestServer.start(Measured.MESSAGE_BYTES, answering)) {
      compare("90 % 2 ms, 10 % 50 ms", server, 0.5, 0.8, 0.95);
    }
  }

  @Test
  void theShareOfAStallIsThatOfTheArithmetic() throws Exception {
    Duration stall = Duration.ofMillis(500);
    Duration period = Duration.ofSeconds(5);
    long slowNs = 100_000_000;
    try (TestServer server = TestServer.start(Measured.MESSAGE_BYTES, Answering.stalling(stall, period))) {
      OtherWork others = OtherWork.besides();
      Histogram responses = run(server.target(), period).responses();
      // Intended in the first 400 ms of 500, of every 5 s: slower than 100 ms.
      double expected = (double) (stall.toNanos() - slowNs) / period.toNanos();
      double seen = Measured.shareFrom(responses, slowNs);
      System.out.printf(
          "bench: stall of 500 ms each 5 s: %.3f %% slower than 100 ms, arithmetic %.3f %%, ratio %.3f%n",
          100 * seen, 100 * expected, seen / expected);
      others.assumeLittle();
      assertThat(seen / expected).isCloseTo(1, within(0.1));
    }
  }
}
