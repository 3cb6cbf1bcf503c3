package echoladder.openloop;

import echoladder.client.LoadPlan;
import echoladder.client.Target;
import echoladder.linux.DescriptorLimit;
import echoladder.linux.EphemeralPorts;
import echoladder.linux.Epoll;
import echoladder.linux.Errno;
import echoladder.linux.SocketAddress;
import echoladder.linux.SystemCalls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * Runs the event loop's code (with the plain echo's bytes) until it is compiled, against an echo thread in this very
 * process, before the first real connect: otherwise the first seconds of a ramp would time the client's own interpreter.
 */
final class Rehearsal {
  private static final int CONNECTIONS = 512;
  // Past the 15,000 invocations at which HotSpot's defaults hand a method to C2.
  private static final int ECHOES = 40_000;
  private static final long BOUND_NS = 3_000_000_000L;

  private Rehearsal() {}

  /** Rehearses for at most 3 s; a host on which even this fails will say why when the load itself begins. */
  static void run(LoadPlan plan) {
    SystemCalls sys = new SystemCalls();
    int listener = sys.tcpSocket();
    if (listener < 0) {
      return;
    }
    int connections = (int) Math.min(CONNECTIONS, DescriptorLimit.own().soft() / 8);
    Thread echo = null;
    try {
      if (sys.bind(listener, SocketAddress.of("127.0.0.1", 0)) == 0 && sys.listen(listener, CONNECTIONS) == 0) {
        int port = sys.localPort(listener);
        echo = Thread.ofPlatform().daemon().name("rehearsal-echo").start(() -> echo(listener, connections));
        load(plan, port, connections);
      }
    } catch (UnknownHostException | PlanNotPossible e) {
      throw new IllegalStateException("loopback cannot be addressed", e);
    } finally {
      if (echo != null) {
        join(echo);
      }
      sys.close(listener);
    }
  }

  private static void load(LoadPlan plan, int port, int connections) throws PlanNotPossible {
    LoadPlan rehearsed =
        LoadPlan.builder(new Target("127.0.0.1", port), connections, 60_000, Duration.ofSeconds(3))
            .schedule(plan.schedule())
            .messageBytes(Math.min(plan.messageBytes(), 1024))
            .connectsPerSecond(1_000_000)
            .build();
    Addresses addresses = Addresses.of(rehearsed, EphemeralPorts.read());
    try (LocalShard shard = new LocalShard(rehearsed, addresses, 0, 1, 1)) {
      long end = System.nanoTime() + BOUND_NS;
      shard.ramp(System.nanoTime());
      await(end, () -> shard.status().rampDone());
      shard.steady(System.nanoTime(), end);
      shard.schedule(System.nanoTime());
      await(end, () -> shard.status().get(Tally.Of.ANSWERED_EVER) >= ECHOES);
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

  /** Echoes until every one of the connections has come and gone, or for as long as a rehearsal may take. */
  private static void echo(int listener, int connections) {
    SystemCalls sys = new SystemCalls();
    MemorySegment buffer = Arena.ofAuto().allocate(64 << 10, 64);
    long end = System.nanoTime() + BOUND_NS + 1_000_000_000L;
    int gone = 0;
    try (Epoll epoll = Epoll.open(sys, 256)) {
      epoll.add(listener, Epoll.IN, listener);
      while (gone < connections && System.nanoTime() < end) {
        int n = epoll.await(100_000_000);
        for (int i = 0; i < n; i++) {
          int fd = epoll.token(i);
          if (fd == listener) {
            int accepted = sys.accept(listener);
            if (accepted >= 0 && epoll.add(accepted, Epoll.IN, accepted) < 0) {
              sys.close(accepted);
            }
          } else {
            int bytes = sys.read(fd, buffer, 64 << 10);
            // A rehearsal's messages are small and few at a time: a socket never lacks room for them.
            if (bytes > 0) {
              bytes = sys.write(fd, buffer, bytes);
            }
            if (bytes <= 0 && bytes != -Errno.EAGAIN) {
              sys.close(fd);
              gone++;
            }
          }
        }
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
