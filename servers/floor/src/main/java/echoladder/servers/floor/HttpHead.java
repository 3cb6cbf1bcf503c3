package echoladder.servers.floor;

import static echoladder.servers.floor.HttpText.ascii;
import static echoladder.servers.floor.HttpText.behindAuthority;
import static echoladder.servers.floor.HttpText.behindText;
import static echoladder.servers.floor.HttpText.behindToken;
import static echoladder.servers.floor.HttpText.is;
import static echoladder.servers.floor.HttpText.isBlank;
import static echoladder.servers.floor.HttpText.lists;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The head of an HTTP/1.1 request, read where it lies in one pass. What RFC 9112 lets a receiver refuse is refused: two readings
 * of one request are one too many. One for each loop, as its fields are those of the last head alone. The metrics page has a reader
 * of its own ({@code HttpRequest} of kit): that one blocks on a stream and makes texts, which would be most of the floor's cost.
 */
final class HttpHead {
  /** The head goes on. */
  static final int INCOMPLETE = 0;

  /** The head is there; every other result is the status that refuses it. */
  static final int WHOLE = 1;

  static final int BAD = 400;
  private static final int EXPECTATION_FAILED = 417;
  private static final int TOO_LARGE = 431;
  private static final int VERSION_NOT_SUPPORTED = 505;

  private static final byte[] VERSION = ascii("HTTP/1.1\r\n");
  private static final int MAJOR = 5;
  private static final int BEHIND_MINOR = 8;
  private static final byte[] HOST = ascii("host");
  private static final byte[] EXPECT = ascii("expect");
  private static final byte[] UPGRADE = ascii("upgrade");
  private static final byte[] WEBSOCKET = ascii("websocket");
  private static final byte[] CONNECTION = ascii("connection");
  private static final byte[] CLOSE = ascii("close");
  private static final byte[] CONTENT_LENGTH = ascii("content-length");
  private static final byte[] TRANSFER_ENCODING = ascii("transfer-encoding");
  private static final byte[] CHUNKED = ascii("chunked");
  private static final byte[] WEBSOCKET_KEY = ascii("sec-websocket-key");
  private static final byte[] WEBSOCKET_VERSION = ascii("sec-websocket-version");

  /** So that no sum overflows; more is beyond every bound here. */
  private static final int LENGTH_DIGITS_MAX = 18;

  private byte[] bytes = {};
  private int end;
  private int methodFrom;
  private int methodTo;
  private int targetFrom;
  private int targetTo;
  private int hosts;
  private long contentLength;
  private boolean chunked;
  private boolean close;
  private boolean upgradesConnection;
  private boolean upgradesToWebSocket;
  private String key = "";
  private String version = "";

  /**
   * Reads the head that begins at {@code from}.
   *
   * @param searched how many of its bytes were there the last time, when it was incomplete; else 0
   * @param mostBytes of a head
   * @return {@link #INCOMPLETE}, {@link #WHOLE} or the status that refuses it
   */
  int read(byte[] in, int from, int to, int searched, int mostBytes) {
    // A head that comes byte by byte is not read from its beginning each time.
    int result = searched > 0 && !endsWithin(in, from + Math.max(0, searched - 3), to) ? INCOMPLETE : parse(in, from, to);
    int length = result == WHOLE ? end - from : to - from;
    return (result == WHOLE || result == INCOMPLETE) && length > mostBytes ? TOO_LARGE : result;
  }

  private static boolean endsWithin(byte[] in, int from, int to) {
    for (int i = from; i + 3 < to; i++) {
      if (in[i] == '\r' && in[i + 1] == '\n' && in[i + 2] == '\r' && in[i + 3] == '\n') {
        return true;
      }
    }
    return false;
  }

  private int parse(byte[] in, int from, int to) {
    bytes = in;
    hosts = 0;
    contentLength = -1;
    chunked = false;
    close = false;
    upgradesConnection = false;
    upgradesToWebSocket = false;
    key = "";
    version = "";
    methodFrom = from;
    methodTo = behindToken(bytes, from, to);
    if (methodTo == to) {
      return INCOMPLETE;
    }
    if (methodTo == from || bytes[methodTo] != ' ') {
      return BAD;
    }
    targetFrom = methodTo + 1;
    int at = targetFrom;
    // A byte beyond ASCII is negative here.
    while (at < to && bytes[at] > ' ' && bytes[at] != 0x7f) {
      at++;
    }
    if (at == to) {
      return INCOMPLETE;
    }
    if (at == targetFrom || bytes[at] != ' ') {
      return BAD;
    }
    targetTo = at;
    targetFrom = behindAuthority(in, targetFrom, targetTo);
    at++;
    for (int i = 0; i < VERSION.length; i++) {
      if (at + i == to) {
        return INCOMPLETE;
      }
      if (bytes[at + i] != VERSION[i]) {
        return i < MAJOR || i >= BEHIND_MINOR ? BAD : VERSION_NOT_SUPPORTED;
      }
    }
    return fields(at + VERSION.length, to);
  }

