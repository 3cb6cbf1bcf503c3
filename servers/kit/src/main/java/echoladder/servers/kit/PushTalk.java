package echoladder.servers.kit;

import echoladder.servers.kit.PushTopics.Subscription;
import echoladder.servers.kit.options.PushOptions;
import org.jspecify.annotations.Nullable;

/** What one connection has subscribed to, and what its frames do. For one thread at a time. */
public class PushTalk {
  private final PushTopics topics;
  private @Nullable Subscription subscriptions;
  private int subscriptionCount;

  /** A connection without a subscription. */
  protected PushTalk(PushTopics topics) {
    this.topics = topics;
  }

  /** Takes a frame of the client, with its length in front, once {@code out} has room for the reply. */
  protected final void take(byte[] frame, PushReceiver out) throws PushFrames.Malformed {
    out.awaitRoom();
    int topic = PushFrames.topic(frame);
    switch (PushFrames.kind(frame)) {
      case PushFrames.SUBSCRIBE -> subscribe(topic, out);
      case PushFrames.LEAVE -> leave(topic, out);
      default -> out.reply(PushFrames.published(topic, topics.publish(topic, PushFrames.toMessage(frame))));
    }
  }

  private void subscribe(int topic, PushReceiver out) throws PushFrames.Malformed {
    for (Subscription s = subscriptions; s != null; s = s.next) {
      if (s.topic() == topic) {
        out.reply(PushFrames.reply(PushFrames.SUBSCRIBED, topic));
        return;
      }
    }
    if (subscriptionCount == PushOptions.MOST_SUBSCRIPTIONS) {
      throw new PushFrames.Malformed("more than " + PushOptions.MOST_SUBSCRIPTIONS + " subscriptions on one connection");
    }
    Subscription added = topics.subscribe(topic, out);
    added.next = subscriptions;
    subscriptions = added;
    subscriptionCount++;
  }

  private void leave(int topic, PushReceiver out) {
    Subscription before = null;
    for (Subscription s = subscriptions; s != null; before = s, s = s.next) {
      if (s.topic() == topic) {
        if (before == null) {
          subscriptions = s.next;
        } else {
          before.next = s.next;
        }
        subscriptionCount--;
        topics.leave(s, true);
        return;
      }
    }
    out.reply(PushFrames.reply(PushFrames.LEFT, topic));
  }

  /** Ends all subscriptions. */
  protected final void leaveAll() {
    for (Subscription s = subscriptions; s != null; s = s.next) {
      topics.leave(s, false);
    }
    subscriptions = null;
    subscriptionCount = 0;
  }
}
