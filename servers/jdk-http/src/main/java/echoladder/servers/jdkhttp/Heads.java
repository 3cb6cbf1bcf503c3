package echoladder.servers.jdkhttp;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import java.util.List;
import java.util.stream.Stream;

/** What RFC 9112 has a server refuse in a request's head and the JDK's HttpServer lets pass. */
final class Heads {
  private Heads() {}

  /** Why it is to be refused; empty where it is not. */
  static String wrong(HttpExchange exchange) {
    Headers headers = exchange.getRequestHeaders();
    if (!exchange.getProtocol().matches("HTTP/1\\.\\d")) {
      return "this is not HTTP/1.1";
    }
    List<String> hosts = headers.getOrDefault("Host", List.of());
    if (hosts.size() > 1 || (hosts.isEmpty() && exchange.getProtocol().equals("HTTP/1.1"))) {
      return "a request has one Host";
    }
    String length = headers.getFirst("Content-Length");
    // Long.parseLong takes a sign, too.
    if (length != null && !length.chars().allMatch(c -> c >= '0' && c <= '9')) {
      return "a content-length has digits alone";
    }
    return headers.values().stream().flatMap(List::stream).anyMatch(Heads::hasControl) ? "a header has a control character" : "";
  }

  /** Whether the client wants the answer to be the last one. */
  static boolean asksForTheEnd(HttpExchange exchange) {
    List<String> options = exchange.getRequestHeaders().get("Connection");
    return options != null
        && options.stream().flatMap(value -> Stream.of(value.split(",", -1))).anyMatch(option -> option.strip().equalsIgnoreCase("close"));
  }

  private static boolean hasControl(String value) {
    return value.chars().anyMatch(c -> (c < ' ' && c != '\t') || c == 0x7f);
  }
}
