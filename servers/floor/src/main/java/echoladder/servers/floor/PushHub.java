package echoladder.servers.floor;

import echoladder.linux.sockets.SystemCalls;
import echoladder.servers.kit.PushMetrics;
import echoladder.servers.kit.options.PushOptions;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Hands what is published to every loop, each of which writes to its own subscribers. One lock orders the publishes: as each loop
 * takes them in that order, all subscribers see one order.
 */
final class PushHub {
  final PushOptions options;
  final PushMetrics metrics;
  private final List<PushLoop> loops = new ArrayList<>();

  PushHub(PushOptions options, PrometheusRegistry registry) {
    this.options = options;
    this.metrics = new PushMetrics(registry);
  }

  /** A message on its way through the loops. */
  static final class Publish {
    final byte[] message;
    private final PushLoop.Peer publisher;
    private final AtomicInteger loopsLeft;
    private final AtomicInteger took = new AtomicInteger();

    private Publish(byte[] message, PushLoop.Peer publisher, int loops) {
      this.message = message;
      this.publisher = publisher;
      this.loopsLeft = new AtomicInteger(loops);
    }

    /** One loop has handed it over; after the last one the publisher's loop is told, in the order of the publishes. */
    void done(int tookHere, SystemCalls sys) {
      took.addAndGet(tookHere);
      if (loopsLeft.decrementAndGet() == 0) {
        publisher.loop().later(() -> publisher.published(message, took.get()), sys);
      }
    }
  }

  void add(PushLoop loop) {
    synchronized (loops) {
      loops.add(loop);
    }
  }

  /** The loop will do nothing more. */
  void remove(PushLoop loop) {
    synchronized (loops) {
      loops.remove(loop);
    }
  }

  /** Hands a message to all loops, by the system calls of the publisher's thread. */
  void publish(byte[] message, PushLoop.Peer publisher, SystemCalls sys) {
    metrics.published();
    synchronized (loops) {
      Publish publish = new Publish(message, publisher, loops.size());
      for (PushLoop loop : loops) {
        loop.later(() -> loop.deliver(publish), sys);
      }
    }
  }
}
