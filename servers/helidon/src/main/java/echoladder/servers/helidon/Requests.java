package echoladder.servers.helidon;

import echoladder.servers.kit.AcceptErrors;
import io.helidon.http.HeaderValues;
import io.helidon.http.Status;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.http.FilterChain;
import io.helidon.webserver.http.Handler;
import io.helidon.webserver.http.RoutingRequest;
import io.helidon.webserver.http.RoutingResponse;
import io.helidon.webserver.http.ServerResponse;

/** The requests that are being answered. Each answer is the last one of its connection once the server was told to stop. Thread-safe. */
final class Requests {
  private final AcceptErrors errors;
  private final InFlight inProgress = new InFlight();
  private volatile boolean goodbye;

  Requests(AcceptErrors errors) {
    this.errors = errors;
  }

  /** Tells a connection over TLS that its first request has come. */
  static void asked(FilterChain chain, RoutingRequest request, RoutingResponse answer) {
    CountedConnection.current().asked();
    chain.proceed();
  }

  /** Ends a connection after an answer that says so, which Helidon 4.5.0 does not: it would answer what the client has sent behind. */
  static void endsAfterTheLast(FilterChain chain, RoutingRequest request, RoutingResponse answer) {
    chain.proceed();
    if (answer.headers().containsToken(HeaderValues.CONNECTION_CLOSE)) {
      throw new CloseConnectionException("the answer was the last one");
    }
  }

  /** The last answer: what the client may still be sending is not wanted. */
  static void refuse(ServerResponse answer, Status status, String why) {
    answer.status(status).header(HeaderValues.CONNECTION_CLOSE).send(why + "\n");
  }

  /** A handler whose requests are in progress until it returns. */
  Handler counted(Handler handler) {
    return (request, answer) -> {
      inProgress.begin();
      try {
        if (goodbye) {
          answer.header(HeaderValues.CONNECTION_CLOSE);
        }
        handler.handle(request, answer);
      } catch (OutOfMemoryError e) {
        // Of direct memory, or of threads. Helidon makes an answer of it and tells nobody.
        errors.failed(e);
        throw e;
      } finally {
        inProgress.end();
      }
    };
  }

  /** The server was told to stop. */
  void begin() {
    goodbye = true;
  }

  /** Requests in progress. */
  long inFlight() {
    return inProgress.count();
  }
}
