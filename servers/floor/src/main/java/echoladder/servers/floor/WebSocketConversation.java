package echoladder.servers.floor;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * An upgrade at GET /echo, and then messages that are echoed with their opcode (RFC 6455). A message in fragments is sent back in
 * one frame once it is whole. There are no extensions.
 */
final class WebSocketConversation extends Conversation {
  private static final int GOING_AWAY = 1001;
  private static final int INVALID_DATA = 1007;
  private static final int KEY_BYTES = 16;
  private static final int MOST_HEAD_BYTES = 16 << 10;

  /** RFC 6455, 1.3. */
  private static final String ACCEPTS = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

  private static final byte[] GET = HttpText.ascii("GET");
  private static final byte[] PATH = HttpText.ascii("/echo");
  private static final byte[] NOTHING = {};

  /**
   * What the conversations of a loop share.
   *
   * @param head reads one head of a request at a time
   * @param frame reads one head of a frame at a time
   * @param text reads one text at a time that is there in whole
   */
  private record Shared(HttpHead head, WebSocketFrame frame, Utf8 text, int maxMessageBytes) {}

  /** A message of which the last frame is yet to come. */
  private static final class Fragments {
    private final int opcode;
    private final Utf8 text = new Utf8();
    private byte[] bytes = NOTHING;
    private int count;

    Fragments(int opcode) {
      this.opcode = opcode;
    }

    /** Takes one; false where it is no text any more. */
    boolean takes(byte[] from, int at, int more) {
      if (count + more > bytes.length) {
        bytes = Arrays.copyOf(bytes, Math.max(count + more, 2 * bytes.length));
      }
      System.arraycopy(from, at, bytes, count, more);
      count += more;
      return opcode != WebSocketFrame.TEXT || text.takes(from, at, at + more);
    }
  }

  private final Shared shared;
  private int searchedBytes;
  private boolean upgraded;
  private @Nullable Fragments fragments;

  private WebSocketConversation(int fd, Shared shared) {
    super(fd);
    this.shared = shared;
  }

  /** Makes the conversations of one loop, by their descriptors. */
  static IntFunction<Conversation> ofLoop(int maxMessageBytes) {
    Shared shared = new Shared(new HttpHead(), new WebSocketFrame(), new Utf8(), maxMessageBytes);
    return fd -> new WebSocketConversation(fd, shared);
  }

  /** A peer may take its time for a message: what it costs meanwhile is bounded. */
  @Override
  boolean hurries() {
    return !upgraded;
  }

  @Override
  int one(byte[] bytes, int from, Outgoing out) {
    return upgraded ? frame(bytes, from, out) : upgrade(bytes, from, out);
  }

  private int upgrade(byte[] bytes, int from, Outgoing out) {
    HttpHead head = shared.head();
    int read = head.read(bytes, from, limit(), searchedBytes, MOST_HEAD_BYTES);
    if (read == HttpHead.INCOMPLETE) {
      searchedBytes = limit() - from;
      need(searchedBytes + 1);
      return INCOMPLETE;
    }
    if (read != HttpHead.WHOLE) {
      return refuse(read, "", Answers.why(read), out);
    }
    if (!head.isPath(PATH)) {
      return refuse(404, "", "there is /echo\n", out);
    }
    if (!head.isMethod(GET)) {
      return refuse(405, "Allow: GET\r\n", "an upgrade is asked for by GET\n", out);
    }
    if (!head.upgrades() || !isKey(head.key()) || head.hasBody()) {
      return refuse(
          HttpHead.BAD, "", "an upgrade has Upgrade: websocket, Connection: Upgrade, a Sec-WebSocket-Key of 16 bytes and no body\n", out);
    }
    if (!head.version().equals("13")) {
      return refuse(426, "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n", "the version spoken here is 13\n", out);
    }
    upgraded = true;
    out.put(
        HttpText.ascii(
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: "
                + accept(head.key()) + "\r\n\r\n"));
    return head.end();
  }

