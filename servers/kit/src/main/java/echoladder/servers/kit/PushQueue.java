package echoladder.servers.kit;

import static java.net.StandardSocketOptions.SO_LINGER;

import echoladder.servers.kit.options.PushOptions;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A bounded queue in front of a connection. A publisher only puts a reference to the shared frame here, whatever the connection's client
 * does; one thread of the connection takes what waits and writes it. What waits is bounded by the queue's bytes, or one message; beside it
 * that thread has at most the bytes of a batch or one frame in hand. Thread-safe.
 */
public abstract class PushQueue implements PushReceiver, Runnable {
  /** The list of a batch with more frames is not kept for the next one. */
  private static final int MOST_SPARE = 64;

  /** The connection's. */
  protected final SocketChannel channel;

  private final PushOptions options;
  private final EchoContext context;
  private final PushMetrics metrics;
  private final int batchBytes;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final ArrayDeque<byte[]> waiting = new ArrayDeque<>(2);
  private int waitingBytes;
  private boolean finishing;
  private boolean ended;

  /**
   * An empty queue.
   *
   * @param batchBytes up to which frames that wait are written together
   */
  protected PushQueue(SocketChannel channel, PushOptions options, EchoContext context, PushMetrics metrics, int batchBytes) {
    this.channel = channel;
    this.options = options;
    this.context = context;
    this.metrics = metrics;
    this.batchBytes = batchBytes;
  }

  /** Whether what waits is a message, and no reply. */
  protected boolean isMessage(byte[] frame) {
    return PushFrames.isMessage(frame);
  }

  /**
   * Writes frames one behind the other, and counts what was sent. Returns when the kernel has all of them.
   *
   * @param bytes what the frames come to
   * @throws IOException where the kernel does not take all of them
   */
  protected abstract void write(List<byte[]> frames, int bytes) throws IOException;

  /** How many bytes of the frames whose write failed last the kernel has; 0 where that is not known. */
  protected int takenBytes() {
    return 0;
  }

  @Override
  public final boolean message(byte[] frame) {
    lock.lock();
    try {
      if (ended || finishing) {
        return false;
      }
      if (waitingBytes > 0 && waitingBytes + frame.length > options.queueBytes()) {
        if (options.disconnects()) {
          metrics.disconnected();
          resetAtItsEnd();
          end();
          return false;
        }
        dropOldest(options.queueBytes() - frame.length);
      }
      add(frame);
      return true;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void reply(byte[] frame) {
    lock.lock();
    try {
      if (!ended) {
        add(frame);
      }
    } finally {
      lock.unlock();
    }
  }

  private void add(byte[] frame) {
    waiting.add(frame);
    waitingBytes += frame.length;
    metrics.queued(frame.length);
    if (waiting.size() == 1) {
      changed.signalAll();
    }
  }

  private void dropOldest(int untilBytes) {
    for (Iterator<byte[]> oldest = waiting.iterator(); waitingBytes > untilBytes && oldest.hasNext(); ) {
      byte[] frame = oldest.next();
      if (isMessage(frame)) {
        oldest.remove();
        waitingBytes -= frame.length;
        metrics.dropped(frame.length, 1);
      }
    }
  }

  @Override
  public final void awaitRoom() {
    lock.lock();
    try {
      while (waitingBytes >= options.queueBytes() && !ended) {
        changed.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Takes no more messages; {@link #run} returns once all is written that was taken. */
  public void finish() {
    lock.lock();
    try {
      finishing = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Drops what waits, and closes the connection. */
  public void abandon() {
    lock.lock();
    try {
      if (!ended) {
        end();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Whether the connection was closed, so that whatever was taken and not written was dropped. */
  public final boolean hasEnded() {
    lock.lock();
    try {
      return ended;
    } finally {
      lock.unlock();
    }
  }

  private void end() {
    ended = true;
    metrics.dropped(waitingBytes, messagesIn(waiting));
    waiting.clear();
    waitingBytes = 0;
    changed.signalAll();
    close();
  }

  /** Has the close be a reset: a close alone would leave the kernel with what it holds for who does not read. */
  private void resetAtItsEnd() {
    try {
      channel.setOption(SO_LINGER, 0);
    } catch (IOException e) {
      // It has ended by itself.
    }
  }

  /** Closes the channel; whoever reads or writes on it is told. It does not wait for the peer. */
  private void close() {
    try {
      channel.close();
    } catch (IOException e) {
      // The descriptor is given up whatever the kernel says.
    }
  }

  private int messagesIn(Iterable<byte[]> frames) {
    int messages = 0;
    for (byte[] frame : frames) {
      messages += isMessage(frame) ? 1 : 0;
    }
    return messages;
  }

  /** Writes what waits until nothing more will; for the one thread that writes. No lambda calls it, whose frame would park with it. */
  @Override
  public final void run() {
    try {
      List<byte[]> batch = new ArrayList<>(1);
      for (int bytes; (bytes = take(batch)) > 0; ) {
        writeCounted(batch, bytes);
        if (batch.size() > MOST_SPARE) {
          batch = new ArrayList<>(1);
        } else {
          batch.clear();
        }
      }
    } catch (OutOfMemoryError e) {
      // No list is to be had for this connection; the others go on.
      abandon();
      context.acceptErrors().failed(e);
    }
  }

  /** Takes what is to be written next, and gives its bytes; 0 where nothing more is. */
  private int take(List<byte[]> batch) {
    lock.lock();
    try {
      while (waiting.isEmpty() && !finishing && !ended) {
        changed.awaitUninterruptibly();
      }
      int bytes = 0;
      for (byte[] frame; (frame = waiting.peek()) != null && (batch.isEmpty() || bytes + frame.length <= batchBytes); ) {
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

  private void writeCounted(List<byte[]> batch, int bytes) {
    try {
      write(batch, bytes);
    } catch (IOException e) {
      // The client has gone, or the queue was ended.
      brokenOff(batch);
      return;
    } catch (OutOfMemoryError e) {
      // No buffer is to be had for this write; the others go on.
      brokenOff(batch);
      context.acceptErrors().failed(e);
      return;
    }
    metrics.written(bytes, messagesIn(batch));
  }

  /** Nothing more will be written of a batch: those frames are written whose last byte the kernel took. */
  private void brokenOff(List<byte[]> batch) {
    int end = 0;
    for (byte[] frame : batch) {
      end += frame.length;
      int messages = isMessage(frame) ? 1 : 0;
      if (end <= takenBytes()) {
        metrics.written(frame.length, messages);
      } else {
        metrics.dropped(frame.length, messages);
      }
    }
    abandon();
  }
}
