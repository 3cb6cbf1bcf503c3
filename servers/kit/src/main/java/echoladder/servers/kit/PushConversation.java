package echoladder.servers.kit;

import echoladder.servers.kit.PushTopics.Subscription;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * Push with a thread for each connection: this one reads its frames and hands what it publishes to the subscribers. What goes
 * out is its {@link PushOutbox}'s, by default with a thread of its own.
 */
final class PushConversation implements BlockingEchoServer.Conversation {
  private final BlockingOptions options;
  private final EchoMetrics echo;
  private final PushMetrics metrics;
  private final PushTopics topics;
  private final ThreadFactory threads;

  PushConversation(BlockingOptions options, EchoContext context, ThreadFactory threads) {
    this.options = options;
    this.echo = context.metrics();
    this.metrics = new PushMetrics(context.registry());
    this.topics = new PushTopics(metrics);
    this.threads = threads;
  }

  @Override
  public void hold(SocketChannel channel) throws IOException {
    new Talk(channel).hold();
  }

  /** One connection, for the thread that reads it. */
  private final class Talk {
    private final SocketChannel channel;
    private @Nullable PushOutbox outbox;
    private @Nullable Subscription subscriptions;
    private int subscriptionCount;

    Talk(SocketChannel channel) {
      this.channel = channel;
    }

    void hold() throws IOException {
      boolean whole = false;
      try {
        readAll(ByteBuffer.allocateDirect(options.bufferBytes()));
        whole = true;
      } catch (PushFrames.Malformed e) {
        metrics.malformed();
        throw e;
      } finally {
        leaveAll();
        if (outbox != null && whole) {
          outbox.finish();
        } else if (outbox != null) {
          outbox.abandon();
        }
      }
    }

    private void readAll(ByteBuffer buffer) throws IOException {
      PushFrames frames = new PushFrames();
      for (int n; (n = channel.read(buffer)) >= 0; buffer.clear()) {
        echo.received(n);
        buffer.flip();
        for (byte[] frame; (frame = frames.next(buffer)) != null; ) {
          take(frame, outbox());
        }
      }
    }

    /** Made for the first frame: a connection that says nothing has one thread. */
    private PushOutbox outbox() {
      PushOutbox made = outbox;
      if (made == null) {
        made =
            options.publisherWrites()
                ? new PushAtOnce(channel, echo, metrics)
                : PushQueue.started(channel, options.push(), echo, metrics, threads);
        outbox = made;
      }
      return made;
    }

    private void take(byte[] frame, PushOutbox out) throws PushFrames.Malformed {
      out.awaitRoom();
      int topic = PushFrames.topic(frame);
      switch (PushFrames.kind(frame)) {
        case PushFrames.SUBSCRIBE -> subscribe(topic, out);
        case PushFrames.LEAVE -> leave(topic, out);
        default -> {
          metrics.published();
          out.reply(PushFrames.published(topic, topics.publish(PushFrames.toMessage(frame))));
        }
      }
    }

    private void subscribe(int topic, PushOutbox out) throws PushFrames.Malformed {
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

    private void leave(int topic, PushOutbox out) {
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

    private void leaveAll() {
      for (Subscription s = subscriptions; s != null; s = s.next) {
        topics.leave(s, false);
      }
      subscriptions = null;
    }
  }
}
