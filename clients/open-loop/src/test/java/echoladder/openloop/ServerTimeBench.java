package echoladder.openloop;

import static org.assertj.core.api.Assertions.assertThat;

import echoladder.client.LoadListener;
import echoladder.client.LoadPlan;
import echoladder.client.Phase;
import echoladder.client.Progress;
import echoladder.client.Target;
import echoladder.linux.sockets.SystemCalls;
import echoladder.openloop.result.TimeKind;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * How near server times come to what a server did, and that they stay what they were whatever is done to the client. With
 * {@code bench.pinned=true} alone, on a machine that is left alone: servers are on processor 0, clients and what disturbs them on 1.
 */
class ServerTimeBench {
  private static final int CONNECTIONS = 1_000;
  private static final int RATE_PER_S = 1_000;
  private static final Duration STEADY = Duration.ofSeconds(Integer.getInteger("bench.seconds", 20));
  private static final int SIGSTOP = 19;
  private static final int SIGCONT = 18;
  private static final int SPINNERS = 2;

  @TempDir private Path folder = Path.of("");

  @BeforeEach
  void eachSideHasAProcessor() {
    Assumptions.assumeTrue(BenchPairs.PINNED, "SKIPPED: without -Dbench.pinned=true the client's work delays the server");
  }

  /** Runs a load; {@code disturbance} is given the client's pid as the steady state begins, and is ended by an interrupt with it. */
  private Measured run(Target target, LongConsumer disturbance) throws Exception {
    LoadPlan plan =
        LoadPlan.builder(target, CONNECTIONS, RATE_PER_S, STEADY)
            .messageBytes(Measured.MESSAGE_BYTES)
            .warmUp(Duration.ofSeconds(5), Duration.ofSeconds(5), 0)
            .build();
    Path log = folder.resolve("load.hlog");
    OpenLoopClient client =
        new OpenLoopClient(BenchPairs.atClients(ClientProcess.measuredJavaCommand()), folder.resolve("client.log"));
    Disturbing disturbing = new Disturbing(client, disturbance);
    var result = client.run(plan, log, disturbing);
    return new Measured(result, Measured.read(log));
  }

  private static final class Disturbing implements LoadListener {
    private final OpenLoopClient client;
    private final LongConsumer disturbance;
    private Thread thread = Thread.ofPlatform().unstarted(() -> {});

    Disturbing(OpenLoopClient client, LongConsumer disturbance) {
      this.client = client;
      this.disturbance = disturbance;
    }

    @Override
    public void phase(Phase phase, long monotonicNs) {
      if (phase == Phase.STEADY) {
        long pid = Objects.requireNonNull(client.process()).pid();
        thread = Thread.ofPlatform().daemon().start(() -> disturbance.accept(pid));
      } else if (phase == Phase.DRAIN) {
        thread.interrupt();
        try {
          thread.join();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      }
    }

    @Override
    public void progress(Progress progress) {}
  }

  private static void line(String what, Measured load) {
    System.out.printf(
        "bench: %-28s server %s   response %s   lateness %s   receive delay %s   stamped %.4f shared %d dropped %d%n", what,
        text(load.times(TimeKind.SERVER)), text(load.responses()), text(load.times(TimeKind.LATENESS)), text(load.times(TimeKind.RECEIVE_DELAY)),
        load.result().times().stamps().stampedShare(), load.result().times().stamps().stampsShared(),
        load.result().times().stamps().stampsDropped());
  }

  private static String text(Histogram times) {
    return "%.1f / %.1f / %.1f us"
        .formatted(us(times, 50), us(times, 99), us(times, 99.9));
  }

  private static double us(Histogram times, double percent) {
    return times.getValueAtPercentile(percent) / 1e3;
  }

  /** What a load showed of a server whose delays are known, and the delays that this server made. */
  private record Seen(OtherWork others, Measured load, DelayServer.Made made) {}

  /** Loads a server with those delays: the options of {@link DelayServer#start}. */
  private Seen seen(String what, String... delays) throws Exception {
    OtherWork others = OtherWork.besides();
    DelayServer server = DelayServer.start(delays);
    Measured load = run(server.target(), pid -> {});
    DelayServer.Made made = server.end();
    line(what, load);
    return new Seen(others, load, made);
  }

  @Test
  void aKnownDelayIsSeenToWithin50us() throws Exception {
    Seen seen = seen("delay of 2 ms", "2000", "0", "0", "0", "0");
    double off = us(seen.load.times(TimeKind.SERVER), 50) - seen.made.p50Ns() / 1e3;
    System.out.printf("bench: p50 of server time less p50 of the server's own record: %.1f us%n", off);
    seen.others.assumeLittle();
    assertThat(off).isBetween(-2.0, 50.0);
  }

