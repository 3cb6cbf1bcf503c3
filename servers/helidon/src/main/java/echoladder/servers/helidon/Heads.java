package echoladder.servers.helidon;

import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.ServerRequestHeaders;
import java.util.List;

/** What RFC 9112 has a server refuse in a request's head and Helidon 4.3.1 lets pass. */
final class Heads {
  private Heads() {}

  /** Why it is to be refused; empty where it is not. */
  static String wrong(ServerRequestHeaders headers) {
    List<String> lengths = all(headers, HeaderNames.CONTENT_LENGTH);
    List<String> codings = all(headers, HeaderNames.TRANSFER_ENCODING);
    if (lengths.size() + codings.size() > 1) {
      return "a body has one length";
    }
    // Helidon takes -1 for chunks.
    if (lengths.stream().anyMatch(length -> !length.chars().allMatch(c -> c >= '0' && c <= '9'))) {
      return "a content-length has digits alone";
    }
    return codings.stream().allMatch("chunked"::equalsIgnoreCase) ? "" : "the one transfer-encoding here is chunked";
  }

  private static List<String> all(ServerRequestHeaders headers, HeaderName name) {
    return headers.all(name, List::of);
  }
}
