package echoladder.servers.kit;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Who has subscribed to which topic. A topic has one lock, under which the publisher's thread hands a message to each subscriber:
 * so all of them see one order, and a message is due to exactly those who were told SUBSCRIBED before and not LEFT. Thread-safe.
 */
final class PushTopics {
  private final ConcurrentHashMap<Integer, Topic> topics = new ConcurrentHashMap<>();
  private final PushMetrics metrics;

  PushTopics(PushMetrics metrics) {
    this.metrics = metrics;
  }

  /** A topic with its subscribers; it exists while it has some. */
  private static final class Topic {
    private final int id;
    private final ReentrantLock lock = new ReentrantLock();
    private final List<Subscription> subscribers = new ArrayList<>(1);
    private boolean gone;

    Topic(int id) {
      this.id = id;
    }
  }

  /** A connection's place among the subscribers of a topic. Those of one connection are linked; its thread follows them. */
  static final class Subscription {
    private final Topic topic;
    private final PushOutbox outbox;
    private int index;
    @Nullable Subscription next;

    private Subscription(Topic topic, PushOutbox outbox) {
      this.topic = topic;
      this.outbox = outbox;
    }

    /** The topic's number. */
    int topic() {
      return topic.id;
    }
  }

  /** Has every later publish to the topic handed to {@code outbox}, behind a SUBSCRIBED. */
  Subscription subscribe(int id, PushOutbox outbox) {
    while (true) {
      Topic topic = topics.computeIfAbsent(id, Topic::new);
      topic.lock.lock();
      try {
        if (!topic.gone) {
          Subscription subscription = new Subscription(topic, outbox);
          subscription.index = topic.subscribers.size();
          topic.subscribers.add(subscription);
          metrics.subscriptions(1);
          outbox.reply(PushFrames.reply(PushFrames.SUBSCRIBED, id));
          return subscription;
        }
      } finally {
        topic.lock.unlock();
      }
    }
  }

  /** Has no later publish handed over. */
  void leave(Subscription subscription, boolean saysLeft) {
    Topic topic = subscription.topic;
    topic.lock.lock();
    try {
      // The last one takes the place, as the order of subscribers is nobody's business.
      Subscription last = topic.subscribers.removeLast();
      if (last != subscription) {
        topic.subscribers.set(subscription.index, last);
        last.index = subscription.index;
      }
      metrics.subscriptions(-1);
      if (saysLeft) {
        subscription.outbox.reply(PushFrames.reply(PushFrames.LEFT, topic.id));
      }
      if (topic.subscribers.isEmpty()) {
        topic.gone = true;
        topics.remove(topic.id, topic);
      }
    } finally {
      topic.lock.unlock();
    }
  }

  /** Hands a message to each subscriber of its topic; gives how many took it. */
  int publish(byte[] message) {
    Topic topic = topics.get(PushFrames.topic(message));
    if (topic == null) {
      return 0;
    }
    topic.lock.lock();
    try {
      int took = 0;
      for (Subscription subscription : topic.subscribers) {
        if (subscription.outbox.message(message)) {
          took++;
        }
      }
      return took;
    } finally {
      topic.lock.unlock();
    }
  }
}