  @Test
  void aKnownDistributionIsSeenToWithin50us() throws Exception {
    Seen seen = seen("80 % 0.5 ms, 20 % 20 ms", "500", "0.2", "20000", "0", "0");
    double fast = us(seen.load.times(TimeKind.SERVER), 50) - seen.made.p50Ns() / 1e3;
    double slow = us(seen.load.times(TimeKind.SERVER), 90) - seen.made.p90Ns() / 1e3;
    System.out.printf("bench: server time less the server's own record: p50 %.1f us, p90 %.1f us%n", fast, slow);
    seen.others.assumeLittle();
    // Three digits of 20 ms are 20 us.
    assertThat(fast).isBetween(-2.0, 50.0);
    assertThat(slow).isBetween(-22.0, 50.0);
  }

  /** The server stalls for the first 100 ms of each second: 9 % of the messages take over 10 ms, and the longest takes 100 ms. */
  @Test
  void aStallIsSeenToWithin50us() throws Exception {
    Seen seen = seen("stall of 100 ms each second", "100", "0", "0", "100", "1000");
    double share = Measured.shareFrom(seen.load.times(TimeKind.SERVER), 10_000_000);
    double most = us(seen.load.times(TimeKind.SERVER), 100) - 100_000;
    System.out.printf("bench: %.3f %% take over 10 ms, arithmetic 9 %%; the longest less 100 ms: %.1f us%n", 100 * share, most);
    seen.others.assumeLittle();
    assertThat(share).isBetween(0.0855, 0.0945);
  }

  /** Keeps the client from its work for 50 ms of each second. */
  private static void stopped50ms(long pid) {
    SystemCalls sys = new SystemCalls();
    while (!Thread.interrupted()) {
      pause(950);
      sys.kill((int) pid, SIGSTOP);
      sleepThrough(50);
      sys.kill((int) pid, SIGCONT);
    }
  }

  /** Lets the client run for 2 ms of each 20 ms. */
  private static void starvedToATenth(long pid) {
    SystemCalls sys = new SystemCalls();
    while (!Thread.interrupted()) {
      sys.kill((int) pid, SIGSTOP);
      sleepThrough(18);
      sys.kill((int) pid, SIGCONT);
      pause(2);
    }
  }

  private static void besideSpinners(long pid) {
    List<Process> spinners = new ArrayList<>();
    try {
      for (int i = 0; i < SPINNERS; i++) {
        spinners.add(new ProcessBuilder(BenchPairs.atClients(List.of("sh", "-c", "while :; do :; done"))).start());
      }
      while (!Thread.interrupted()) {
        pause(100);
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    } finally {
      spinners.forEach(Process::destroyForcibly);
    }
  }

  /** An interrupt ends it early, and stays to be seen. */
  private static void pause(long ms) {
    LockSupport.parkNanos(ms * 1_000_000);
  }

  /** No interrupt ends it: what is stopped has to go on. */
  private static void sleepThrough(long ms) {
    long end = System.nanoTime() + ms * 1_000_000;
    boolean interrupted = false;
    for (long left = ms * 1_000_000; left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
      interrupted |= Thread.interrupted();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** p50 within 10 % and p99 within 20 % of the quiet run, unless others were at work. */
  private void staysAsItWas(String what, LongConsumer disturbance) throws Exception {
    try (FloorProcess floor = FloorProcess.start(1, BenchPairs.atServers())) {
      run(floor.target(), pid -> {});
      OtherWork others = OtherWork.besides(floor.pid());
      Measured quiet = run(floor.target(), pid -> {});
      others.assumeLittle();
      Measured disturbed = run(floor.target(), disturbance);
      line("quiet", quiet);
      line(what, disturbed);
      double p50 = us(disturbed.times(TimeKind.SERVER), 50) / us(quiet.times(TimeKind.SERVER), 50);
      double p99 = us(disturbed.times(TimeKind.SERVER), 99) / us(quiet.times(TimeKind.SERVER), 99);
      System.out.printf("bench: client %s: server time p50 %.3f and p99 %.3f times the quiet run's%n", what, p50, p99);
      assertThat(disturbed.times(TimeKind.LATENESS).getValueAtPercentile(99)).isGreaterThan(1_000_000);
      assertThat(p50).isBetween(0.9, 1.1);
      assertThat(p99).isBetween(0.8, 1.2);
    }
  }

  @Test
  void aClientThatIsStoppedMakesNoServerTime() throws Exception {
    staysAsItWas("stopped 50 ms each second", ServerTimeBench::stopped50ms);
  }

  @Test
  void aClientThatIsStarvedMakesNoServerTime() throws Exception {
    staysAsItWas("with a tenth of a core", ServerTimeBench::starvedToATenth);
  }

  @Test
  void aClientBesideSpinnersMakesNoServerTime() throws Exception {
    staysAsItWas("beside two that spin", ServerTimeBench::besideSpinners);
  }
}
