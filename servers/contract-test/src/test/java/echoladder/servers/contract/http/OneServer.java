package echoladder.servers.contract.http;

import echoladder.servers.contract.Leaks;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One server for all tests of a parameterized class, which closes its argument after the last of them. Where it runs on
 * Netty its buffers are followed, and at the end none may have been left to the collector.
 */
final class OneServer implements AutoCloseable {
  private final HttpSubject subject;
  private @Nullable HttpServerUnderTest running;
  private @Nullable AssertionError failure;

  private OneServer(HttpSubject subject) {
    this.subject = subject;
  }

  /** Each of {@link HttpSubject#all}, not yet started. */
  static Stream<OneServer> all() {
    return HttpSubject.all().map(OneServer::new);
  }

  /** Each of {@link HttpSubject#echoingAndPushing}, not yet started. */
  static Stream<OneServer> echoingAndPushing() {
    return HttpSubject.echoingAndPushing().map(OneServer::new);
  }

  HttpSubject subject() {
    return subject;
  }

  /** Started by the first who asks; one that does not start is tried once. */
  HttpServerUnderTest server() {
    if (failure != null) {
      throw failure;
    }
    HttpServerUnderTest now = running;
    if (now == null) {
      List<String> argv = subject.argv(0, subject.impatient());
      try {
        now = HttpServerUnderTest.start(subject.onNetty() ? Leaks.followed(argv) : argv);
      } catch (Exception e) {
        failure = new AssertionError(subject + " did not start: " + e.getMessage(), e);
        throw failure;
      }
      running = now;
    }
    return now;
  }

  @Override
  public void close() throws IOException {
    HttpServerUnderTest now = running;
    running = null;
    if (now != null) {
      try (now) {
        if (subject.onNetty()) {
          now.leaksNothing(subject.target());
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new AssertionError(e);
      }
    }
  }

  @Override
  public String toString() {
    return subject.toString();
  }
}
