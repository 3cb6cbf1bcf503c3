package echoladder.client;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What is asked over HTTP/1.1 on each connection; of a connection over WebSocket, where the upgrade is asked for.
 *
 * @param path where the message is posted to or the upgrade asked for, with its query
 * @param request head and body of a fixed request, a byte per character; null = the message is posted, and has to come back
 * @param status of a right answer, 200 to 599
 * @param push where a server that pushes is subscribed to and published to; null = by {@link PushPaths#DEFAULT}
 */
public record HttpAsk(
    String path, @Nullable String request, int status, @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable PushPaths push) {
  /** A fixed request is sent whole with each message, so it has a bound. */
  public static final int MOST_BYTES = 64 << 10;

  private static final Pattern PATH = Pattern.compile("/[!-~]{0,2000}");
  private static final Pattern FIRST_LINE = Pattern.compile("([A-Z]{1,20}) (/[!-~]{0,2000})( HTTP/1\\.1)?");
  private static final Pattern HEADER = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]+:[\\t -~]*");

  /** As the servers of the project have it: {@code POST /echo}, answered by the same body. */
  public static final HttpAsk ECHO = new HttpAsk("/echo", null, 200);

  public HttpAsk {
    Preconditions.check(PATH.matcher(path).matches(), "path", path, "'/' and up to 2,000 printing characters without blanks");
    Preconditions.check(status >= 200 && status <= 599, "status", status, "200 to 599");
  }

  /** What is asked of a server that pushes nothing, or by {@link PushPaths#DEFAULT}. */
  public HttpAsk(String path, @Nullable String request, int status) {
    this(path, request, status, null);
  }

  /** This, of a server that pushes by those paths. */
  public HttpAsk with(@Nullable PushPaths paths) {
    return new HttpAsk(path, request, status, paths);
  }

  /**
   * Whether a server that is asked so pushes text alone: over HTTP as events; over WebSocket as messages, where its paths are given. Any
   * other server that pushes speaks the frames of push.
   */
  public boolean pushesText(Protocol over) {
    return over == Protocol.HTTP || (over == Protocol.WEBSOCKET && push != null);
  }

  /** Where a server that pushes is subscribed to and published to. */
  public PushPaths pushPaths() {
    return push == null ? PushPaths.DEFAULT : push;
  }

  /** {@code GET} of a path, whose answers are told by their status alone. */
  public static HttpAsk get(String path, Target target, int status) {
    return of("GET " + path + "\n", target, status);
  }

  /**
   * A request as somebody wrote it: a line {@code METHOD PATH}, headers, an empty line, the body. Line ends of the head may be those
   * of an editor. Host and content-length are put in where they are missing.
   *
   * @param text a byte per character
   * @param target for the Host
   * @throws IllegalArgumentException that says what is wrong with it
   */
  public static HttpAsk of(String text, Target target, int status) {
    String lines = text.replace("\r\n", "\n");
    int empty = lines.indexOf("\n\n");
    String head = empty < 0 ? lines.stripTrailing() : lines.substring(0, empty);
    // The body stays byte for byte as it is.
    String body = empty < 0 ? "" : text.substring(bodyFrom(text));
    List<String> all = new ArrayList<>(List.of(head.split("\n", -1)));
    var first = FIRST_LINE.matcher(all.removeFirst());
    if (!first.matches()) {
      throw new IllegalArgumentException("its first line is not METHOD PATH, e.g. GET /health");
    }
    String method = first.group(1);
    if (method.equals("HEAD") || method.equals("CONNECT")) {
      throw new IllegalArgumentException("the answer to " + method + " has no body to tell its end by; GET and POST have");
    }
    for (String header : all) {
      if (!HEADER.matcher(header).matches()) {
        throw new IllegalArgumentException("'" + header + "' is no header of the form NAME: VALUE");
      }
    }
    if (has(all, "transfer-encoding") || has(all, "expect")) {
      throw new IllegalArgumentException(
          "a body in chunks, or one that waits for 100, is not sent; give it whole, with content-length or without");
    }
    for (String header : all) {
      String length = has(List.of(header), "content-length") ? header.substring(header.indexOf(':') + 1).strip() : null;
      if (length != null && !length.matches("0{0,9}" + body.length())) {
        // The server would wait for what is missing, or take what is left over for the next request.
        throw new IllegalArgumentException(
            "its content-length is '%s' and its body has %,d bytes; leave the header out, and it is put in"
                .formatted(length, body.length()));
      }
    }
    if (!has(all, "host")) {
      all.addFirst("Host: " + target);
    }
    if (!has(all, "content-length") && (!body.isEmpty() || method.startsWith("P"))) {
      all.add("Content-Length: " + body.length());
    }
    String whole = method + " " + first.group(2) + " HTTP/1.1\r\n" + String.join("\r\n", all) + "\r\n\r\n" + body;
    if (whole.length() > MOST_BYTES) {
      throw new IllegalArgumentException("it has %,d bytes; at most %,d are sent".formatted(whole.length(), MOST_BYTES));
    }
    return new HttpAsk(first.group(2), whole, status);
  }

  private static int bodyFrom(String text) {
    int unix = text.indexOf("\n\n");
    int wire = text.indexOf("\n\r\n");
    return wire >= 0 && (unix < 0 || wire < unix) ? wire + 3 : unix + 2;
  }

  private static boolean has(List<String> headers, String name) {
    return headers.stream().anyMatch(header -> header.toLowerCase(Locale.ROOT).startsWith(name + ":"));
  }

  /** Head and body of the fixed request; empty where the message itself is posted. */
  public byte[] bytes() {
    return request == null ? new byte[0] : request.getBytes(StandardCharsets.ISO_8859_1);
  }
}
