package echoladder.openloop.testserver;

import echoladder.client.Target;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A small server that pushes over HTTP, by servers/README.md, "Push over HTTP", and does one thing wrong with every tenth message where
 * it is told to.
 */
public final class EventServer implements AutoCloseable {
  /** What it does; but for the last five, wrong, and to the first subscriber of the topic. */
  public enum Fault {
    NONE,
    /** Gives it no message. */
    SKIP,
    TWICE,
    /** Turns a letter into another. */
    WRONG_LETTER,
    /** Ends its stream. */
    END_STREAM,
    /** Refuses to subscribe anybody. */
    NO_STREAM,
    /** Answers the publish with 500, and gives the message to nobody. */
    REFUSE,
    /** Answers every publish with 204, which says of nobody. */
    NO_COUNT,
    /** Greets by comments and events of another type, and has streams without chunks. */
    CHATTY,
    /** Ends a connection that has asked for nothing for a while. */
    IMPATIENT,
    /** Likewise, by 408. */
    REFUSES_IDLE
  }

  private static final int EVERY = 10;
  private static final int PATIENCE_MS = 1_500;
  private static final int LAST = 100;
  private static final Pattern REQUEST = Pattern.compile("(GET /subscribe|POST /publish)\\?topic=(\\d+) HTTP/1.1");

  private final ServerSocket listener;
  private final Fault fault;
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private final Map<Integer, Set<Socket>> topics = new HashMap<>();
  private final Object lock = new Object();
  private long published;

  private EventServer(ServerSocket listener, Fault fault) {
    this.listener = listener;
    this.fault = fault;
  }

  public static EventServer start(Fault fault) throws IOException {
    EventServer server = new EventServer(new ServerSocket(0, 1_000, InetAddress.getByName("127.0.0.1")), fault);
    Thread.ofVirtual().start(server::accept);
    return server;
  }

  public Target target() {
    return new Target("127.0.0.1", listener.getLocalPort());
  }

  private void accept() {
    try {
      while (true) {
        Socket socket = listener.accept();
        socket.setTcpNoDelay(true);
        sockets.add(socket);
        Thread.ofVirtual().start(() -> serve(socket));
      }
    } catch (IOException e) {
      // It was closed.
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      InputStream in = new BufferedInputStream(socket.getInputStream());
      socket.setSoTimeout(fault == Fault.IMPATIENT || fault == Fault.REFUSES_IDLE ? PATIENCE_MS : 0);
      while (true) {
        Matcher request = REQUEST.matcher(first(socket, in));
        int length = 0;
        for (String header = line(in); !header.isEmpty(); header = line(in)) {
          length = header.startsWith("Content-Length: ") ? Integer.parseInt(header.substring(16)) : length;
        }
        String body = new String(in.readNBytes(length), StandardCharsets.ISO_8859_1);
        synchronized (lock) {
          if (!request.matches()) {
            send(socket, answer("404 Not Found", "there is no such thing"));
          } else if (request.group(1).startsWith("GET")) {
            subscribe(socket, Integer.parseInt(request.group(2)));
          } else {
            publish(socket, Integer.parseInt(request.group(2)), body);
          }
        }
      }
    } catch (IOException e) {
      // Also at its end.
      synchronized (lock) {
        topics.values().forEach(subscribers -> subscribers.remove(socket));
      }
    }
  }

  private String first(Socket socket, InputStream in) throws IOException {
    try {
      return line(in);
    } catch (SocketTimeoutException e) {
      if (fault == Fault.REFUSES_IDLE) {
        send(socket, "HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
      }
      throw e;
    }
  }

  private static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int b; (b = in.read()) != '\n'; ) {
      if (b < 0) {
        throw new EOFException("closed");
      }
      if (b != '\r') {
        line.append((char) b);
      }
    }
    return line.toString();
  }

  private static String answer(String status, String body) {
    return "HTTP/1.1 " + status + "\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
  }

  private void subscribe(Socket socket, int topic) throws IOException {
    if (fault == Fault.NO_STREAM) {
      send(socket, answer("503 Service Unavailable", ""));
      return;
    }
    socket.setSoTimeout(0);
    topics.computeIfAbsent(topic, _ -> new LinkedHashSet<>()).add(socket);
    boolean chatty = fault == Fault.CHATTY;
    send(socket, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n" + (chatty ? "" : "Transfer-Encoding: chunked\r\n") + "\r\n");
    if (chatty) {
      send(socket, ": welcome\n\nretry: 1000\nevent: hello\ndata: you\n\n");
    }
  }

  private void publish(Socket publisher, int topic, String body) throws IOException {
    boolean faulty = ++published % EVERY == 0 && published <= LAST;
    if (faulty && fault == Fault.REFUSE) {
      send(publisher, answer("500 Internal Server Error", "no"));
      return;
    }
    List<Socket> subscribers = List.copyOf(topics.getOrDefault(topic, Set.of()));
    for (int i = 0; i < subscribers.size(); i++) {
      boolean wrong = faulty && i == 0;
      String text = wrong && fault == Fault.WRONG_LETTER ? body.substring(0, body.length() - 1) + "!" : body;
      int times = wrong && fault == Fault.SKIP ? 0 : wrong && fault == Fault.TWICE ? 2 : 1;
      try {
        for (int n = 0; n < times; n++) {
          send(subscribers.get(i), event(text));
        }
        if (wrong && fault == Fault.END_STREAM) {
          send(subscribers.get(i), "0\r\n\r\n");
        }
      } catch (IOException e) {
        // It has gone.
      }
    }
    send(publisher, fault == Fault.NO_COUNT ? "HTTP/1.1 204 No Content\r\n\r\n" : answer("200 OK", subscribers.size() + "\n"));
  }

  private String event(String text) {
    if (fault == Fault.CHATTY) {
      return "id: 7\r\nevent:message\r\ndata:" + text + "\r\n\r\n: still here\r\n\r\n";
    }
    String event = "data: " + text + "\n\n";
    return Integer.toHexString(event.length()) + "\r\n" + event + "\r\n";
  }

  private static void send(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  @Override
  public void close() throws IOException {
    listener.close();
    for (Socket socket : sockets) {
      socket.close();
    }
  }
}
