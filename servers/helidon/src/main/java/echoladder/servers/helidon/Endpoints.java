package echoladder.servers.helidon;

import echoladder.servers.kit.AcceptErrors;
import echoladder.servers.kit.EchoMetrics;
import echoladder.servers.kit.HeavyDuration;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.Method;
import io.helidon.http.RequestException;
import io.helidon.http.Status;
import io.helidon.webserver.http.Handler;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import org.jspecify.annotations.Nullable;

/** POST /echo, GET /api/light and GET /api/heavy, in blocking code on the virtual thread of the connection. Thread-safe. */
final class Endpoints implements Farewell {
  private static final byte[] NOTHING = {};

  private final EchoMetrics metrics;
  private final Requests requests;
  private final @Nullable Peers peers;

  /**
   * Begins without a request.
   *
   * @param peers the connections over TLS, whose clients are told of the end; null = without TLS they end with the process
   */
  Endpoints(EchoMetrics metrics, AcceptErrors errors, @Nullable Peers peers) {
    this.peers = peers;
    this.metrics = metrics;
    this.requests = new Requests(errors);
  }

  void route(HttpRouting.Builder routing) {
    if (peers != null) {
      routing.addFilter(Requests::asked);
    }
    routing
        .addFilter(Requests::endsAfterTheLast)
        .post("/echo", requests.counted(this::echo))
        .get("/api/light", requests.counted((request, answer) -> answer.send("light\n")))
        .get("/api/heavy", requests.counted(Endpoints::heavy))
        .any("/echo", only("POST"))
        .any("/api/light", only("GET"))
        .any("/api/heavy", only("GET"));
  }

  private void echo(ServerRequest request, ServerResponse answer) {
    byte[] body;
    try {
      body = request.content().hasEntity() ? request.content().as(byte[].class) : NOTHING;
    } catch (RuntimeException e) {
      // A broken chunk, or too many of them. Helidon would wait for the rest of the body before it answers.
      Status status = e instanceof RequestException known ? known.status() : Status.BAD_REQUEST_400;
      Requests.refuse(answer, status, "the body is broken, or too large");
      return;
    }
    metrics.received(body.length);
    answer.header(HeaderValues.CONTENT_TYPE_OCTET_STREAM).send(body);
    metrics.sent(body.length);
  }

  private static void heavy(ServerRequest request, ServerResponse answer) throws InterruptedException {
    CountedConnection connection = CountedConnection.current();
    connection.answering(true);
    try {
      Thread.sleep(HeavyDuration.ofQuery(request.query().rawValue()));
      answer.send("heavy\n");
    } catch (IllegalArgumentException e) {
      answer.status(Status.BAD_REQUEST_400).send(e.getMessage() + "\n");
    } finally {
      connection.answering(false);
    }
  }

  /** Answers that the path knows another method. */
  static Handler only(String method) {
    return (request, answer) ->
        refuse(request, answer.status(Status.METHOD_NOT_ALLOWED_405).header(HeaderNames.ALLOW, method), "only " + method + " here\n");
  }

  /** Sends an answer whose text says why it is no other. Helidon would send the text to a HEAD too, whose answer has no body. */
  static void refuse(ServerRequest request, ServerResponse answer, String why) {
    if (request.prologue().method().equals(Method.HEAD)) {
      answer.send();
    } else {
      answer.send(why);
    }
  }

  @Override
  public void begin() {
    requests.begin();
  }

  @Override
  public long inFlight() {
    return requests.inFlight();
  }

  @Override
  public void say() {
    // Each answer has said that it is the last one. Connections without a request end now over TLS, else with the process.
    if (peers != null) {
      peers.say();
    }
  }

  @Override
  public long left() {
    return peers == null ? inFlight() : peers.left();
  }
}
