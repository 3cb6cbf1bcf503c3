package echoladder.servers.floor;

import echoladder.linux.Errno;
import echoladder.linux.sockets.SystemCalls;
import echoladder.servers.kit.PushFrames;
import echoladder.servers.kit.options.PushOptions;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Push by one system call a delivery: a message is copied once for the loop and written to each of its subscribers. What a client
 * does not take waits for EPOLLOUT in a bounded queue; the connection is parked meanwhile, and not read from.
 */
final class PushLoop extends Loop {
  /** Publishes of one client that loops may still have in hand while more is read from it. */
  private static final int MOST_PUBLISHING = 64;

  /** What is written at once: small frames that wait are copied together up to here. */
  private static final int OUT_BYTES = 64 << 10;

  private final PushHub hub;
  private final ByteBuffer in;
  private final MemorySegment out = Arena.ofAuto().allocate(OUT_BYTES, 64);
  private final Map<Integer, List<Subscription>> topics = new HashMap<>();
  private final ConcurrentLinkedQueue<Runnable> tasks = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean woken = new AtomicBoolean();
  private final int waker;

  // By descriptor.
  private @Nullable Peer[] peers = new Peer[64];

  PushLoop(LoopSetup setup, PushHub hub) {
    super(setup);
    this.hub = hub;
    this.in = buffer.asByteBuffer();
    this.waker = sys.eventDescriptor();
    if (waker < 0) {
      throw new IllegalStateException("eventfd failed: " + Errno.name(waker));
    }
    watch(waker);
    hub.add(this);
  }

  /** A connection's place among the subscribers of a topic on its loop. */
  private static final class Subscription {
    private final int topic;
    private final Peer peer;
    private int index;

    Subscription(int topic, Peer peer) {
      this.topic = topic;
      this.peer = peer;
    }
  }

  /** One connection; for its loop's thread. */
  final class Peer {
    private final int fd;
    private final PushFrames frames = new PushFrames();
    private final List<Subscription> subscriptions = new ArrayList<>(1);
    private final ArrayDeque<byte[]> waiting = new ArrayDeque<>(1);
    private int waitingBytes;
    /** What is being written, of which the kernel has {@link #writtenBytes}; null = it takes all there is. */
    private byte @Nullable [] current;
    private int currentMessages;
    private int writtenBytes;
    private int publishing;
    private boolean reading = true;
    private boolean finishing;
    private boolean closed;

    Peer(int fd) {
      this.fd = fd;
    }

    PushLoop loop() {
      return PushLoop.this;
    }

    /** A publish of this connection was handed to so many. */
    void published(byte[] message, int took) {
      publishing--;
      if (!closed) {
        send(this, PushFrames.published(PushFrames.topic(message), took));
      }
      if (!closed) {
        settle(this);
      }
    }
  }

  @Override
  long directBytes() {
    return (long) bufferBytes + OUT_BYTES;
  }

  /** Has the loop's thread do something, in the order of these calls; on any thread, by its own system calls. */
  void later(Runnable task, SystemCalls caller) {
    tasks.add(task);
    // The loop's own thread looks at its tasks before it waits.
    if (caller != sys && !woken.getAndSet(true)) {
      caller.wake(waker);
    }
  }

  @Override
  void whatIsDue() {
    woken.set(false);
    for (Runnable task; (task = tasks.poll()) != null; ) {
      task.run();
    }
  }

  @Override
  void ending() {
    hub.remove(this);
    whatIsDue();
  }

  @Override
  void readable(int fd, int mask) {
    // A delivery for an earlier event of this turn may have ended the connection.
    if (fd == waker || !owns(fd)) {
      return;
    }
    Peer peer = of(fd);
    while (true) {
      int n = sys.read(fd, buffer, bufferBytes);
      if (n <= 0) {
        if (n == 0) {
          finish(peer);
        } else if (n != -Errno.EAGAIN) {
          broken(fd);
        }
        return;
      }
      metrics.received(n);
      if (!takes(peer, in.limit(n).position(0))) {
        return;
      }
      if (n == bufferBytes) {
        rearm(fd, READING, fd);
        return;
      }
      if ((mask & ENDING) == 0) {
        return;
      }
    }
  }

  private Peer of(int fd) {
    if (fd >= peers.length) {
      peers = Arrays.copyOf(peers, Math.max(fd + 1, 2 * peers.length));
    }
    Peer peer = peers[fd];
    if (peer == null) {
      peer = new Peer(fd);
      peers[fd] = peer;
    }
    return peer;
  }

