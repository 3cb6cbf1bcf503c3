package echoladder.servers.helidon;

import echoladder.servers.kit.PushTopics.Subscription;
import io.helidon.http.Header;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.RequestException;
import io.helidon.http.Status;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Push over HTTP: GET /subscribe and POST /publish. The virtual thread of a subscriber's connection writes its stream, and a second one
 * looks for the client's end. Thread-safe.
 */
final class Events implements Farewell {
  private static final String TOPIC = "topic";
  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,10}");
  private static final Header NO_STORE = HeaderValues.create(HeaderNames.CACHE_CONTROL, "no-store");
  private static final String NOTHING_ELSE = "there are GET /subscribe?topic=N and POST /publish?topic=N\n";
  private static final int IGNORED_BYTES = 64;

  private final Push push;
  private final Requests requests;

  Events(Push push) {
    this.push = push;
    this.requests = new Requests(push.context().acceptErrors());
  }

  void route(HttpRouting.Builder routing) {
    routing
        .addFilter(Requests::endsAfterTheLast)
        .get("/subscribe", this::stream)
        .post("/publish", requests.counted(this::publish))
        .any("/subscribe", Endpoints.only("GET"))
        .any("/publish", Endpoints.only("POST"))
        .any((request, answer) -> Endpoints.refuse(request, answer.status(Status.NOT_FOUND_404), NOTHING_ELSE));
  }

  /** The topic that a request names; negative where it names none, or several. */
  private static int topic(ServerRequest request) {
    try {
      List<String> named = request.query().all(TOPIC, List::of);
      long topic = named.size() == 1 && NUMBER.matcher(named.getFirst()).matches() ? Long.parseLong(named.getFirst()) : -1;
      return topic <= Integer.MAX_VALUE ? (int) topic : -1;
    } catch (IllegalArgumentException e) {
      return -1; // A broken escape.
    }
  }

  private void refuse(ServerResponse answer, String why) {
    push.metrics().malformed();
    answer.status(Status.BAD_REQUEST_400).send(why + "\n");
  }

  private void refuseTopic(ServerResponse answer) {
    refuse(answer, "topic is a whole number from 0 to 2147483647");
  }

  private void publish(ServerRequest request, ServerResponse answer) {
    int topic = topic(request);
    if (topic < 0) {
      refuseTopic(answer);
      return;
    }
    byte[] event;
    try {
      event = EventText.read(request);
    } catch (IOException | RuntimeException e) {
      // A broken chunk, or too many of them. Helidon would wait for the rest of the body before it answers.
      Status status = e instanceof RequestException known ? known.status() : Status.BAD_REQUEST_400;
      Requests.refuse(answer, status, "the body is broken, or too large");
      return;
    }
    if (!EventText.isLine(event)) {
      refuse(answer, "a message is one line of UTF-8");
      return;
    }
    push.context().metrics().received(EventText.bodyBytes(event));
    answer.send(push.topics().publish(topic, event) + "\n");
  }

  /** Writes events until either end has enough of it, and never answers what comes behind. */
  private void stream(ServerRequest request, ServerResponse answer) {
    int topic = topic(request);
    if (topic < 0) {
      refuseTopic(answer);
      return;
    }
    CountedConnection connection = CountedConnection.current();
    // The request has arrived, and its answer may take for ever.
    connection.answering(true);
    Peer peer = connection.peer();
    EventOutbox out = new EventOutbox(peer, push);
    Subscription subscription = push.topics().subscribe(topic, out);
    boolean whole = false;
    try {
      peer.goodbye(out::finish);
      // The head tells that messages are due.
      EventSink sink = answer.header(HeaderValues.CONTENT_TYPE_EVENT_STREAM).header(NO_STORE).sink(EventSink.TYPE);
      Thread.ofVirtual().start(() -> awaitEnd(peer, out));
      out.writeAll(sink);
      whole = !out.hasEnded();
      if (whole) {
        sink.close();
      }
    } catch (OutOfMemoryError e) {
      push.context().acceptErrors().failed(e);
    } finally {
      push.topics().leave(subscription, false);
      if (!whole) {
        out.abandon();
      }
    }
    throw new CloseConnectionException("a stream is the last answer of its connection");
  }

  /** Reads until the client ends its side, as Helidon reads nothing while a stream is written. */
  private static void awaitEnd(Peer peer, EventOutbox out) {
    ByteBuffer ignored = ByteBuffer.allocate(IGNORED_BYTES);
    try {
      while (peer.channel().read(ignored) >= 0) {
        ignored.clear();
      }
    } catch (IOException e) {
      // A reset, or this end has closed it.
    }
    out.abandon();
  }

  @Override
  public void begin() {
    requests.begin();
    push.peers().begin();
  }

  @Override
  public Duration quietMost(Duration limit) {
    return limit.dividedBy(2);
  }

  @Override
  public long inFlight() {
    return requests.inFlight();
  }

  @Override
  public void say() {
    push.peers().say();
  }

  @Override
  public long left() {
    return push.peers().left();
  }
}
