package echoladder.servers.floor;

import echoladder.servers.kit.HeavyDuration;
import echoladder.servers.kit.options.HttpOptions;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Requests of HTTP/1.1, one after the other: POST /echo, GET /api/light, GET /api/heavy. Whatever is refused is the last. */
final class HttpConversation extends Conversation {
  private static final int BAD = 400;
  private static final int OK = 200;

  private static final byte[] GET = HttpText.ascii("GET");
  private static final byte[] POST = HttpText.ascii("POST");
  private static final byte[] ECHO = HttpText.ascii("/echo");
  private static final byte[] LIGHT = HttpText.ascii("/api/light");
  private static final byte[] HEAVY = HttpText.ascii("/api/heavy");

  private static final byte[] ECHO_HEAD =
      HttpText.ascii("HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\nContent-Length: ");
  private static final byte[] GOES_ON = HttpText.ascii("\r\n\r\n");
  private static final byte[] IS_LAST = HttpText.ascii("\r\nConnection: close\r\n\r\n");
  private static final byte[] LIGHT_ANSWER = Answers.text(OK, "light\n", false);

  /**
   * What the conversations of a loop share.
   *
   * @param head reads one head at a time
   */
  private record Shared(HttpHead head, int maxBodyBytes, int maxHeadBytes) {}

  private final Shared shared;
  private int searchedBytes;
  private boolean inBody;
  private int bodyFrom;
  private int bodyBytes;
  private @Nullable Chunks chunks;
  private boolean lastAsked;

  private HttpConversation(int fd, Shared shared) {
    super(fd);
    this.shared = shared;
  }

  /** Makes the conversations of one loop, by their descriptors. */
  static IntFunction<Conversation> ofLoop(HttpOptions options) {
    Shared shared = new Shared(new HttpHead(), options.maxBodyBytes(), options.maxHeaderBytes());
    return fd -> new HttpConversation(fd, shared);
  }

  @Override
  int one(byte[] bytes, int from, Outgoing out) {
    if (inBody) {
      return body(bytes, from, out);
    }
    HttpHead head = shared.head();
    int read = head.read(bytes, from, limit(), searchedBytes, shared.maxHeadBytes());
    if (read == HttpHead.INCOMPLETE) {
      searchedBytes = limit() - from;
      need(searchedBytes + 1);
      return INCOMPLETE;
    }
    searchedBytes = 0;
    if (read != HttpHead.WHOLE) {
      return refuse(read, Answers.why(read), out);
    }
    lastAsked = head.close();
    if (head.isPath(ECHO)) {
      return echo(head, bytes, from, out);
    }
    boolean heavy = head.isPath(HEAVY);
    if (!heavy && !head.isPath(LIGHT)) {
      return refuse(404, "there are POST /echo, GET /api/light and GET /api/heavy?duration=500\n", out);
    }
    if (!head.isMethod(GET)) {
      return refuse(405, "Allow: GET\r\n", "it is asked for by GET\n", out);
    }
    if (head.hasBody()) {
      return refuse(BAD, "a GET has no body here\n", out);
    }
    if (heavy) {
      return heavy(head, out);
    }
    answer(LIGHT_ANSWER, "light\n", out);
    return head.end();
  }

  private int echo(HttpHead head, byte[] bytes, int from, Outgoing out) {
    if (!head.isMethod(POST)) {
      return refuse(405, "Allow: POST\r\n", "it is asked for by POST\n", out);
    }
    if (head.contentLength() > shared.maxBodyBytes()) {
      return refuseBody(out);
    }
    inBody = true;
    bodyFrom = head.end() - from;
    bodyBytes = (int) Math.max(0, head.contentLength());
    chunks = head.chunked() ? new Chunks(bodyFrom, shared.maxBodyBytes(), shared.maxHeadBytes()) : null;
    return body(bytes, from, out);
  }

  private int body(byte[] bytes, int from, Outgoing out) {
    if (chunks != null) {
      return chunked(chunks, bytes, from, out);
    }
    int there = limit() - from;
    if (there < bodyFrom + bodyBytes) {
      need(bodyFrom + bodyBytes);
      return INCOMPLETE;
    }
    echoBody(bytes, from + bodyFrom, bodyBytes, out);
    return from + bodyFrom + bodyBytes;
  }

  private int chunked(Chunks body, byte[] bytes, int from, Outgoing out) {
    int read = body.read(bytes, from, limit());
    if (read == Chunks.INCOMPLETE) {
      shrink(from + body.end());
      need(body.end() + 1);
      return INCOMPLETE;
    }
    if (read != Chunks.WHOLE) {
      return read == BAD ? refuse(BAD, "the body's chunks are broken\n", out) : refuseBody(out);
    }
    echoBody(bytes, from + body.bodyFrom(), body.bodyBytes(), out);
    return from + body.end();
  }

  private void echoBody(byte[] bytes, int from, int count, Outgoing out) {
    inBody = false;
    chunks = null;
    boolean last = isLast(out);
    out.put(ECHO_HEAD);
    out.putNumber(count);
    out.put(last ? IS_LAST : GOES_ON);
    out.put(bytes, from, count);
    echoed(count);
  }

  private int heavy(HttpHead head, Outgoing out) {
    try {
      long ms = HeavyDuration.ofQuery(head.query(HEAVY)).toMillis();
      if (ms == 0) {
        timeUp(out);
      } else {
        await(TimeUnit.MILLISECONDS.toNanos(ms));
      }
      return head.end();
    } catch (IllegalArgumentException e) {
      return refuse(BAD, e.getMessage() + "\n", out);
    }
  }

  @Override
  void timeUp(Outgoing out) {
    answer(Answers.text(OK, "heavy\n", false), "heavy\n", out);
  }

  private void answer(byte[] goesOn, String text, Outgoing out) {
    out.put(isLast(out) ? Answers.text(OK, text, true) : goesOn);
  }

  /** Whether the answer that is made now is the last, by the client's wish or because the server stops. */
  private boolean isLast(Outgoing out) {
    boolean last = lastAsked || out.stopping();
    if (last) {
      endAfterThis();
    }
    return last;
  }

  private int refuseBody(Outgoing out) {
    return refuse(413, "a body may have " + shared.maxBodyBytes() + " bytes\n", out);
  }

  private int refuse(int status, String text, Outgoing out) {
    return refuse(status, "", text, out);
  }

  private int refuse(int status, String headers, String text, Outgoing out) {
    out.put(Answers.last(status, headers, text));
    endAfterThis();
    return limit();
  }
}
