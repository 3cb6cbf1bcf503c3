package echoladder.servers.micronauthttp;

import echoladder.servers.kit.options.HttpOptions;
import echoladder.servers.kit.options.ServerOptions;
import echoladder.servers.kit.options.TlsOptions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Micronaut's configuration, all of it: no file is read. */
final class Configuration {
  /** Which of two beans a mode takes is decided by this property. */
  static final String MODE = "echo.mode";

  /** Which protocol the connections speak: {@link #HTTP} or {@link #WEBSOCKET}. */
  static final String PROTOCOL = "echo.protocol";

  static final String HTTP = "http";
  static final String WEBSOCKET = "websocket";

  /** What the server does with what it receives: {@link #ECHO} or {@link #PUSH}. */
  static final String TRAFFIC = "echo.traffic";

  static final String ECHO = "echo";
  static final String PUSH = "push";

  /** The largest WebSocket message, in fragments or whole. */
  static final String MAX_MESSAGE_BYTES = "echo.max-message-bytes";

  /** How many virtual threads of each event loop the loom carrier starts elsewhere first; Micronaut's default. */
  static final int LOOM_WARM_UP_TASKS = 100;

  /** Those of the connections and that of the listener. */
  static final List<String> EVENT_LOOPS = List.of("default", "parent");

  private static final int MOST_PUSHED_BYTES = 1 << 20;
  private static final String SERVER = "micronaut.server.";
  private static final String SSL = SERVER + "ssl.";
  private static final String HALF_CLOSURE = "micronaut.server.netty.child-options.ALLOW_HALF_CLOSURE";

  private Configuration() {}

  /** What is otherwise where the protocol is WebSocket. */
  static Map<String, Object> ofWebSocket(int maxMessageBytes) {
    // A client that has ended its side without a close frame has ended the connection.
    return Map.of(PROTOCOL, WEBSOCKET, MAX_MESSAGE_BYTES, maxMessageBytes, HALF_CLOSURE, false);
  }

  /** What is otherwise where the server pushes over HTTP. */
  static Map<String, Object> ofPush(HttpOptions http) {
    int bodyBytes = Math.min(http.maxBodyBytes(), MOST_PUSHED_BYTES);
    return Map.of(
        TRAFFIC, PUSH,
        SERVER + "max-request-size", bodyBytes,
        SERVER + "max-request-buffer-size", bodyBytes,
        // A subscriber that would take gzip gets its events as they were published.
        SERVER + "netty.compression-threshold", -1);
  }

  /** What is otherwise where the server pushes over WebSocket: a client that has ended its side still gets what waits for it. */
  static Map<String, Object> ofWebSocketPush() {
    return Map.of(PROTOCOL, WEBSOCKET, TRAFFIC, PUSH, MAX_MESSAGE_BYTES, PushSocket.FRAME_BYTES_MAX);
  }

  /** What is otherwise over TLS: another listener in the place of the plain one, HTTP/1.1 alone as before. */
  static Map<String, Object> ofTls(ServerOptions options, TlsOptions tls) {
    return Map.of(
        SSL + "enabled", true,
        SSL + "port", options.echoAddress().getPort(),
        SSL + "protocols", TlsOptions.VERSIONS,
        SSL + "key-store.certificate-path", "file:" + tls.certificate(),
        SSL + "key-store.key-path", "file:" + tls.key(),
        // Netty would close at a FIN, and leave out the close_notify that answers it.
        HALF_CLOSURE, true);
  }

  static Map<String, Object> of(
      ServerOptions options, HttpOptions http, Mode mode, String transport, int eventLoops, int poolSize) {
    Map<String, Object> c = new LinkedHashMap<>();
    c.put(MODE, mode.toString());
    c.put(PROTOCOL, HTTP);
    c.put(TRAFFIC, ECHO);
    c.put(SERVER + "host", options.echoHost());
    c.put(SERVER + "port", options.echoAddress().getPort());
    c.put(SERVER + "netty.options.SO_BACKLOG", options.backlog());
    c.put(SERVER + "netty.child-options.TCP_NODELAY", true);
    // RequestGuard closes it once everything is answered.
    c.put(HALF_CLOSURE, true);
    // Connections live long here; by default they are closed after five minutes without a request.
    c.put(SERVER + "idle-timeout", "-1s");
    c.put(SERVER + "read-idle-timeout", "-1s");
    c.put(SERVER + "write-idle-timeout", "-1s");
    c.put(SERVER + "max-request-size", http.maxBodyBytes());
    c.put(SERVER + "max-request-buffer-size", http.maxBodyBytes());
    // A body is echoed as it was sent.
    c.put(SERVER + "netty.request-decompression-enabled", false);
    c.put(SERVER + "netty.max-header-size", http.maxHeaderBytes());
    c.put(SERVER + "netty.max-initial-line-length", http.maxHeaderBytes());
    // The controllers are the same in all modes; MANUAL leaves them on the event loop, BLOCKING moves them off.
    c.put(SERVER + "thread-selection", mode.blocking() ? "BLOCKING" : "MANUAL");
    for (String group : EVENT_LOOPS) {
      String loops = "micronaut.netty.event-loops." + group + ".";
      // Both, as the transport of a listener is its parent group's.
      c.put(loops + "transport", List.of(transport));
      c.put(loops + "num-threads", group.equals("parent") ? 1 : eventLoops);
    }
    c.put("micronaut.netty.event-loops.default.loom-carrier", mode == Mode.LOOM_CARRIER);
    c.put("micronaut.netty.loom-carrier.normal-warmup-tasks", LOOM_WARM_UP_TASKS);
    String executor = "micronaut.executors.blocking.";
    if (mode == Mode.PLATFORM_THREADS) {
      c.put(executor + "type", "fixed");
      c.put(executor + "n-threads", poolSize);
      c.put(executor + "virtual", false);
    }
    return c;
  }
}
