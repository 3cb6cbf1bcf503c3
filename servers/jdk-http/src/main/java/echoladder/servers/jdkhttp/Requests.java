package echoladder.servers.jdkhttp;

import echoladder.servers.kit.AcceptErrors;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * Runs requests as it is told to. One that finds no thread waits for those that there are, and one that finds no memory
 * ends with its connection: HttpServer would lose its only thread to the first and forget the connection of the second.
 */
final class Requests implements Executor {
  private final Executor threads;
  private final Executor otherwise;
  private final AcceptErrors errors;
  private final Consumer<Runnable> cutOff;

  /**
   * Runs the requests of one server.
   *
   * @param otherwise never needs another thread than those it has
   * @param cutOff closes the connection of a request
   */
  Requests(Executor threads, Executor otherwise, AcceptErrors errors, Consumer<Runnable> cutOff) {
    this.threads = threads;
    this.otherwise = otherwise;
    this.errors = errors;
    this.cutOff = cutOff;
  }

  @Override
  public void execute(Runnable request) {
    Runnable whole = () -> run(request);
    try {
      threads.execute(whole);
    } catch (OutOfMemoryError e) {
      errors.failed(e);
      otherwise.execute(whole);
    }
  }

  private void run(Runnable request) {
    try {
      request.run();
    } catch (OutOfMemoryError e) {
      errors.failed(e);
      cutOff.accept(request);
    }
  }
}
