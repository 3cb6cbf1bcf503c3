package echoladder.servers.netty;

import echoladder.servers.kit.PushMetrics;
import echoladder.servers.kit.options.PushOptions;
import io.netty.buffer.ByteBuf;
import io.netty.util.concurrent.EventExecutor;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Hands what is published to the event loops, each of which hands it to its own subscribers. One lock orders the publishes: as each
 * loop takes them in that order, all subscribers see one order. No subscriber is touched by another thread than its loop's.
 */
final class PushHub {
  final PushOptions options;
  final PushMetrics metrics;
  private final List<OnLoop> loops = new ArrayList<>();

  PushHub(PushOptions options, PrometheusRegistry registry) {
    this.options = options;
    this.metrics = new PushMetrics(registry);
  }

  /** A connection's place among the subscribers of a topic. */
  static final class Subscription {
    final int topic;
    private final SubscriberHandler handler;
    private int index;

    private Subscription(int topic, SubscriberHandler handler) {
      this.topic = topic;
      this.handler = handler;
    }
  }

  /** The subscribers on one event loop, by topic; for that loop's thread. */
  final class OnLoop {
    private final EventExecutor loop;
    private final Map<Integer, List<Subscription>> topics = new HashMap<>();
    private final Queue<Publish> due = new ConcurrentLinkedQueue<>();

    private OnLoop(EventExecutor loop) {
      this.loop = loop;
    }

    /** Has every later publish to the topic handed to the connection. */
    Subscription subscribe(int topic, SubscriberHandler handler) {
      List<Subscription> subscribers = topics.computeIfAbsent(topic, t -> new ArrayList<>(1));
      Subscription added = new Subscription(topic, handler);
      added.index = subscribers.size();
      subscribers.add(added);
      metrics.subscriptions(1);
      return added;
    }

    /** Has no later publish handed over. */
    void leave(Subscription subscription) {
      List<Subscription> subscribers = topics.get(subscription.topic);
      if (subscribers == null) {
        throw new IllegalStateException("topic " + subscription.topic + " has lost its subscribers");
      }
      // The last one takes the place, as the order of subscribers is nobody's business.
      Subscription last = subscribers.removeLast();
      if (last != subscription) {
        subscribers.set(subscription.index, last);
        last.index = subscription.index;
      }
      if (subscribers.isEmpty()) {
        topics.remove(subscription.topic);
      }
      metrics.subscriptions(-1);
    }

    private void deliverAll() {
      for (Publish next; (next = due.poll()) != null; ) {
        deliver(next);
      }
    }

    private void deliver(Publish publish) {
      int took = 0;
      // A connection that ends meanwhile leaves by a later task of this loop.
      for (Subscription subscription : topics.getOrDefault(publish.topic, List.of())) {
        if (subscription.handler.message(publish.message)) {
          took++;
        }
      }
      publish.done(took);
    }
  }

  /** The subscribers on a connection's event loop. */
  OnLoop on(EventExecutor loop) {
    synchronized (loops) {
      for (OnLoop known : loops) {
        if (known.loop.equals(loop)) {
          return known;
        }
      }
      OnLoop added = new OnLoop(loop);
      loops.add(added);
      return added;
    }
  }

  /**
   * Hands a message to all loops and releases it, on the publisher's own loop. This loop has delivered when the method returns, so that
   * what the publisher asks for next comes behind. The publisher hears of it when the last loop has, in the order of its publishes.
   */
  void publish(SubscriberHandler publisher, OnLoop own, ByteBuf message, int topic) {
    metrics.published();
    synchronized (loops) {
      Publish publish = new Publish(publisher, message, topic, loops.size());
      for (OnLoop each : loops) {
        each.due.add(publish);
        if (each != own) {
          each.loop.execute(each::deliverAll);
        }
      }
    }
    own.deliverAll();
  }

  /** A message on its way through the loops. */
  private static final class Publish {
    private final SubscriberHandler publisher;
    private final ByteBuf message;
    private final int topic;
    private final AtomicInteger loopsLeft;
    private final AtomicInteger took = new AtomicInteger();

    Publish(SubscriberHandler publisher, ByteBuf message, int topic, int loops) {
      this.publisher = publisher;
      this.message = message;
      this.topic = topic;
      this.loopsLeft = new AtomicInteger(loops);
    }

    void done(int tookHere) {
      took.addAndGet(tookHere);
      if (loopsLeft.decrementAndGet() == 0) {
        message.release();
        publisher.published(topic, took.get());
      }
    }
  }
}
