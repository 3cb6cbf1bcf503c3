package echoladder.servers.micronauthttp;

import echoladder.servers.kit.AcceptErrors;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * A pool of threads in which a request that finds no further thread waits for one of those that there are. The JDK's own
 * pool fails such a request until it has all its threads, even while some are idle.
 */
final class HandlerPool extends AbstractExecutorService {
  private final ThreadPoolExecutor pool;
  private final AcceptErrors errors;

  /** Runs on threads that stay; the caller sees to it that one of them is started while there are threads to be had. */
  HandlerPool(ThreadPoolExecutor pool, AcceptErrors errors) {
    this.pool = pool;
    this.errors = errors;
  }

  @Override
  public void execute(Runnable request) {
    try {
      pool.execute(request);
    } catch (OutOfMemoryError e) {
      errors.failed(e);
      pool.getQueue().add(request);
    }
  }

  @Override
  public void shutdown() {
    pool.shutdown();
  }

  @Override
  public List<Runnable> shutdownNow() {
    return pool.shutdownNow();
  }

  @Override
  public boolean isShutdown() {
    return pool.isShutdown();
  }

  @Override
  public boolean isTerminated() {
    return pool.isTerminated();
  }

  @Override
  public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
    return pool.awaitTermination(timeout, unit);
  }
}