  /** Takes what was read; gives whether reading may go on. */
  private boolean takes(Peer peer, ByteBuffer bytes) {
    try {
      for (byte[] frame; !peer.closed && (frame = peer.frames.next(bytes)) != null; ) {
        take(peer, frame);
      }
    } catch (PushFrames.Malformed e) {
      malformed(peer);
    }
    if (peer.publishing >= MOST_PUBLISHING && !peer.closed && peer.reading) {
      peer.reading = false;
      rearm(peer.fd, WAITING, peer.fd);
    }
    return !peer.closed && peer.reading;
  }

  private void malformed(Peer peer) {
    hub.metrics.malformed();
    broken(peer.fd);
  }

  private void take(Peer peer, byte[] frame) {
    int topic = PushFrames.topic(frame);
    switch (PushFrames.kind(frame)) {
      case PushFrames.SUBSCRIBE -> {
        if (find(peer, topic) == null) {
          if (peer.subscriptions.size() == PushOptions.MOST_SUBSCRIPTIONS) {
            malformed(peer);
            return;
          }
          subscribe(peer, topic);
        }
        send(peer, PushFrames.reply(PushFrames.SUBSCRIBED, topic));
      }
      case PushFrames.LEAVE -> {
        Subscription found = find(peer, topic);
        if (found != null) {
          leave(found);
          peer.subscriptions.remove(found);
        }
        send(peer, PushFrames.reply(PushFrames.LEFT, topic));
      }
      default -> {
        peer.publishing++;
        hub.publish(PushFrames.toMessage(frame), peer, sys);
        // At once on this loop, so that what the publisher asks for next comes behind.
        whatIsDue();
      }
    }
  }

  private static @Nullable Subscription find(Peer peer, int topic) {
    for (Subscription each : peer.subscriptions) {
      if (each.topic == topic) {
        return each;
      }
    }
    return null;
  }

  private void subscribe(Peer peer, int topic) {
    List<Subscription> subscribers = topics.computeIfAbsent(topic, t -> new ArrayList<>(1));
    Subscription added = new Subscription(topic, peer);
    added.index = subscribers.size();
    subscribers.add(added);
    peer.subscriptions.add(added);
    hub.metrics.subscriptions(1);
  }

  private void leave(Subscription subscription) {
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
    hub.metrics.subscriptions(-1);
  }

  /** Writes a message to this loop's subscribers. */
  void deliver(PushHub.Publish publish) {
    byte[] message = publish.message;
    List<Subscription> subscribers = topics.getOrDefault(PushFrames.topic(message), List.of());
    boolean shared = message.length <= OUT_BYTES;
    if (shared) {
      MemorySegment.copy(message, 0, out, ValueLayout.JAVA_BYTE, 0, message.length);
    }
    int took = 0;
    // From the end, as one that fails leaves, and the last takes its place.
    for (int i = subscribers.size() - 1; i >= 0; i--) {
      Peer peer = subscribers.get(i).peer;
      if (peer.current != null || !shared) {
        took += queued(peer, message) ? 1 : 0;
      } else {
        hub.metrics.queued(message.length);
        took++;
        written(peer, message, 1, sys.write(peer.fd, out, message.length));
      }
    }
    publish.done(took, sys);
  }

  /** Takes a message that cannot be written at once; false where the connection ends instead. */
  private boolean queued(Peer peer, byte[] message) {
    if (peer.waitingBytes > 0 && peer.waitingBytes + message.length > hub.options.queueBytes()) {
      if (hub.options.disconnects()) {
        hub.metrics.disconnected();
        // Else the kernel keeps what it holds for who does not read.
        sys.resetOnClose(peer.fd);
        broken(peer.fd);
        return false;
      }
      dropOldest(peer, hub.options.queueBytes() - message.length);
    }
    send(peer, message);
    return true;
  }

  private void dropOldest(Peer peer, int untilBytes) {
    for (Iterator<byte[]> oldest = peer.waiting.iterator(); peer.waitingBytes > untilBytes && oldest.hasNext(); ) {
      byte[] frame = oldest.next();
      if (PushFrames.isMessage(frame)) {
        oldest.remove();
        peer.waitingBytes -= frame.length;
        hub.metrics.dropped(frame.length, 1);
      }
    }
  }

