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
public final class PushTopics {
  private final ConcurrentHashMap<Integer, Topic> topics = new ConcurrentHashMap<>();
  private final PushMetrics metrics;

  /** Topics without a subscriber. */
  public PushTopics(PushMetrics metrics) {
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
  public static final class Subscription {
    private final Topic topic;
    private final PushReceiver receiver;
    private int index;
    @Nullable Subscription next;

    private Subscription(Topic topic, PushReceiver receiver) {
      this.topic = topic;
      this.receiver = receiver;
    }

    /** The topic's number. */
    int topic() {
      return topic.id;
    }
  }

  /** Has every later publish to the topic handed to {@code receiver}, behind a SUBSCRIBED. */
  public Subscription subscribe(int id, PushReceiver receiver) {
    while (true) {
      Topic topic = topics.computeIfAbsent(id, Topic::new);
      topic.lock.lock();
      try {
        if (!topic.gone) {
          Subscription subscription = new Subscription(topic, receiver);
          subscription.index = topic.subscribers.size();
          topic.subscribers.add(subscription);
          metrics.subscriptions(1);
          receiver.reply(PushFrames.reply(PushFrames.SUBSCRIBED, id));
          return subscription;
        }
      } finally {
        topic.lock.unlock();
      }
    }
  }

  /** Has no later publish handed over. */
  public void leave(Subscription subscription, boolean saysLeft) {
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
        subscription.receiver.reply(PushFrames.reply(PushFrames.LEFT, topic.id));
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
  public int publish(int id, byte[] message) {
    metrics.published();
    Topic topic = topics.get(id);
    if (topic == null) {
      return 0;
    }
    topic.lock.lock();
    try {
      int took = 0;
      for (Subscription subscription : topic.subscribers) {
        if (subscription.receiver.message(message)) {
          took++;
        }
      }
      return took;
    } finally {
      topic.lock.unlock();
    }
  }
}
