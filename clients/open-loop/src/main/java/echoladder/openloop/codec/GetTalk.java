package echoladder.openloop.codec;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import echoladder.client.StagedLoad;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** {@code GET} of the requests of a staged load, one kind on each connection; a right body begins as they say. */
final class GetTalk implements HttpExchange {
  private final MemorySegment[] requests;
  private final MemorySegment[] answers;

  GetTalk(List<StagedLoad.Request> asked, String authority) {
    requests = new MemorySegment[asked.size()];
    answers = new MemorySegment[asked.size()];
    for (int i = 0; i < requests.length; i++) {
      requests[i] = ascii("GET " + asked.get(i).path() + " HTTP/1.1\r\nHost: " + authority + "\r\n\r\n");
      answers[i] = ascii(asked.get(i).answer());
    }
  }

  private static MemorySegment ascii(String text) {
    return MemorySegment.ofArray(text.getBytes(StandardCharsets.US_ASCII));
  }

  @Override
  public int requestBytes(int connection) {
    return (int) requests[connection % requests.length].byteSize();
  }

  @Override
  public void request(MemorySegment out, int connection, long key, int from, int bytes) {
    MemorySegment.copy(requests[connection % requests.length], from, out, 0, bytes);
  }

  @Override
  public boolean matches(int connection, long key, MemorySegment in, int at, int offset, int bytes) {
    MemorySegment answer = answers[connection % answers.length];
    int end = (int) Math.min(answer.byteSize(), (long) offset + bytes);
    for (int i = offset; i < end; i++) {
      if (in.get(JAVA_BYTE, at + i - offset) != answer.get(JAVA_BYTE, i)) {
        return false;
      }
    }
    return true;
  }

  @Override
  public boolean whole(int connection, int bytes) {
    return bytes >= answers[connection % answers.length].byteSize();
  }

  @Override
  public int status() {
    return 200;
  }
}
