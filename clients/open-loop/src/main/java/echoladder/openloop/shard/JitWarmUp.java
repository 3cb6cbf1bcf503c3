package echoladder.openloop.shard;

import echoladder.client.LoadPlan;
import echoladder.client.Schedule;
import echoladder.client.Target;
import echoladder.linux.process.DescriptorLimit;
import echoladder.linux.sockets.EphemeralPorts;
import echoladder.linux.sockets.SocketAddress;
import echoladder.linux.sockets.SystemCalls;
import echoladder.openloop.codec.HttpCodec;
import echoladder.openloop.codec.HttpExchange;
import echoladder.openloop.connection.Addresses;
import echoladder.openloop.connection.PlanNotPossible;
import echoladder.openloop.result.Counters;
import java.io.IOException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Runs the event loop's code, with what the plan speaks, until it is compiled, against a server thread in this very
 * process, before the first real connect: otherwise the first seconds of a ramp would time the client's own interpreter.
 */
final class JitWarmUp {
  private static final int CONNECTIONS = 512;
  // Past the 15,000 invocations at which HotSpot's defaults hand a method to C2, or the 2,000 where it has C1 alone.
  private static final int ECHOES = System.getProperty("java.vm.info", "").contains("emulated-client") ? 6_000 : 40_000;
  private static final long BOUND_NS = 3_000_000_000L;
  private static final long NOTICE_NS = 50_000_000L;

  private JitWarmUp() {}

  /**
   * Warms up for at most 3 s; a host on which even this fails will say why when the load itself begins.
   *
   * @return answers that were right
   */
  static long run(LoadPlan plan) {
    SystemCalls sys = new SystemCalls();
    int listener = sys.tcpSocket();
    if (listener < 0) {
      return 0;
    }
    long answered = 0;
    int connections = (int) Math.min(CONNECTIONS, DescriptorLimit.own().soft() / 8);
    Thread echo = null;
    try {
      if (sys.bind(listener, SocketAddress.of("127.0.0.1", 0)) == 0 && sys.listen(listener, CONNECTIONS) == 0) {
        int port = sys.localPort(listener);
        echo =
            Thread.ofPlatform()
                .daemon()
                .name("rehearsal-echo")
                .start(() -> new JitWarmUpServer(plan).serve(listener, connections, System.nanoTime() + BOUND_NS + 1_000_000_000L));
        answered = load(plan, port, connections);
      }
    } catch (UnknownHostException | PlanNotPossible e) {
      throw new IllegalStateException("loopback cannot be addressed", e);
    } catch (IOException e) {
      // The host is too busy for a warm-up; the load itself will say so.
    } finally {
      if (echo != null) {
        join(echo);
      }
      sys.close(listener);
    }
    return answered;
  }

  private static long load(LoadPlan plan, int port, int connections) throws IOException, PlanNotPossible {
    LoadPlan rehearsed =
        LoadPlan.builder(new Target("127.0.0.1", port), connections, 60_000, Duration.ofSeconds(3))
            .protocol(plan.protocol())
            .http(plan.http())
            // At this rate bursts would follow too soon.
            .schedule(plan.schedule().leastPeriodNs() > 0 ? Schedule.CONSTANT : plan.schedule())
            .messageBytes(Math.min(plan.messageBytes(), 1024))
            .connectsPerSecond(1_000_000)
            .build();
    Addresses addresses = Addresses.of(rehearsed, EphemeralPorts.read());
    // The bytes are those of the plan itself: were a kind of request new to the load, its ramp would compile the loop again.
    LocalShard.Codecs codecs =
        (loop, failures) ->
            plan.staged() == null ? loop.codec(failures) : new HttpCodec(connections, HttpExchange.of(plan), failures);
    try (LocalShard shard = new LocalShard(rehearsed, addresses, 0, 1, 1, codecs)) {
      PhaseAnnouncer announcement = new PhaseAnnouncer(List.of(shard), System::nanoTime);
      long end = announcement.make(NOTICE_NS, Shard::ramp) + BOUND_NS;
      await(end, () -> shard.status().rampDone());
      announcement.make(NOTICE_NS, (to, at) -> to.steady(at, end));
      announcement.make(NOTICE_NS, Shard::schedule);
      await(end, () -> shard.status().get(Counters.Of.ANSWERED_EVER) >= ECHOES);
      return shard.status().get(Counters.Of.ANSWERED_EVER);
    }
  }

  private static void await(long endNs, BooleanSupplier condition) {
    while (!condition.getAsBoolean() && System.nanoTime() < endNs) {
      try {
        Thread.sleep(5);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  private static void join(Thread thread) {
    try {
      thread.join(BOUND_NS / 1_000_000 + 2_000);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
