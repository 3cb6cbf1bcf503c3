package echoladder.servers.netty;

import echoladder.servers.kit.EchoContext;
import echoladder.servers.kit.options.CannotRun;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.util.concurrent.EventExecutor;

/** Event loops that run before the first connection, and of which none ends unnoticed. */
final class EventLoops {
  private EventLoops() {}

  /**
   * Starts event loops. By itself, each would start its thread with its first connection, when there may be no thread to be had.
   *
   * @throws CannotRun where there is no memory or no thread for them
   */
  static EventLoopGroup started(int count, IoHandlerFactory handlers, EchoContext context) {
    try {
      EventLoopGroup loops = new MultiThreadIoEventLoopGroup(count, handlers);
      for (EventExecutor loop : loops) {
        loop.submit(() -> {}).syncUninterruptibly();
        // Netty 4.2.18 ends a loop whose io_uring finds no buffer for a connection's first read, and goes on without it.
        loop.terminationFuture().addListener(ended -> context.loopEnded());
      }
      return loops;
    } catch (OutOfMemoryError e) {
      throw new CannotRun("could not start the event loops: " + e.getMessage(), e);
    }
  }
}
