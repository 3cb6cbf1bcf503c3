package echoladder.servers.micronauthttp;

import echoladder.servers.kit.EchoMetrics;
import io.netty.channel.Channel;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/**
 * The events of one subscription as Micronaut takes them: a reactive stream with one reader, which says how many it takes. All is done on
 * the event loop of the connection, whichever thread asks.
 */
final class EventStream extends Mailbox implements Publisher<Outgoing>, Subscription {
  /** Micronaut sends the head of an answer with the first of what is streamed: this one has no bytes. */
  private static final Outgoing OPENED = Outgoing.reply(new byte[0]);

  private final int topic;

  /** Handed to Micronaut, and not yet with the kernel. */
  private final ArrayDeque<Outgoing> inHand = new ArrayDeque<>(2);

  private @Nullable Subscriber<? super Outgoing> reader;
  private PushHub.@Nullable Subscription subscription;
  private long demand;
  private boolean opened;

  /** What the kernel has of the first in hand. */
  private long takenBytes;

  /** A stream that begins when it is read. */
  EventStream(PushHub hub, Channel channel, EchoMetrics metrics, int topic) {
    super(hub, channel, metrics);
    this.topic = topic;
  }

  @Override
  public void subscribe(Subscriber<? super Outgoing> taker) {
    reader = taker;
    taker.onSubscribe(this);
  }

  @Override
  public void request(long count) {
    onLoop(() -> asked(count));
  }

  @Override
  public void cancel() {
    onLoop(this::end);
  }

  private void onLoop(Runnable task) {
    if (channel.eventLoop().inEventLoop()) {
      task.run();
    } else {
      channel.eventLoop().execute(task);
    }
  }

  private void asked(long count) {
    long sum = demand + count;
    demand = sum < 0 ? Long.MAX_VALUE : sum;
    if (!opened) {
      opened = true;
      open();
    }
    handOver();
  }

  private void open() {
    EventGuard guard = channel.pipeline().get(EventGuard.class);
    if (guard == null || !channel.isActive()) {
      // It was closed meanwhile.
      end();
      return;
    }
    guard.begins(this);
    // What is published from now on is due, which is before the client has the head.
    subscription = hub.subscribe(channel.eventLoop(), topic, this);
    emit(OPENED);
  }

  private void emit(Outgoing next) {
    Subscriber<? super Outgoing> taker = reader;
    if (taker != null) {
      demand--;
      taker.onNext(next);
    }
  }

  @Override
  boolean wanted() {
    return demand > 0;
  }

  @Override
  void hand(Outgoing next) {
    inHand.add(next);
    emit(next);
  }

  /** The kernel took so many bytes of what was streamed. */
  void taken(int bytes) {
    takenBytes += bytes;
    for (Outgoing first; (first = inHand.peek()) != null && takenBytes >= first.length(); ) {
      inHand.remove();
      takenBytes -= first.length();
      written(first);
    }
  }

  @Override
  void leaveAll() {
    if (subscription != null) {
      subscription.leave();
      subscription = null;
    }
  }

  @Override
  void finished() {
    Subscriber<? super Outgoing> taker = reader;
    if (taker != null) {
      taker.onComplete();
    }
  }

  @Override
  void closed() {
    super.closed();
    for (Outgoing frame; (frame = inHand.poll()) != null; ) {
      lost(frame);
    }
  }
}
