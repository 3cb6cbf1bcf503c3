package echoladder.servers.micronauthttp;

import echoladder.servers.kit.EchoContext;
import echoladder.servers.kit.PushMetrics;
import echoladder.servers.kit.options.PushOptions;
import io.micronaut.context.annotation.Requires;
import io.netty.util.concurrent.EventExecutor;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;

/**
 * Hands what is published to the event loops, each of which hands it to its own subscribers. One lock orders the publishes: as each
 * loop takes them in that order, all subscribers see one order. No subscriber is touched by another thread than its loop's.
 */
@Singleton
@Requires(property = Configuration.TRAFFIC, value = Configuration.PUSH)
final class PushHub {
  final PushOptions options;
  final PushMetrics metrics;
  private final List<OnLoop> loops = new ArrayList<>();

  PushHub(EchoContext context, PushOptions options) {
    this.options = options;
    this.metrics = new PushMetrics(context.registry());
  }

  /** A connection's place among the subscribers of a topic, for the thread of its event loop. */
  static final class Subscription {
    final int topic;
    private final OnLoop on;
    private final Mailbox mailbox;
    private int index;

    private Subscription(OnLoop on, int topic, Mailbox mailbox) {
      this.on = on;
      this.topic = topic;
      this.mailbox = mailbox;
    }

    /** Has no later publish handed over. Not while one is. */
    void leave() {
      on.leave(this);
    }
  }

  /** The subscribers on one event loop, by topic; for that loop's thread. */
  private final class OnLoop {
    private final EventExecutor loop;
    private final Map<Integer, List<Subscription>> topics = new HashMap<>();
    private final Queue<Publish> due = new ConcurrentLinkedQueue<>();

    OnLoop(EventExecutor loop) {
      this.loop = loop;
    }

    Subscription subscribe(int topic, Mailbox mailbox) {
      List<Subscription> subscribers = topics.computeIfAbsent(topic, t -> new ArrayList<>(1));
      Subscription added = new Subscription(this, topic, mailbox);
      added.index = subscribers.size();
      subscribers.add(added);
      metrics.subscriptions(1);
      return added;
    }

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

    void deliverAll() {
      for (Publish next; (next = due.poll()) != null; ) {
        deliver(next);
      }
    }

    private void deliver(Publish publish) {
      int took = 0;
      try {
        // A connection that ends meanwhile leaves by a later task of this loop.
        for (Subscription subscription : topics.getOrDefault(publish.topic, List.of())) {
          if (subscription.mailbox.message(publish.message)) {
            took++;
          }
        }
      } finally {
        publish.done(took);
      }
    }
  }

  /** Has every later publish to the topic handed to the connection, on its own event loop. */
  Subscription subscribe(EventExecutor loop, int topic, Mailbox mailbox) {
    return on(loop).subscribe(topic, mailbox);
  }

  private OnLoop on(EventExecutor loop) {
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
   * Hands a message to all loops, on any thread. Where that is one of the loops, this one has delivered when the method returns, so that
   * what the publisher asks for next comes behind.
   *
   * @param took told when the last loop has delivered, on its thread, to how many; in the order of one publisher's publishes
   */
  void publish(int topic, Outgoing message, IntConsumer took) {
    metrics.published();
    OnLoop own = null;
    boolean nobody;
    synchronized (loops) {
      nobody = loops.isEmpty();
      Publish publish = new Publish(message, topic, loops.size(), took);
      for (OnLoop each : loops) {
        each.due.add(publish);
        if (each.loop.inEventLoop()) {
          own = each;
        } else {
          each.loop.execute(each::deliverAll);
        }
      }
    }
    if (own != null) {
      own.deliverAll();
    } else if (nobody) {
      took.accept(0);
    }
  }

  /** A message on its way through the loops. */
  private static final class Publish {
    private final Outgoing message;
    private final int topic;
    private final AtomicInteger loopsLeft;
    private final AtomicInteger tookSoFar = new AtomicInteger();
    private final IntConsumer took;

    Publish(Outgoing message, int topic, int loops, IntConsumer took) {
      this.message = message;
      this.topic = topic;
      this.loopsLeft = new AtomicInteger(loops);
      this.took = took;
    }

    void done(int tookHere) {
      tookSoFar.addAndGet(tookHere);
      if (loopsLeft.decrementAndGet() == 0) {
        took.accept(tookSoFar.get());
      }
    }
  }
}