  /** Writes a frame, or has it wait behind others. */
  private void send(Peer peer, byte[] frame) {
    hub.metrics.queued(frame.length);
    peer.waiting.add(frame);
    peer.waitingBytes += frame.length;
    if (peer.current == null) {
      writeOn(peer);
      if (peer.current != null) {
        park(peer);
      }
    }
  }

  private void park(Peer peer) {
    peer.reading = false;
    rearm(peer.fd, PARKED, ~peer.fd);
  }

  /** What a write gave whose frame nothing was before. */
  private void written(Peer peer, byte[] frame, int messages, int n) {
    if (n == frame.length) {
      metrics.sent(n);
      hub.metrics.written(n, messages);
    } else if (n >= 0 || n == -Errno.EAGAIN) {
      metrics.sent(Math.max(0, n));
      peer.current = frame;
      peer.currentMessages = messages;
      peer.writtenBytes = Math.max(0, n);
      park(peer);
    } else {
      hub.metrics.dropped(frame.length, messages);
      broken(peer.fd);
    }
  }

  /** Writes what waits until the kernel takes no more, all is written, or the connection has failed. */
  private void writeOn(Peer peer) {
    for (byte[] bytes; (bytes = next(peer)) != null; ) {
      int left = Math.min(OUT_BYTES, bytes.length - peer.writtenBytes);
      MemorySegment.copy(bytes, peer.writtenBytes, out, ValueLayout.JAVA_BYTE, 0, left);
      int n = sys.write(peer.fd, out, left);
      if (n < 0) {
        if (n != -Errno.EAGAIN) {
          broken(peer.fd);
        }
        return;
      }
      metrics.sent(n);
      peer.writtenBytes += n;
      if (peer.writtenBytes == bytes.length) {
        hub.metrics.written(bytes.length, peer.currentMessages);
        peer.current = null;
      } else if (n < left) {
        return;
      }
    }
  }

  /** What is being written, or is to be written next; null where nothing is. */
  private static byte @Nullable [] next(Peer peer) {
    if (peer.current != null || peer.waiting.isEmpty()) {
      return peer.current;
    }
    int frames = 0;
    int bytes = 0;
    for (byte[] frame : peer.waiting) {
      if (frames > 0 && bytes + frame.length > OUT_BYTES) {
        break;
      }
      frames++;
      bytes += frame.length;
    }
    byte[] batch = frames == 1 ? peer.waiting.element() : new byte[bytes];
    peer.currentMessages = 0;
    for (int i = 0, at = 0; i < frames; i++) {
      byte[] frame = peer.waiting.remove();
      peer.currentMessages += PushFrames.isMessage(frame) ? 1 : 0;
      if (frames > 1) {
        System.arraycopy(frame, 0, batch, at, frame.length);
        at += frame.length;
      }
    }
    peer.waitingBytes -= bytes;
    peer.current = batch;
    peer.writtenBytes = 0;
    return batch;
  }

  @Override
  void writable(int fd) {
    if (!owns(fd)) {
      return;
    }
    Peer peer = of(fd);
    writeOn(peer);
    if (!peer.closed && peer.current == null) {
      settle(peer);
    }
  }

  /** The client has sent its last. */
  private void finish(Peer peer) {
    leaveAll(peer);
    peer.finishing = true;
    if (peer.current == null && peer.publishing == 0) {
      close(peer.fd);
    }
  }

  /** Something is done: reads on, or ends. */
  private void settle(Peer peer) {
    if (peer.finishing && peer.current == null && peer.publishing == 0) {
      close(peer.fd);
    } else if (peer.current == null && peer.publishing < MOST_PUBLISHING && !peer.reading) {
      peer.reading = true;
      rearm(peer.fd, READING, peer.fd);
    }
  }

  private void leaveAll(Peer peer) {
    peer.subscriptions.forEach(this::leave);
    peer.subscriptions.clear();
  }

  @Override
  void forget(int fd) {
    Peer peer = fd < peers.length ? peers[fd] : null;
    if (peer == null) {
      return;
    }
    peers[fd] = null;
    peer.closed = true;
    leaveAll(peer);
    if (peer.current != null) {
      hub.metrics.brokenOff(peer.current, peer.writtenBytes);
      peer.current = null;
    }
    for (byte[] frame : peer.waiting) {
      hub.metrics.dropped(frame.length, PushFrames.isMessage(frame) ? 1 : 0);
    }
    peer.waiting.clear();
    peer.waitingBytes = 0;
  }
}
