package echoladder.servers.helidon;

import io.helidon.webserver.http.ServerRequest;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** An event as it goes out: its line, which is the body of a publish, and the blank line behind. */
final class EventText {
  private static final byte[] BEGIN = "data: ".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] END = "\n\n".getBytes(StandardCharsets.US_ASCII);

  /** What a head announces is not there yet, so only so much ahead. */
  private static final int FIRST_BYTES = 64 << 10;

  private static final int DECODED_CHARS = 1 << 10;

  private EventText() {}

  /** Reads the body of a request, as an event. A RuntimeException of Helidon's says that it is broken or too large. */
  static byte[] read(ServerRequest request) throws IOException {
    int announced = (int) Math.min(FIRST_BYTES, request.headers().contentLength().orElse(0));
    byte[] event = Arrays.copyOf(BEGIN, BEGIN.length + announced + END.length);
    int filled = BEGIN.length;
    if (request.content().hasEntity()) {
      InputStream in = request.content().inputStream();
      while (true) {
        int room = event.length - END.length - filled;
        if (room > 0) {
          int n = in.read(event, filled, room);
          if (n < 0) {
            break;
          }
          filled += n;
        } else {
          int next = in.read();
          if (next < 0) {
            break;
          }
          event = Arrays.copyOf(event, 2 * event.length);
          event[filled++] = (byte) next;
        }
      }
    }
    if (filled + END.length < event.length) {
      event = Arrays.copyOf(event, filled + END.length);
    }
    System.arraycopy(END, 0, event, filled, END.length);
    return event;
  }

  /** How many bytes the body has. */
  static int bodyBytes(byte[] event) {
    return event.length - BEGIN.length - END.length;
  }

  /** Whether the body is a line of UTF-8: an event holds it byte by byte. */
  static boolean isLine(byte[] event) {
    boolean ascii = true;
    for (int i = BEGIN.length; i < event.length - END.length; i++) {
      if (event[i] == '\n' || event[i] == '\r') {
        return false;
      }
      ascii &= event[i] >= 0;
    }
    return ascii || isUtf8(ByteBuffer.wrap(event, BEGIN.length, bodyBytes(event)));
  }

  private static boolean isUtf8(ByteBuffer bytes) {
    CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
    CharBuffer chars = CharBuffer.allocate(DECODED_CHARS);
    CoderResult result = decoder.decode(bytes, chars, true);
    while (result.isOverflow()) {
      result = decoder.decode(bytes, chars.clear(), true);
    }
    return !result.isError();
  }
}
