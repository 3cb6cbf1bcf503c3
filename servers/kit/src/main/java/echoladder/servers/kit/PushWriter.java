package echoladder.servers.kit;

import echoladder.servers.kit.options.PushOptions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.concurrent.ThreadFactory;

/** A queue in front of a connection over TCP, and a thread that writes what is in it. */
final class PushWriter extends PushQueue implements PushOutbox {
  /** Small frames that wait are copied together up to here, so that a thread that is behind needs fewer writes. */
  private static final int BATCH_BYTES = 32 << 10;

  /** The JDK copies what is written through a buffer outside the heap, which a platform thread keeps: this bounds it. */
  private static final int WRITE_BYTES = 32 << 10;

  private final EchoMetrics metrics;
  private final Thread writer;
  private int takenBytes;

  private PushWriter(
      SocketChannel channel, PushOptions options, EchoContext context, PushMetrics metrics, ThreadFactory threads) {
    super(channel, options, context, metrics, BATCH_BYTES);
    this.metrics = context.metrics();
    this.writer = threads.newThread(this);
  }

  /** A queue whose thread runs; an OutOfMemoryError says that there is none to be had. */
  static PushWriter started(
      SocketChannel channel, PushOptions options, EchoContext context, PushMetrics metrics, ThreadFactory threads) {
    PushWriter queue = new PushWriter(channel, options, context, metrics, threads);
    queue.writer.start();
    return queue;
  }

  @Override
  protected void write(List<byte[]> frames, int bytes) throws IOException {
    takenBytes = 0;
    ByteBuffer batch = frames.size() == 1 ? ByteBuffer.wrap(frames.getFirst()) : joined(frames, bytes);
    while (takenBytes < bytes) {
      batch.limit(Math.min(bytes, takenBytes + WRITE_BYTES));
      int n = channel.write(batch);
      takenBytes += n;
      metrics.sent(n);
    }
  }

  private static ByteBuffer joined(List<byte[]> frames, int bytes) {
    ByteBuffer batch = ByteBuffer.allocate(bytes);
    for (byte[] frame : frames) {
      batch.put(frame);
    }
    return batch.flip();
  }

  @Override
  protected int takenBytes() {
    return takenBytes;
  }

  /** Waits until all is written that was taken. */
  @Override
  public void finish() {
    super.finish();
    awaitWriter();
  }

  @Override
  public void abandon() {
    super.abandon();
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
