package echoladder.servers.kit;

import echoladder.servers.kit.options.BlockingOptions;
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
  private final EchoContext context;
  private final PushMetrics metrics;
  private final PushTopics topics;
  private final ThreadFactory threads;

  PushConversation(BlockingOptions options, EchoContext context, ThreadFactory threads) {
    this.options = options;
    this.context = context;
    this.metrics = new PushMetrics(context.registry());
    this.topics = new PushTopics(metrics);
    this.threads = threads;
  }

  /** Reads in this method and not in one below it: each frame of a parked thread's stack is memory of its connection. */
  @Override
  public void hold(SocketChannel channel) throws IOException {
    Talk talk = new Talk(channel);
    boolean whole = false;
    try {
      ByteBuffer buffer = ByteBuffer.allocateDirect(options.bufferBytes());
      for (int n; (n = channel.read(buffer)) >= 0; buffer.clear()) {
        context.metrics().received(n);
        talk.takeAll(buffer.flip());
      }
      whole = true;
    } catch (PushFrames.Malformed e) {
      metrics.malformed();
      throw e;
    } finally {
      talk.end(whole);
    }
  }

  /** One connection, for the thread that reads it. */
  private final class Talk extends PushTalk {
    private final SocketChannel channel;
    private final PushFrames frames = new PushFrames();
    private @Nullable PushOutbox outbox;

    Talk(SocketChannel channel) {
      super(topics);
      this.channel = channel;
    }

    /** Takes the frames that end in what was read. */
    void takeAll(ByteBuffer read) throws PushFrames.Malformed {
      for (byte[] frame; (frame = frames.next(read)) != null; ) {
        take(frame, outbox());
      }
    }

    /** Nothing more is read; {@code whole}: the client ended it, and what is queued for it is written before this returns. */
    void end(boolean whole) {
      leaveAll();
      if (outbox != null && whole) {
        outbox.finish();
      } else if (outbox != null) {
        outbox.abandon();
      }
    }

    /** Made for the first frame: a connection that says nothing has one thread. */
    private PushOutbox outbox() {
      PushOutbox made = outbox;
      if (made == null) {
        made =
            options.publisherWrites()
                ? new PushAtOnce(channel, context, metrics)
                : PushWriter.started(channel, options.push(), context, metrics, threads);
        outbox = made;
      }
      return made;
    }
  }
}
