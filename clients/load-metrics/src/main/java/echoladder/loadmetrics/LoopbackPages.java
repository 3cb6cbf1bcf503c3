package echoladder.loadmetrics;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Executors;

/**
 * Pages for who sits at this host: on 127.0.0.1 alone, each request in time or cut off, and none for the page of another
 * site that a browser here shows.
 */
public final class LoopbackPages {
  private static final int BOUND_SECONDS = 10;
  private static final Set<String> NAMES = Set.of("127.0.0.1", "localhost");

  private LoopbackPages() {}

  /**
   * Takes the port; nothing is answered yet.
   *
   * @param port 0 = any that is free
   * @throws IOException where it cannot be had
   */
  public static HttpServer listen(int port) throws IOException {
    // HttpServer reads them once, at its first use; by default a request may take for ever.
    System.setProperty("sun.net.httpserver.maxReqTime", Integer.toString(BOUND_SECONDS));
    System.setProperty("sun.net.httpserver.maxRspTime", Integer.toString(BOUND_SECONDS));
    HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), port), 0);
    // By default one thread serves all: half a request would keep everybody else waiting.
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    return server;
  }

  /** Answers by {@code handler}, and 403 where another site may have asked. */
  public static HttpHandler own(HttpHandler handler) {
    return exchange -> {
      if (own(exchange.getRequestHeaders())) {
        handler.handle(exchange);
      } else {
        refuse(exchange);
      }
    };
  }

  /**
   * Not with an Origin, nor fetched by another site's page. Nor under another name: a site may give its own the address
   * 127.0.0.1 (DNS rebinding), and a browser then takes this page for the site's.
   */
  private static boolean own(Headers headers) {
    String host = String.valueOf(headers.getFirst("Host")).toLowerCase(Locale.ROOT).replaceFirst(":\\d+$", "");
    String site = headers.getFirst("Sec-Fetch-Site");
    return NAMES.contains(host)
        && !headers.containsKey("Origin")
        && (site == null || Set.of("none", "same-origin").contains(site.toLowerCase(Locale.ROOT)));
  }

  private static void refuse(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] text = "this is served to 127.0.0.1 and localhost alone, and to no other site's pages\n".getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", "text/plain");
      exchange.sendResponseHeaders(403, text.length);
      exchange.getResponseBody().write(text);
    }
  }
}
