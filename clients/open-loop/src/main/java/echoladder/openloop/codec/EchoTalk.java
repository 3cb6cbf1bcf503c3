package echoladder.openloop.codec;

import echoladder.client.HttpAsk;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/** A POST with the message as body, answered by the same body. */
final class EchoTalk implements HttpExchange {
  /** By how much the body of an answer may be longer than the message, as a page that says what was wrong may be. */
  private static final int BEYOND_MESSAGE_BYTES = 1 << 20;

  private final int messageBytes;
  private final MemorySegment head;
  private final int headBytes;
  private final int status;

  EchoTalk(int messageBytes, HttpAsk ask, String authority) {
    this.status = ask.status();
    this.messageBytes = messageBytes;
    byte[] bytes =
        ("POST " + ask.path() + " HTTP/1.1\r\nHost: " + authority + "\r\nContent-Type: application/octet-stream\r\nContent-Length: "
                + messageBytes + "\r\n\r\n")
            .getBytes(StandardCharsets.US_ASCII);
    head = MemorySegment.ofArray(bytes);
    headBytes = bytes.length;
  }

  @Override
  public int requestBytes(int connection) {
    return headBytes + messageBytes;
  }

  @Override
  public void request(MemorySegment out, int connection, long key, int from, int bytes) {
    int ofHead = Math.clamp(headBytes - from, 0, bytes);
    MemorySegment.copy(head, Math.min(from, headBytes), out, 0, ofHead);
    if (bytes > ofHead) {
      Payload.fill(out, ofHead, key, from + ofHead - headBytes, bytes - ofHead);
    }
  }

  @Override
  public boolean matches(int connection, long key, MemorySegment in, int at, int offset, int bytes) {
    return bytes <= messageBytes - offset && Payload.matches(in, at, key, offset, bytes);
  }

  @Override
  public boolean whole(int connection, int bytes) {
    return bytes == messageBytes;
  }

  @Override
  public int mostBodyBytes() {
    return messageBytes + BEYOND_MESSAGE_BYTES;
  }

  @Override
  public int status() {
    return status;
  }
}