  private int fields(int from, int to) {
    int at = from;
    while (true) {
      if (at == to) {
        return INCOMPLETE;
      }
      if (bytes[at] == '\r') {
        if (at + 1 == to) {
          return INCOMPLETE;
        }
        end = at + 2;
        return bytes[at + 1] != '\n' || hosts != 1 || (chunked && contentLength >= 0) ? BAD : WHOLE;
      }
      int nameTo = behindToken(bytes, at, to);
      if (nameTo == to) {
        return INCOMPLETE;
      }
      if (nameTo == at || bytes[nameTo] != ':') {
        return BAD;
      }
      int valueTo = behindText(bytes, nameTo + 1, to);
      if (valueTo < to && bytes[valueTo] != '\r') {
        return BAD;
      }
      if (valueTo + 1 >= to) {
        return INCOMPLETE;
      }
      if (bytes[valueTo + 1] != '\n') {
        return BAD;
      }
      int wrong = field(at, nameTo, valueTo);
      if (wrong != 0) {
        return wrong;
      }
      at = valueTo + 2;
    }
  }

  /** Takes a field; gives 0, or the status that refuses the request. */
  private int field(int nameFrom, int nameTo, int behindValue) {
    int from = nameTo + 1;
    int to = behindValue;
    while (from < to && isBlank(bytes[from])) {
      from++;
    }
    while (to > from && isBlank(bytes[to - 1])) {
      to--;
    }
    switch (nameTo - nameFrom) {
      case 4 -> {
        if (is(bytes, nameFrom, nameTo, HOST) && hosts++ > 0) {
          return BAD;
        }
      }
      case 6 -> {
        if (is(bytes, nameFrom, nameTo, EXPECT)) {
          return EXPECTATION_FAILED;
        }
      }
      case 7 -> upgradesToWebSocket |= is(bytes, nameFrom, nameTo, UPGRADE) && lists(bytes, from, to, WEBSOCKET);
      case 10 -> {
        if (is(bytes, nameFrom, nameTo, CONNECTION)) {
          close |= lists(bytes, from, to, CLOSE);
          upgradesConnection |= lists(bytes, from, to, UPGRADE);
        }
      }
      case 14 -> {
        if (is(bytes, nameFrom, nameTo, CONTENT_LENGTH)) {
          return length(from, to);
        }
      }
      case 17 -> {
        if (is(bytes, nameFrom, nameTo, TRANSFER_ENCODING)) {
          boolean again = chunked;
          chunked = true;
          return again || !is(bytes, from, to, CHUNKED) ? BAD : 0;
        }
        if (is(bytes, nameFrom, nameTo, WEBSOCKET_KEY)) {
          boolean again = !key.isEmpty();
          key = text(from, to);
          return again ? BAD : 0;
        }
      }
      case 21 -> {
        if (is(bytes, nameFrom, nameTo, WEBSOCKET_VERSION)) {
          version = text(from, to);
        }
      }
      default -> {}
    }
    return 0;
  }

  private int length(int from, int to) {
    if (contentLength >= 0 || from == to || to - from > LENGTH_DIGITS_MAX) {
      return BAD;
    }
    long length = 0;
    for (int i = from; i < to; i++) {
      int digit = bytes[i] - '0';
      if (digit < 0 || digit > 9) {
        return BAD;
      }
      length = 10 * length + digit;
    }
    contentLength = length;
    return 0;
  }

  private String text(int from, int to) {
    return new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
  }

  /** The position behind the head. */
  int end() {
    return end;
  }

  boolean isMethod(byte[] method) {
    return Arrays.equals(bytes, methodFrom, methodTo, method, 0, method.length);
  }

  /** Whether the target is that path, with or without a query. */
  boolean isPath(byte[] path) {
    int pathTo = targetFrom + path.length;
    return pathTo <= targetTo
        && Arrays.equals(bytes, targetFrom, pathTo, path, 0, path.length)
        && (pathTo == targetTo || bytes[pathTo] == '?');
  }

  /** What stands behind the question mark after that path; empty where nothing does. */
  String query(byte[] path) {
    int from = targetFrom + path.length + 1;
    return from >= targetTo ? "" : text(from, targetTo);
  }

  /** As announced, up to 18 digits; -1 where no length is. */
  long contentLength() {
    return contentLength;
  }

  boolean chunked() {
    return chunked;
  }

  boolean hasBody() {
    return chunked || contentLength > 0;
  }

  /** Whether the client wants no further answer on the connection. */
  boolean close() {
    return close;
  }

  /** Whether it asks for an upgrade to WebSocket, in both headers. */
  boolean upgrades() {
    return upgradesConnection && upgradesToWebSocket;
  }

  /** Value of Sec-WebSocket-Key; empty where there is none. */
  String key() {
    return key;
  }

  /** Value of Sec-WebSocket-Version; empty where there is none. */
  String version() {
    return version;
  }
}
