package echoladder.servers.netty;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Ends the connections of one event loop, each once it was quiet at three looks in a row: with the input shut at once,
 * Java's NIO would not read what the kernel has already received.
 */
final class Drain implements Runnable {
  private static final int QUIET_LOOKS = 3;
  private static final long BETWEEN_LOOKS_MS = 10;

  private final EventLoop loop;
  private final List<Channel> left = new ArrayList<>();

  private Drain(EventLoop loop) {
    this.loop = loop;
  }

  /** Starts for all of {@code connections}, each on its loop. */
  static void start(Iterable<Channel> connections) {
    Map<EventLoop, Drain> byLoop = new HashMap<>();
    for (Channel c : connections) {
      byLoop.computeIfAbsent(c.eventLoop(), Drain::new).left.add(c);
    }
    byLoop.forEach(EventLoop::execute);
  }

  @Override
  public void run() {
    left.removeIf(Drain::finishedAfterLook);
    if (!left.isEmpty()) {
      var _ = loop.schedule(this, BETWEEN_LOOKS_MS, TimeUnit.MILLISECONDS);
    }
  }

  private static boolean finishedAfterLook(Channel channel) {
    ConnectionHandler handler = channel.pipeline().get(ConnectionHandler.class);
    if (!channel.isActive() || handler == null) {
      return true;
    }
    if (handler.quietLooks(channel.config().isAutoRead()) < QUIET_LOOKS) {
      return false;
    }
    handler.end(channel);
    return true;
  }
}
