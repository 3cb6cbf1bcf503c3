package echoladder.servers.micronauthttp;

import io.micronaut.context.ApplicationContext;
import io.micronaut.http.netty.channel.loom.PrivateLoomSupport;
import io.micronaut.inject.qualifiers.Qualifiers;
import io.micronaut.scheduling.TaskExecutors;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.uring.IoUringIoHandler;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;

/** Looks at the thread that a handler gets, instead of believing the configuration. */
final class HandlerThread {
  private HandlerThread() {}

  /** Runs a task the way a handler is run, and describes its thread. */
  static String of(ApplicationContext application, Mode mode) {
    EventLoopGroup loops = application.getBean(EventLoopGroup.class, Qualifiers.byName("default"));
    if (mode == Mode.EVENT_LOOP) {
      return look(loops, Runnable::run);
    }
    ExecutorService executor = application.getBean(ExecutorService.class, Qualifiers.byName(TaskExecutors.BLOCKING));
    String seen = look(loops, executor);
    if (mode == Mode.LOOM_CARRIER) {
      // The first ones of each event loop are left to the JDK's scheduler; they are not to be among what is measured.
      for (int i = 0; i < Configuration.LOOM_WARM_UP_TASKS * eventLoops(loops); i++) {
        seen = look(loops, executor);
      }
    }
    return seen;
  }

  private static int eventLoops(EventLoopGroup loops) {
    int count = 0;
    for (var _ : loops) {
      count++;
    }
    return count;
  }

  /** From an event loop, as a request comes; it makes the difference for the loom carrier. */
  private static String look(EventLoopGroup loops, Executor executor) {
    CompletableFuture<String> seen = new CompletableFuture<>();
    loops.execute(() -> executor.execute(() -> seen.complete(describe())));
    return seen.join();
  }

  /** What the event loops of the connections really are. */
  static String loopsOf(ApplicationContext application) {
    EventLoopGroup loops = application.getBean(EventLoopGroup.class, Qualifiers.byName("default"));
    // The loom carrier's loops do not tell; theirs is that of the listener.
    String kind = "";
    if (loops instanceof IoEventLoopGroup io) {
      kind =
          io.isIoType(EpollIoHandler.class)
              ? " on epoll"
              : io.isIoType(IoUringIoHandler.class) ? " on io_uring" : io.isIoType(NioIoHandler.class) ? " on nio" : "";
    }
    return loops.getClass().getSimpleName() + kind;
  }

  private static String describe() {
    Thread thread = Thread.currentThread();
    if (!thread.isVirtual()) {
      return "platform thread " + thread.getName();
    }
    if (!PrivateLoomSupport.isSupported()) {
      return "virtual thread";
    }
    Thread carrier = PrivateLoomSupport.getCarrierThread(thread);
    return "virtual thread carried by " + (carrier == null ? "nothing" : carrier.getName());
  }
}
