package echoladder.openloop.codec;

import echoladder.openloop.result.Failures;
import java.lang.foreign.MemorySegment;

/** HTTP/1.1 with keep-alive (RFC 9112): what is asked, and what the right answer is, its {@link HttpExchange} says. */
public final class HttpCodec extends HttpAnswerReader implements Codec {
  private final HttpExchange talk;

  public HttpCodec(int connections, HttpExchange talk, Failures failures) {
    super(connections, talk, failures);
    this.talk = talk;
  }

  @Override
  public int requestBytes(int connection) {
    return talk.requestBytes(connection);
  }

  @Override
  public void request(MemorySegment out, int connection, long key, int from, int bytes) {
    talk.request(out, connection, key, from, bytes);
  }
}
