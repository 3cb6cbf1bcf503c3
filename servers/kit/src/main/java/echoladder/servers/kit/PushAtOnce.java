package echoladder.servers.kit;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.concurrent.locks.ReentrantLock;

/**
 * No queue: the publisher's thread writes to the connection itself and blocks where the client does not read, with the topic's
 * lock held. One such client stops the topic for all. It is here to show that.
 */
final class PushAtOnce implements PushOutbox {
  private final SocketChannel channel;
  private final EchoContext context;
  private final PushMetrics metrics;
  private final ReentrantLock lock = new ReentrantLock();

  PushAtOnce(SocketChannel channel, EchoContext context, PushMetrics metrics) {
    this.channel = channel;
    this.context = context;
    this.metrics = metrics;
  }

  @Override
  public boolean message(byte[] frame) {
    return write(frame, 1);
  }

  @Override
  public void reply(byte[] frame) {
    write(frame, 0);
  }

  private boolean write(byte[] frame, int messages) {
    metrics.queued(frame.length);
    lock.lock();
    try {
      for (ByteBuffer left = ByteBuffer.wrap(frame); left.hasRemaining(); ) {
        context.metrics().sent(channel.write(left));
      }
      metrics.written(frame.length, messages);
      return true;
    } catch (IOException e) {
      metrics.dropped(frame.length, 0);
      abandon();
      return false;
    } catch (OutOfMemoryError e) {
      // The JDK has no buffer outside the heap for this write: its client never gets the rest of the frame. The others go on.
      metrics.dropped(frame.length, 0);
      abandon();
      context.acceptErrors().failed(e);
      return false;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void awaitRoom() {
    // Each write waits for its own.
  }

  @Override
  public void finish() {
    // All is written.
  }

  @Override
  public void abandon() {
    try {
      channel.close();
    } catch (IOException e) {
      // The descriptor is given up whatever the kernel says.
    }
  }
}
