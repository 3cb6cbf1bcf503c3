package echoladder.openloop.codec;

import echoladder.client.HttpAsk;
import java.lang.foreign.MemorySegment;

/**
 * One request, the same on every connection and for each message. An answer is right by its status: its body may be whatever the
 * server has to say, and is taken to its end.
 */
final class RequestTalk implements HttpExchange {
  private final MemorySegment request;
  private final int status;

  RequestTalk(HttpAsk ask) {
    request = MemorySegment.ofArray(ask.bytes());
    status = ask.status();
  }

  @Override
  public int requestBytes(int connection) {
    return (int) request.byteSize();
  }

  @Override
  public void request(MemorySegment out, int connection, long key, int from, int bytes) {
    MemorySegment.copy(request, from, out, 0, bytes);
  }

  @Override
  public boolean matches(int connection, long key, MemorySegment in, int at, int offset, int bytes) {
    return true;
  }

  @Override
  public boolean whole(int connection, int bytes) {
    return true;
  }

  @Override
  public int status() {
    return status;
  }
}
