package echoladder.servers.kit;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The head of an HTTP/1.x request; its body is read and dropped.
 *
 * @param method e.g. GET
 * @param path without the query
 * @param names values of the query's {@code name[]}, by which the Prometheus libraries ask for some series only
 * @param keepAlive whether another request may follow on the connection
 */
record HttpRequest(String method, String path, Set<String> names, boolean keepAlive) {
  /** CR LF CR LF. */
  private static final int END = 0x0d0a0d0a;

  private static final String NAME = "name[]=";
  private static final int HEAD_BYTES_MAX = 8 << 10;
  private static final int BODY_BYTES_MAX = 64 << 10;

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
    return parse(head.toString(StandardCharsets.ISO_8859_1).split("\r\n", -1), in);
  }

  private static HttpRequest parse(String[] lines, InputStream in) throws IOException {
    String[] request = lines[0].split(" ", -1);
    if (request.length != 3 || !request[2].startsWith("HTTP/1.")) {
      throw new IOException("'" + lines[0] + "' is not an HTTP/1.x request; connection closed");
    }
    boolean keepAlive = !request[2].equals("HTTP/1.0");
    long bodyBytes = 0;
    for (int i = 1; i < lines.length; i++) {
      String line = lines[i].toLowerCase(Locale.ROOT);
      if ((line.startsWith("connection:") && line.contains("close")) || line.startsWith("transfer-encoding:")) {
        // A chunked body is not read, so nothing after it can be either.
        keepAlive = false;
      } else if (line.startsWith("content-length:")) {
        bodyBytes = length(line.substring("content-length:".length()).trim());
      }
    }
    in.skipNBytes(bodyBytes);
    String[] target = request[1].split("\\?", 2);
    return new HttpRequest(request[0], target[0], names(target.length == 1 ? "" : target[1]), keepAlive);
  }

  private static Set<String> names(String query) throws IOException {
    try {
      return namesOf(query);
    } catch (IllegalArgumentException e) {
      throw new IOException("the query '" + query + "' is not encoded as in a URL; connection closed", e);
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
      throw new IOException("content-length '" + text + "' is not within 0 to " + BODY_BYTES_MAX + "; connection closed");
    }
    return Long.parseLong(text);
  }
}
