package echoladder.openloop.codec;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import echoladder.client.PushPaths;
import echoladder.openloop.result.Answer;
import echoladder.openloop.result.Failures;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/**
 * Publishing by POST on one HTTP/1.1 connection. Requests do not wait for the answers before them (RFC 9112, 9.3.2), so that the load stays
 * open; none is ever sent twice. An answer is right with a status from 200 to 299. Where its body is a number, that is how many subscribers
 * the message went to.
 */
final class HttpPublishTalk implements PublishTalk {
  private static final int MOST_COUNT_LETTERS = 10;
  private static final Pattern COUNT = Pattern.compile("[0-9]{1,9}");
  private static final int MOST_HEAD_BYTES = 8 << 10;

  private final PushPaths paths;
  private final String behindPath;
  private final long salt;
  private final int messageBytes;
  private final HttpAnswerReader answers;
  private final Counted counted = new Counted();

  /**
   * Publishes at a server.
   *
   * @param authority the server, as host and port
   * @param salt of the load, as {@link Payload#salt}
   */
  HttpPublishTalk(PushPaths paths, String authority, long salt, int messageBytes, Failures failures) {
    this.paths = paths;
    this.behindPath =
        " HTTP/1.1\r\nHost: " + authority + "\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: " + messageBytes + "\r\n\r\n";
    this.salt = salt;
    this.messageBytes = messageBytes;
    this.answers = new HttpAnswerReader(1, counted, failures);
  }

  /** RFC 9112, 9.3: a server may end a connection that has been idle, by its own bound. */
  @Override
  public boolean lasts() {
    return false;
  }

  @Override
  public int mostBytes() {
    return MOST_HEAD_BYTES + messageBytes;
  }

  @Override
  public int publish(MemorySegment out, Delivery of) {
    byte[] head = ("POST " + paths.publishPath(of.topic) + behindPath).getBytes(StandardCharsets.US_ASCII);
    MemorySegment.copy(head, 0, out, JAVA_BYTE, 0, head.length);
    PushText.put(out, head.length, salt, of, messageBytes);
    return head.length + messageBytes;
  }

  @Override
  public void take(MemorySegment in, int n, Answers into) {
    if (into.topic() < 0 && HttpHead.refuses(in, 0, n)) {
      return; // A server may say 408 Request Timeout before it ends an idle connection.
    }
    for (int at = 0; at < n; ) {
      at = answers.take(0, 0, in, at, n);
      if (!answers.complete()) {
        continue;
      }
      int subscribers = counted.take();
      if (answers.answer() == Answer.BROKEN || into.topic() < 0) {
        into.broken("bytes that answer no publish");
        return;
      }
      // What was refused went to nobody.
      into.published(answers.answer() == Answer.RIGHT ? subscribers : 0);
      if (answers.closes()) {
        into.broken("the server closes the connection behind an answer");
        return;
      }
    }
  }

  /** Reads the body of an answer as a number, whatever it is. */
  private static final class Counted implements HttpAnswers {
    private final byte[] text = new byte[MOST_COUNT_LETTERS];
    private int letters;

    /** The number, or {@link PublishTalk#UNTOLD}; forgets it. */
    int take() {
      String body = letters > text.length ? "" : new String(text, 0, letters, StandardCharsets.ISO_8859_1).strip();
      letters = 0;
      return COUNT.matcher(body).matches() ? Integer.parseInt(body) : UNTOLD;
    }

    @Override
    public boolean matches(int connection, long key, MemorySegment in, int at, int offset, int bytes) {
      int kept = Math.clamp(text.length - offset, 0, bytes);
      MemorySegment.copy(in, JAVA_BYTE, at, text, Math.min(offset, text.length), kept);
      letters = offset + bytes;
      return true;
    }

    @Override
    public boolean whole(int connection, int bytes) {
      return true;
    }

    @Override
    public int status() {
      return 200;
    }

    @Override
    public boolean right(int status) {
      return status / 100 == 2;
    }
  }
}
