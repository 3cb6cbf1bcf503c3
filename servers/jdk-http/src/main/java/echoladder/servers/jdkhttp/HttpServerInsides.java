package echoladder.servers.jdkhttp;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import echoladder.linux.ErrorText;
import echoladder.servers.kit.options.CannotRun;
import java.io.InputStream;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.nio.channels.SelectionKey;
import java.util.Set;

/**
 * The three things of the JDK's HttpServer that it keeps to itself and that the contract cannot do without: its set of
 * connections, to count them, its listener's key, to pause accepting, and its way to close a connection, for a request
 * that found no memory. Left alone it turns in a loop and answers
 * nobody when descriptors have run out (docs/decisions/jdk-http-insides.md).
 */
final class HttpServerInsides {
  private final SelectionKey listenerKey;
  private final Object inner;
  private final Method close;

  private HttpServerInsides(SelectionKey listenerKey, Object inner, Method close) {
    this.listenerKey = listenerKey;
    this.inner = inner;
    this.close = close;
  }

  /**
   * Replaces the set of connections of a server that is not yet started.
   *
   * @throws CannotRun on a JDK whose HttpServer is built in another way, or without the flag that opens it
   */
  static HttpServerInsides open(HttpServer server, Set<Object> connections) {
    try {
      Object inner = field(server.getClass(), "server").get(server);
      field(inner.getClass(), "allConnections").set(inner, connections);
      Class<?> connection = Class.forName("sun.net.httpserver.HttpConnection");
      Method close = inner.getClass().getDeclaredMethod("closeConnection", connection);
      close.setAccessible(true);
      return new HttpServerInsides((SelectionKey) field(inner.getClass(), "listenerKey").get(inner), inner, close);
    } catch (ReflectiveOperationException | RuntimeException e) {
      throw new CannotRun(
          "could not reach the JDK's HttpServer to count its connections: " + ErrorText.of(e)
              + "; it needs JDK 25 and --add-opens=jdk.httpserver/sun.net.httpserver=ALL-UNNAMED, see its server.yaml",
          e);
    }
  }

  /**
   * Has a chunked body read with its chunks' sizes bounded. To be called before the handler asks for the body.
   *
   * @throws CannotRun as {@link #open}
   */
  static void boundChunks(HttpExchange exchange) {
    try {
      Object inner = field(exchange.getClass(), "impl").get(exchange);
      Field bytes = field(inner.getClass(), "ris");
      bytes.set(inner, new ChunkSizes((InputStream) bytes.get(inner)));
      // HttpServer has made a reader of the bare bytes before the handler began; it makes another when the body is asked for.
      field(inner.getClass(), "uis").set(inner, null);
    } catch (ReflectiveOperationException | RuntimeException e) {
      throw new CannotRun("could not reach the bytes of a body in the JDK's HttpServer: " + ErrorText.of(e) + "; it needs JDK 25", e);
    }
  }

  private static Field field(Class<?> type, String name) throws NoSuchFieldException {
    Field field = type.getDeclaredField(name);
    field.setAccessible(true);
    return field;
  }

  SelectionKey listenerKey() {
    return listenerKey;
  }

  /** Closes the connection of a request that HttpServer has handed to its executor. */
  void cutOff(Runnable request) {
    try {
      close.invoke(inner, field(request.getClass(), "connection").get(request));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("could not close the connection of a request: this JDK's HttpServer is built otherwise", e);
    }
  }
}
