package echoladder.servers.kit;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The head of an HTTP/1.x request; its body is read and dropped. What RFC 9112 lets a receiver refuse is refused: two
 * readings of one request are one too many. No message quotes it: it may be read on a terminal.
 *
 * @param method e.g. GET
 * @param path without the query
 * @param names values of the query's {@code name[]}, by which the Prometheus libraries ask for some series only
 * @param host as the client calls this page, with its port if it says one; empty where it does not say
 * @param fromASite whether a browser sent it on behalf of a page that it shows
 * @param keepAlive whether another request may follow on the connection
 */
record HttpRequest(String method, String path, Set<String> names, String host, boolean fromASite, boolean keepAlive) {
  /** CR LF CR LF. */
  private static final int END = 0x0d0a0d0a;

  private static final String NAME = "name[]=";
  private static final int HEAD_BYTES_MAX = 8 << 10;
  private static final int BODY_BYTES_MAX = 64 << 10;

  /** RFC 9112, 5: a field name is a token, and no blank stands before its colon. */
  private static final Pattern HEADER = Pattern.compile("([!#$%&'*+.^_`|~0-9A-Za-z-]+):([\\t\\x20-\\x7e\\x80-\\xff]*)");

  /** The next request, or null where the client closed the connection instead of sending one. */
  static @Nullable HttpRequest read(InputStream in) throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream(512);
    for (int lastFour = 0; lastFour != END; ) {
      int b = in.read();
      if (b < 0) {
        return null;
      }
      lastFour = lastFour << 8 | b;
      head.write(b);
      if (head.size() > HEAD_BYTES_MAX) {
        throw new IOException("a request's head is longer than " + HEAD_BYTES_MAX + " bytes; connection closed");
      }
    }
    return parse(head.toString(StandardCharsets.ISO_8859_1).strip().split("\r\n", -1), in);
  }

  private static HttpRequest parse(String[] lines, InputStream in) throws IOException {
    String[] request = lines[0].split(" ", -1);
    if (request.length != 3 || !request[2].startsWith("HTTP/1.")) {
      throw new IOException("a request's first line is not one of HTTP/1.x; connection closed");
    }
    Map<String, String> headers = headers(lines);
    // A chunked body is not read, so nothing after it can be either.
    boolean keepAlive =
        !request[2].equals("HTTP/1.0")
            && !lists(headers.getOrDefault("connection", ""), "close")
            && !headers.containsKey("transfer-encoding");
    in.skipNBytes(length(headers.getOrDefault("content-length", "0")));
    String site = headers.getOrDefault("sec-fetch-site", "none").toLowerCase(Locale.ROOT);
    String host = Targets.host(request[1]);
    String[] target = Targets.originForm(request[1]).split("\\?", 2);
    return new HttpRequest(
        request[0],
        target[0],
        names(target.length == 1 ? "" : target[1]),
        host == null ? headers.getOrDefault("host", "") : host,
        headers.containsKey("origin") || !Set.of("none", "same-origin").contains(site),
        keepAlive);
  }

  /** Whether a list has that member, in any case. */
  private static boolean lists(String list, String member) {
    return Stream.of(list.split(",", -1)).anyMatch(one -> one.strip().equalsIgnoreCase(member));
  }

  /** By names in lower case. Several lines of one name are one list (RFC 9110, 5.3). */
  private static Map<String, String> headers(String[] lines) throws IOException {
    Map<String, String> headers = new LinkedHashMap<>();
    for (int i = 1; i < lines.length; i++) {
      var header = HEADER.matcher(lines[i]);
      if (!header.matches()) {
        throw new IOException("a line of a request's head is no header; connection closed");
      }
      String name = header.group(1).toLowerCase(Locale.ROOT);
      boolean again = headers.containsKey(name);
      headers.merge(name, header.group(2).strip(), (list, more) -> list + ", " + more);
      if (again && Set.of("content-length", "host", "transfer-encoding").contains(name)) {
        throw new IOException("a request has the header " + name + " twice; connection closed");
      }
    }
    return headers;
  }

  private static Set<String> names(String query) throws IOException {
    try {
      return namesOf(query);
    } catch (IllegalArgumentException e) {
      throw new IOException("a request's query is not encoded as in a URL; connection closed", e);
    }
  }

  private static Set<String> namesOf(String query) {
    return Stream.of(query.split("&", -1))
        .map(part -> URLDecoder.decode(part, StandardCharsets.UTF_8))
        .filter(part -> part.startsWith(NAME))
        .map(part -> part.substring(NAME.length()))
        .collect(Collectors.toUnmodifiableSet());
  }

  private static long length(String text) throws IOException {
    if (!text.matches("\\d{1,9}") || Long.parseLong(text) > BODY_BYTES_MAX) {
      throw new IOException("a request's content-length is not within 0 to " + BODY_BYTES_MAX + "; connection closed");
    }
    return Long.parseLong(text);
  }
}
