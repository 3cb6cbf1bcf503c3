package echoladder.servers.micronauthttp;

import echoladder.servers.kit.EchoMetrics;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import java.util.ArrayDeque;
import java.util.Iterator;

/**
 * What waits for a connection to which messages are pushed, bounded in bytes, and how much of that Micronaut has in hand. Confined to the
 * event loop of its connection.
 *
 * <p>The kernel tells when it has taken what was handed over, and only then more is handed over: Micronaut asks for more than it can
 * write, and what it holds cannot be dropped any more.
 */
abstract class Mailbox {
  /** Beside one frame. Netty's own high-water mark. */
  private static final int MOST_IN_HAND_BYTES = 64 << 10;

  final PushHub hub;
  final Channel channel;
  private final EchoMetrics metrics;
  private final ArrayDeque<Outgoing> waiting = new ArrayDeque<>(2);
  private int waitingBytes;
  private int inHandBytes;
  private boolean handing;
  private boolean finishing;
  private boolean ended;

  Mailbox(PushHub hub, Channel channel, EchoMetrics metrics) {
    this.hub = hub;
    this.channel = channel;
    this.metrics = metrics;
  }

  /** Whether Micronaut takes one more. */
  abstract boolean wanted();

  /** Hands one to Micronaut; its end is told by {@link #written} or {@link #lost}. */
  abstract void hand(Outgoing next);

  /** Ends the subscriptions. */
  abstract void leaveAll();

  /** Nothing more will be handed over: ends the connection behind what was. Called once. */
  abstract void finished();

  /** Whether an answer will still come, so that the connection cannot end yet. */
  boolean owes() {
    return false;
  }

  /** What waits, or is in hand, has changed. */
  void changed() {}

  /** Whether nothing more is taken. */
  final boolean closing() {
    return ended || finishing;
  }

  final boolean nothingWaits() {
    return waiting.isEmpty();
  }

  /** Takes a message; false where the connection ends instead, or has ended. */
  final boolean message(Outgoing message) {
    if (closing() || !channel.isActive()) {
      return false;
    }
    int bytes = message.length();
    if (waitingBytes > 0 && waitingBytes + bytes > hub.options.queueBytes()) {
      if (hub.options.disconnects()) {
        hub.metrics.disconnected();
        end();
        // Else the kernel keeps what it holds for who does not read.
        channel.config().setOption(ChannelOption.SO_LINGER, 0);
        var _ = channel.close();
        return false;
      }
      dropOldest(hub.options.queueBytes() - bytes);
    }
    add(message);
    return true;
  }

  /** Takes a reply, which is never dropped while the connection lasts. */
  final void reply(byte[] bytes) {
    if (!ended) {
      add(Outgoing.reply(bytes));
    }
  }

  private void add(Outgoing frame) {
    hub.metrics.queued(frame.length());
    waiting.add(frame);
    waitingBytes += frame.length();
    handOver();
  }

  /** Hands over what Micronaut takes and may have in hand. */
  final void handOver() {
    if (handing) {
      return;
    }
    handing = true;
    try {
      for (Outgoing next; !ended && inHandBytes < MOST_IN_HAND_BYTES && wanted() && (next = waiting.poll()) != null; ) {
        waitingBytes -= next.length();
        inHandBytes += next.length();
        hand(next);
      }
    } finally {
      handing = false;
    }
    changed();
    settle();
  }

  /** The kernel has all of it. */
  final void written(Outgoing frame) {
    inHandBytes -= frame.length();
    metrics.sent(frame.length());
    hub.metrics.written(frame.length(), frame.messages());
    handOver();
  }

  /** The kernel will not get all of it. */
  final void lost(Outgoing frame) {
    inHandBytes -= frame.length();
    hub.metrics.dropped(frame.length(), frame.messages());
  }

  private void dropOldest(int untilBytes) {
    for (Iterator<Outgoing> oldest = waiting.iterator(); waitingBytes > untilBytes && oldest.hasNext(); ) {
      Outgoing frame = oldest.next();
      if (frame.isMessage()) {
        oldest.remove();
        waitingBytes -= frame.length();
        hub.metrics.dropped(frame.length(), 1);
      }
    }
  }

  /** Takes nothing more, and ends the connection behind what waits. */
  final void finish() {
    if (!closing()) {
      finishing = true;
      leaveAll();
      settle();
    }
  }

  /** Ends the connection where that is due. */
  final void settle() {
    if (finishing && !ended && waiting.isEmpty() && !owes()) {
      ended = true;
      finished();
    }
  }

  /** Hands nothing more over. The subscriptions stay, as one of them may just be handed a message; {@link #closed} ends them. */
  final void end() {
    ended = true;
    for (Outgoing frame : waiting) {
      hub.metrics.dropped(frame.length(), frame.messages());
    }
    waiting.clear();
    waitingBytes = 0;
  }

  /** The connection is closed. */
  void closed() {
    end();
    leaveAll();
  }
}