  private static boolean isKey(String key) {
    try {
      return Base64.getDecoder().decode(key).length == KEY_BYTES;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static String accept(String key) {
    try {
      byte[] sum = MessageDigest.getInstance("SHA-1").digest((key + ACCEPTS).getBytes(StandardCharsets.US_ASCII));
      return Base64.getEncoder().encodeToString(sum);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JDK has SHA-1", e);
    }
  }

  private int refuse(int status, String headers, String text, Outgoing out) {
    out.put(Answers.last(status, headers, text));
    endAfterThis();
    return limit();
  }

  private int frame(byte[] bytes, int from, Outgoing out) {
    WebSocketFrame frame = shared.frame();
    Fragments begun = fragments;
    int mostBytes = shared.maxMessageBytes() - (begun == null ? 0 : begun.count);
    int read = frame.read(bytes, from, limit(), mostBytes, begun != null);
    int frameBytes = frame.headBytes() + (read == WebSocketFrame.WHOLE ? frame.payloadBytes() : 0);
    if (read > WebSocketFrame.WHOLE) {
      return fail(read, out);
    }
    if (read == WebSocketFrame.INCOMPLETE || limit() - from < frameBytes) {
      need(frameBytes);
      return INCOMPLETE;
    }
    frame.unmask(bytes, from);
    int payload = from + frame.headBytes();
    int code =
        switch (frame.opcode()) {
          case WebSocketFrame.PING -> {
            frame.send(WebSocketFrame.PONG, bytes, payload, frame.payloadBytes(), out);
            yield 0;
          }
          case WebSocketFrame.PONG -> 0;
          case WebSocketFrame.CLOSE -> close(frame, bytes, payload, out);
          default -> data(frame, bytes, payload, begun, out);
        };
    return code > 0 ? fail(code, out) : from + frameBytes;
  }

  /** Takes a frame of a message; gives 0, or the close code for what is wrong with it. */
  private int data(WebSocketFrame frame, byte[] bytes, int payload, @Nullable Fragments begun, Outgoing out) {
    int count = frame.payloadBytes();
    if (begun == null && frame.last()) {
      if (frame.opcode() == WebSocketFrame.TEXT && !isText(bytes, payload, payload + count)) {
        return INVALID_DATA;
      }
      frame.send(frame.opcode(), bytes, payload, count, out);
      echoed(count);
      return 0;
    }
    Fragments message = begun == null ? new Fragments(frame.opcode()) : begun;
    fragments = message;
    if (!message.takes(bytes, payload, count)) {
      return INVALID_DATA;
    }
    if (frame.last()) {
      if (!message.text.whole()) {
        return INVALID_DATA;
      }
      fragments = null;
      frame.send(message.opcode, message.bytes, 0, message.count, out);
      echoed(message.count);
    }
    return 0;
  }

  private boolean isText(byte[] bytes, int from, int to) {
    shared.text().begin();
    return shared.text().takes(bytes, from, to) && shared.text().whole();
  }

  /** Sends a close back; gives 0, or the code for what is wrong with it. */
  private int close(WebSocketFrame frame, byte[] bytes, int payload, Outgoing out) {
    int count = frame.payloadBytes();
    if (count == 1 || (count > 1 && !mayBeSent(((bytes[payload] & 0xff) << 8) | (bytes[payload + 1] & 0xff)))) {
      return WebSocketFrame.PROTOCOL_ERROR;
    }
    if (count > 2 && !isText(bytes, payload + 2, payload + count)) {
      return INVALID_DATA;
    }
    frame.send(WebSocketFrame.CLOSE, bytes, payload, Math.min(count, 2), out);
    endAfterThis();
    return 0;
  }

  /** RFC 6455, 7.4, with the codes that were registered since. */
  private static boolean mayBeSent(int code) {
    return (code >= 1000 && code <= 1003) || (code >= 1007 && code <= 1014) || (code >= 3000 && code <= 4999);
  }

  private int fail(int code, Outgoing out) {
    sendClose(code, out);
    endAfterThis();
    return limit();
  }

  private void sendClose(int code, Outgoing out) {
    byte[] payload = {(byte) (code >> 8), (byte) code};
    shared.frame().send(WebSocketFrame.CLOSE, payload, 0, payload.length, out);
  }

  @Override
  void farewell(Outgoing out) {
    if (upgraded && out.stopping()) {
      sendClose(GOING_AWAY, out);
    }
  }
}
