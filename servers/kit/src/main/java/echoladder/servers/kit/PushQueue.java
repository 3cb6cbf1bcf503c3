package echoladder.servers.kit;

import static java.net.StandardSocketOptions.SO_LINGER;

import echoladder.servers.kit.options.PushOptions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A bounded queue in front of a connection, and a thread that writes what is in it. A publisher only puts a reference to the
 * shared frame here, whatever the connection's client does. What waits is bounded by the queue's bytes, or one message; beside it
 * the thread has at most {@link #BATCH_BYTES} or one frame in hand.
 */
final class PushQueue implements PushOutbox, Runnable {
  /** Small frames that wait are copied together up to here, so that a thread that is behind needs fewer writes. */
  private static final int BATCH_BYTES = 32 << 10;

  /** The JDK copies what is written through a buffer outside the heap, which a platform thread keeps: this bounds it. */
  private static final int WRITE_BYTES = 32 << 10;

  private final SocketChannel channel;
  private final PushOptions options;
  private final EchoContext context;
  private final PushMetrics metrics;
  private final Thread writer;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final ArrayDeque<byte[]> waiting = new ArrayDeque<>(2);
  private int waitingBytes;
  private int batchMessages;
  private boolean finishing;
  private boolean ended;

  private PushQueue(
      SocketChannel channel, PushOptions options, EchoContext context, PushMetrics metrics, ThreadFactory threads) {
    this.channel = channel;
    this.options = options;
    this.context = context;
    this.metrics = metrics;
    this.writer = threads.newThread(this);
  }

  /** A queue whose thread runs; an OutOfMemoryError says that there is none to be had. */
  static PushQueue started(
      SocketChannel channel, PushOptions options, EchoContext context, PushMetrics metrics, ThreadFactory threads) {
    PushQueue queue = new PushQueue(channel, options, context, metrics, threads);
    queue.writer.start();
    return queue;
  }

  @Override
  public boolean message(byte[] frame) {
    lock.lock();
    try {
      if (ended || finishing) {
        return false;
      }
      if (waitingBytes > 0 && waitingBytes + frame.length > options.queueBytes()) {
        if (options.disconnects()) {
          metrics.disconnected();
          reset();
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
      if (PushFrames.isMessage(frame)) {
        oldest.remove();
        waitingBytes -= frame.length;
        metrics.dropped(frame.length, 1);
      }
    }
  }

  @Override
  public void awaitRoom() {
    lock.lock();
    try {
      while (waitingBytes >= options.queueBytes() && !ended) {
        changed.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Ends the connection at once: a close alone would leave the kernel with what it holds for who does not read. */
  private void reset() {
    try {
      channel.setOption(SO_LINGER, 0);
    } catch (IOException e) {
      // It has ended by itself.
    }
    end();
  }

  /** Nothing more is written, and whoever reads or writes on the channel is told. Neither call waits for the peer. */
  private void end() {
    ended = true;
    int messages = 0;
    for (byte[] frame : waiting) {
      messages += PushFrames.isMessage(frame) ? 1 : 0;
    }
    metrics.dropped(waitingBytes, messages);
    waiting.clear();
    waitingBytes = 0;
    changed.signalAll();
    try {
      channel.close();
    } catch (IOException e) {
      // The descriptor is given up whatever the kernel says.
    }
  }

  /** What its thread does. No lambda calls it, whose frame would park with it. */
  @Override
  public void run() {
    try {
      for (ByteBuffer batch; (batch = next()) != null; ) {
        write(batch);
      }
    } catch (OutOfMemoryError e) {
      // No buffer is to be had for this connection; the others go on.
      abandon();
      context.acceptErrors().failed(e);
    }
  }

  /** What is to be written next; null where nothing more is. */
  private @Nullable ByteBuffer next() {
    lock.lock();
    try {
      while (waiting.isEmpty() && !finishing && !ended) {
        changed.awaitUninterruptibly();
      }
      byte[] first = waiting.peek();
      if (first == null) {
        return null;
      }
      int frames = 0;
      int bytes = 0;
      batchMessages = 0;
      for (byte[] frame : waiting) {
        if (frames > 0 && bytes + frame.length > BATCH_BYTES) {
          break;
        }
        frames++;
        bytes += frame.length;
        batchMessages += PushFrames.isMessage(frame) ? 1 : 0;
      }
      ByteBuffer batch = frames == 1 ? ByteBuffer.wrap(first) : ByteBuffer.allocate(bytes);
      for (int i = 0; i < frames; i++) {
        byte[] frame = waiting.remove();
        if (frames > 1) {
          batch.put(frame);
        }
      }
      waitingBytes -= bytes;
      changed.signalAll();
      return frames > 1 ? batch.flip() : batch;
    } finally {
      lock.unlock();
    }
  }

  private void write(ByteBuffer batch) {
    int bytes = batch.limit();
    try {
      while (batch.position() < bytes) {
        batch.limit(Math.min(bytes, batch.position() + WRITE_BYTES));
        context.metrics().sent(channel.write(batch));
      }
      metrics.written(bytes, batchMessages);
    } catch (IOException e) {
      brokenOff(batch);
    } catch (OutOfMemoryError e) {
      // The JDK has no buffer outside the heap for this write; the others go on.
      brokenOff(batch);
      context.acceptErrors().failed(e);
    }
  }

  private void brokenOff(ByteBuffer batch) {
    metrics.brokenOff(batch.array(), batch.arrayOffset() + batch.position());
    abandon();
  }

  @Override
  public void finish() {
    lock.lock();
    try {
      finishing = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    awaitWriter();
  }

  @Override
  public void abandon() {
    lock.lock();
    try {
      if (!ended) {
        end();
      }
    } finally {
      lock.unlock();
    }
    if (!Thread.currentThread().equals(writer)) {
      awaitWriter();
    }
  }

  private void awaitWriter() {
    try {
      writer.join();
    } catch (InterruptedException e) {
      // Nobody interrupts it but the end of the process.
      Thread.currentThread().interrupt();
    }
  }
}
