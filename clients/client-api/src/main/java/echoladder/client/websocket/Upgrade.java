package echoladder.client.websocket;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The opening handshake (RFC 6455, section 4): what is asked, and what is wrong with an answer. No extension is offered, so
 * permessage-deflate (RFC 7692) is off: the bytes of a message are the bytes on the wire.
 */
public final class Upgrade {
  /** The status of a right answer: 101 Switching Protocols. */
  public static final int STATUS = 101;

  private static final String GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
  private static final String VERSION = "HTTP/1.1 ";
  private static final String LINE_END = "\r\n";
  private static final Pattern WHITE = Pattern.compile("^[ \t\r\n]+|[ \t\r\n]+$");

  private Upgrade() {}

  /** A key of these 16 bytes, always 24 characters long. */
  public static String key(long high, long low) {
    return Base64.getEncoder().encodeToString(ByteBuffer.allocate(16).putLong(high).putLong(low).array());
  }

  /** What a client asks at a path of {@code authority}, a host with its port. */
  public static byte[] request(String path, String authority, String key) {
    return ("GET " + path + " HTTP/1.1\r\nHost: " + authority + "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: " + key
            + "\r\nSec-WebSocket-Version: 13\r\n\r\n")
        .getBytes(StandardCharsets.US_ASCII);
  }

  /** The right answer to a key. */
  public static byte[] answer(String key) {
    return ("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: " + accept(key)
        + "\r\n\r\n")
        .getBytes(StandardCharsets.US_ASCII);
  }

  /** What a server has to say to a key. */
  public static String accept(String key) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-1").digest((key + GUID).getBytes(StandardCharsets.US_ASCII));
      return Base64.getEncoder().encodeToString(hash);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-1", e);
    }
  }

  /** The status of a whole head; -1 where it does not begin with a status line of HTTP/1.1. */
  public static int status(String head) {
    int end = VERSION.length() + 3;
    if (!head.startsWith(VERSION) || head.length() < end + 2 || (head.charAt(end) != ' ' && head.charAt(end) != '\r')) {
      return -1;
    }
    int status = 0;
    for (int i = VERSION.length(); i < end; i++) {
      int digit = head.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        return -1;
      }
      status = status * 10 + digit;
    }
    return status;
  }

  /**
   * The value of a header of that name without the white space around it; of several, their list (RFC 9110, section 5.3); null where
   * there is none. A line that begins with white space goes on with the one before it (RFC 9112, section 5.2).
   */
  public static @Nullable String header(String head, String name) {
    String value = null;
    int at = head.indexOf(LINE_END);
    while (at >= 0) {
      int line = at + LINE_END.length();
      int end = valueEnd(head, line);
      int colon = line + name.length();
      if (head.startsWith(":", colon) && head.regionMatches(true, line, name, 0, name.length())) {
        String more = stripped(head.substring(colon + 1, end < 0 ? head.length() : end));
        value = value == null ? more : value + ", " + more;
      }
      at = end;
    }
    return value;
  }

  private static int valueEnd(String head, int line) {
    int end = head.indexOf(LINE_END, line);
    while (end >= 0 && (head.startsWith(" ", end + LINE_END.length()) || head.startsWith("\t", end + LINE_END.length()))) {
      end = head.indexOf(LINE_END, end + LINE_END.length());
    }
    return end;
  }

  /** Without white space as RFC 9110, section 5.6.3, has it, and without the line ends of a folded value. */
  private static String stripped(String value) {
    return WHITE.matcher(value).replaceAll("");
  }

  /** The members of a list that are not empty (RFC 9110, section 5.6.1), in lower case. */
  private static List<String> members(@Nullable String list) {
    return list == null
        ? List.of()
        : Arrays.stream(list.split(",", -1))
            .map(member -> stripped(member).toLowerCase(Locale.ROOT))
            .filter(member -> !member.isEmpty())
            .toList();
  }

  /** What is wrong with the head of an answer whose status is right, in words of our own; null where nothing is. */
  public static @Nullable String complaint(String head, String key) {
    List<String> upgrade = members(header(head, "Upgrade"));
    String accept = header(head, "Sec-WebSocket-Accept");
    if (upgrade.isEmpty() || !upgrade.stream().allMatch("websocket"::equals)) {
      return "no header 'Upgrade: websocket'";
    }
    if (!members(header(head, "Connection")).contains("upgrade")) {
      return "no header 'Connection: Upgrade'";
    }
    if (accept == null) {
      return "no header Sec-WebSocket-Accept";
    }
    if (!accept.equals(accept(key))) {
      return "a Sec-WebSocket-Accept that is not that of its key";
    }
    if (!members(header(head, "Sec-WebSocket-Extensions")).isEmpty()) {
      return "an extension that was not asked for";
    }
    return members(header(head, "Sec-WebSocket-Protocol")).isEmpty() ? null : "a subprotocol that was not asked for";
  }
}
