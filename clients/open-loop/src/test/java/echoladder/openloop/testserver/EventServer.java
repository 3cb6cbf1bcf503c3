package echoladder.openloop.testserver;

import echoladder.client.Target;
import echoladder.client.websocket.CloseCode;
import echoladder.client.websocket.Frames;
import echoladder.client.websocket.Upgrade;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A small server that pushes over HTTP, by servers/README.md, "Push over HTTP", and does one thing wrong with every tenth message where
 * it is told to. Who upgrades in place of asking for events gets each message as one of WebSocket, and who upgrades at /send publishes so.
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
    /** Ends its stream; over WebSocket by a close with code 1001. */
    END_STREAM,
    /** Masks its frame, over WebSocket. */
    MASKED,
    /** Refuses to subscribe anybody. */
    NO_STREAM,
    /** Answers the upgrade with what is right for another one. */
    WRONG_KEY,
    /** Answers the publish with 500, and gives the message to nobody. */
    REFUSE,
    /** Answers every publish with 204, which says of nobody. */
    NO_COUNT,
    /**
     * Greets by comments and events of another type, and has streams without chunks. Over WebSocket it sends bytes, in three fragments with
     * a ping between them, and each message to whoever published it, too.
     */
    CHATTY,
    /** Ends a connection that has asked for nothing for a while. */
    IMPATIENT,
    /** Likewise, by 408. */
    REFUSES_IDLE
  }

  private static final int EVERY = 10;
  private static final int PATIENCE_MS = 1_500;
  private static final int LAST = 100;
  private static final Pattern REQUEST = Pattern.compile("(GET /subscribe|POST /publish|GET /send)\\?topic=(\\d+) HTTP/1.1");
  private static final String KEY = "Sec-WebSocket-Key: ";

  private final ServerSocket listener;
  private final Fault fault;
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private final Map<Integer, Set<Subscriber>> topics = new HashMap<>();
  private final Queue<String> pongs = new ConcurrentLinkedQueue<>();
  private final Object lock = new Object();
  private long published;

  /** Somebody, and whether over WebSocket. */
  private record Subscriber(Socket socket, boolean upgraded) {}

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

  /** The payloads of all pongs that came. */
  public Collection<String> pongs() {
    return pongs;
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
      DataInputStream in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
      socket.setSoTimeout(fault == Fault.IMPATIENT || fault == Fault.REFUSES_IDLE ? PATIENCE_MS : 0);
      while (true) {
        Matcher request = REQUEST.matcher(first(socket, in));
        int length = 0;
        String key = "";
        for (String header = line(in); !header.isEmpty(); header = line(in)) {
          length = header.startsWith("Content-Length: ") ? Integer.parseInt(header.substring(16)) : length;
          key = header.startsWith(KEY) ? header.substring(KEY.length()) : key;
        }
        String body = new String(in.readNBytes(length), StandardCharsets.ISO_8859_1);
        if (!request.matches()) {
          send(socket, answer("404 Not Found", "there is no such thing"));
          continue;
        }
        int topic = Integer.parseInt(request.group(2));
        synchronized (lock) {
          switch (request.group(1)) {
            case "GET /subscribe" -> subscribe(socket, topic, key);
            case "GET /send" -> upgrade(socket, key);
            default -> publish(socket, topic, body);
          }
        }
        while (!key.isEmpty() && fault != Fault.NO_STREAM) {
          frame(socket, in, topic, request.group(1).equals("GET /send"));
        }
      }
    } catch (IOException e) {
      // Also at its end.
      synchronized (lock) {
        topics.values().forEach(subscribers -> subscribers.removeIf(subscriber -> subscriber.socket.equals(socket)));
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

  private void upgrade(Socket socket, String key) throws IOException {
    socket.setSoTimeout(0);
    socket.getOutputStream().write(Upgrade.answer(fault == Fault.WRONG_KEY ? "x" + key : key));
  }

  private void subscribe(Socket socket, int topic, String key) throws IOException {
    if (fault == Fault.NO_STREAM) {
      send(socket, answer("503 Service Unavailable", ""));
      return;
    }
    topics.computeIfAbsent(topic, _ -> new LinkedHashSet<>()).add(new Subscriber(socket, !key.isEmpty()));
    if (!key.isEmpty()) {
      upgrade(socket, key);
      return;
    }
    socket.setSoTimeout(0);
    boolean chatty = fault == Fault.CHATTY;
    send(socket, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n" + (chatty ? "" : "Transfer-Encoding: chunked\r\n") + "\r\n");
    if (chatty) {
      send(socket, ": welcome\n\nretry: 1000\nevent: hello\ndata: you\n\n");
    }
  }

  /** Takes a frame of a client, and publishes what it says where that is to be published. */
  private void frame(Socket socket, DataInputStream in, int topic, boolean publishes) throws IOException {
    int opcode = in.readUnsignedByte() & 0x0f;
    int length = in.readUnsignedByte() & 0x7f;
    length = length == 126 ? in.readUnsignedShort() : length == 127 ? Math.toIntExact(in.readLong()) : length;
    byte[] mask = in.readNBytes(4);
    byte[] payload = in.readNBytes(length);
    for (int i = 0; i < payload.length; i++) {
      payload[i] ^= mask[i & 3];
    }
    String text = new String(payload, StandardCharsets.ISO_8859_1);
    if (opcode == Frames.PONG) {
      pongs.add(text);
    } else if (opcode == Frames.TEXT && publishes) {
      synchronized (lock) {
        deliver(topic, text);
        if (fault == Fault.CHATTY) {
          socket.getOutputStream().write(fragments(payload));
        }
      }
    }
  }

  private void publish(Socket publisher, int topic, String body) throws IOException {
    if ((published + 1) % EVERY == 0 && published < LAST && fault == Fault.REFUSE) {
      published++;
      send(publisher, answer("500 Internal Server Error", "no"));
      return;
    }
    int subscribers = deliver(topic, body);
    send(publisher, fault == Fault.NO_COUNT ? "HTTP/1.1 204 No Content\r\n\r\n" : answer("200 OK", subscribers + "\n"));
  }

  /** Sends a message to its subscribers; how many there are. */
  private int deliver(int topic, String body) {
    boolean faulty = ++published % EVERY == 0 && published <= LAST;
    List<Subscriber> subscribers = List.copyOf(topics.getOrDefault(topic, Set.of()));
    for (int i = 0; i < subscribers.size(); i++) {
      boolean wrong = faulty && i == 0;
      String text = wrong && fault == Fault.WRONG_LETTER ? body.substring(0, body.length() - 1) + "!" : body;
      int times = wrong && fault == Fault.SKIP ? 0 : wrong && fault == Fault.TWICE ? 2 : 1;
      try {
        for (int n = 0; n < times; n++) {
          push(subscribers.get(i), text, wrong);
        }
        if (wrong && fault == Fault.END_STREAM) {
          end(subscribers.get(i));
        }
      } catch (IOException e) {
        // It has gone.
      }
    }
    return subscribers.size();
  }

  private void push(Subscriber to, String text, boolean wrong) throws IOException {
    if (!to.upgraded) {
      send(to.socket, event(text));
      return;
    }
    byte[] payload = text.getBytes(StandardCharsets.ISO_8859_1);
    to.socket.getOutputStream().write(
        fault == Fault.CHATTY ? fragments(payload)
            : wrong && fault == Fault.MASKED ? Frames.masked(Frames.TEXT, payload, 1)
            : Frames.plain(Frames.TEXT, true, payload));
  }

  private static byte[] fragments(byte[] payload) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.writeBytes(Frames.plain(Frames.BINARY, false, Arrays.copyOf(payload, 7)));
    all.writeBytes(Frames.plain(Frames.PING, true, new byte[] {'h', 'i'}));
    all.writeBytes(Frames.plain(Frames.CONTINUATION, false, Arrays.copyOfRange(payload, 7, 60)));
    all.writeBytes(Frames.plain(Frames.CONTINUATION, true, Arrays.copyOfRange(payload, 60, payload.length)));
    return all.toByteArray();
  }

  private static void end(Subscriber to) throws IOException {
    if (to.upgraded) {
      to.socket.getOutputStream().write(Frames.plain(Frames.CLOSE, true, CloseCode.body(1001)));
    } else {
      send(to.socket, "0\r\n\r\n");
    }
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
