package echoladder.servers.helidon;

import echoladder.servers.kit.PushFrames;
import echoladder.servers.kit.PushReceiver;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A bounded queue in front of a connection. A publisher only puts a reference to the shared bytes here, whatever the connection's client
 * does; one thread of the connection has Helidon write what waits. That thread has at most {@link #BATCH_BYTES} or one frame in hand.
 * Thread-safe.
 */
final class Outbox implements PushReceiver {
  private static final int BATCH_BYTES = 64 << 10;

  /** The list of a batch with more frames is not kept for the next one. */
  private static final int MOST_SPARE = 64;

  private final Peer peer;
  private final Push push;
  private final boolean events;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final ArrayDeque<byte[]> waiting = new ArrayDeque<>(2);
  private int waitingBytes;
  private boolean finishing;
  private boolean ended;

  /** How frames go out. */
  @FunctionalInterface
  interface Wire {
    /** Returns when the kernel has all of them; IOException or a RuntimeException of Helidon's where it will not. */
    void write(List<byte[]> frames) throws IOException;
  }

  /**
   * An empty queue.
   *
   * @param events whether what waits are events of HTTP, of which none is a reply; else frames of push, with their length in front, which
   *     Helidon can only write one by one
   */
  Outbox(Peer peer, Push push, boolean events) {
    this.peer = peer;
    this.push = push;
    this.events = events;
  }

  @Override
  public boolean message(byte[] frame) {
    int mostBytes = push.options().queueBytes();
    lock.lock();
    try {
      if (ended || finishing) {
        return false;
      }
      if (waitingBytes > 0 && waitingBytes + frame.length > mostBytes) {
        if (push.options().disconnects()) {
          push.metrics().disconnected();
          peer.reset();
          end();
          return false;
        }
        dropOldest(mostBytes - frame.length);
      }
      add(frame);
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Over HTTP there is none: the head of the stream says what SUBSCRIBED says. */
  @Override
  public void reply(byte[] frame) {
    lock.lock();
    try {
      if (!ended && !events) {
        add(frame);
      }
    } finally {
      lock.unlock();
    }
  }

  private void add(byte[] frame) {
    waiting.add(frame);
    waitingBytes += frame.length;
    push.metrics().queued(frame.length);
    if (waiting.size() == 1) {
      changed.signalAll();
    }
  }

  private boolean isMessage(byte[] frame) {
    return events || PushFrames.isMessage(frame);
  }

  private int messagesIn(Iterable<byte[]> frames) {
    int messages = 0;
    for (byte[] frame : frames) {
      messages += isMessage(frame) ? 1 : 0;
    }
    return messages;
  }

  private void dropOldest(int untilBytes) {
    for (Iterator<byte[]> oldest = waiting.iterator(); waitingBytes > untilBytes && oldest.hasNext(); ) {
      byte[] frame = oldest.next();
      if (isMessage(frame)) {
        oldest.remove();
        waitingBytes -= frame.length;
        push.metrics().dropped(frame.length, 1);
      }
    }
  }

  @Override
  public void awaitRoom() {
    lock.lock();
    try {
      while (waitingBytes >= push.options().queueBytes() && !ended) {
        changed.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Takes no more messages; who writes is done once all is written that was taken. It does not wait for that. */
  void finish() {
    lock.lock();
    try {
      finishing = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Drops what waits, and ends the connection. */
  void abandon() {
    lock.lock();
    try {
      if (!ended) {
        end();
      }
    } finally {
      lock.unlock();
    }
  }

  private void end() {
    ended = true;
    push.metrics().dropped(waitingBytes, messagesIn(waiting));
    waiting.clear();
    waitingBytes = 0;
    changed.signalAll();
    peer.close();
  }

  /** Whether something of what was taken was dropped with the connection, or would have been. */
  boolean hasEnded() {
    lock.lock();
    try {
      return ended;
    } finally {
      lock.unlock();
    }
  }

  /** Writes what waits until nothing more will; for the one thread that writes. */
  void writeAll(Wire wire) {
    try {
      List<byte[]> batch = new ArrayList<>(1);
      for (int bytes; (bytes = next(batch)) > 0; ) {
        write(wire, batch, bytes);
        if (batch.size() > MOST_SPARE) {
          batch = new ArrayList<>(1);
        } else {
          batch.clear();
        }
      }
    } catch (OutOfMemoryError e) {
      // No list is to be had for this connection; the others go on.
      abandon();
      push.context().acceptErrors().failed(e);
    }
  }

  /** Takes what is to be written next, and gives its bytes; 0 where nothing more is. */
  private int next(List<byte[]> batch) {
    int mostBytes = events ? BATCH_BYTES : 0;
    lock.lock();
    try {
      while (waiting.isEmpty() && !finishing && !ended) {
        changed.awaitUninterruptibly();
      }
      int bytes = 0;
      for (byte[] frame; (frame = waiting.peek()) != null && (batch.isEmpty() || bytes + frame.length <= mostBytes); ) {
        batch.add(frame);
        waiting.remove();
        bytes += frame.length;
      }
      waitingBytes -= bytes;
      changed.signalAll();
      return bytes;
    } finally {
      lock.unlock();
    }
  }

  private void write(Wire wire, List<byte[]> batch, int bytes) {
    int messages = messagesIn(batch);
    try {
      wire.write(batch);
    } catch (IOException | RuntimeException e) {
      // The client has gone, or the queue was ended. Helidon has several exceptions for that.
      brokenOff(bytes, messages);
      return;
    } catch (OutOfMemoryError e) {
      // No buffer is to be had for this write; the others go on.
      brokenOff(bytes, messages);
      push.context().acceptErrors().failed(e);
      return;
    }
    push.context().metrics().sent(events ? bytes : bytes - (long) batch.size() * PushFrames.KIND_AT);
    push.metrics().written(bytes, messages);
  }

  private void brokenOff(int bytes, int messages) {
    push.metrics().dropped(bytes, messages);
    abandon();
  }
}
