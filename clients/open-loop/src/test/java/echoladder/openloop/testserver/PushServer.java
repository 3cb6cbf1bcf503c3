package echoladder.openloop.testserver;

import echoladder.client.Target;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A small server that pushes, by servers/README.md, "Push", and does one thing wrong with every tenth message where it is told to. */
public final class PushServer implements AutoCloseable {
  /** What it does wrong; but for the last three, to the first subscriber of the topic. */
  public enum Fault {
    NONE,
    /** Gives it no message. */
    SKIP,
    /** Gives it no message, and from the last of them on none at all. */
    FADE,
    TWICE,
    /** Gives it the message behind the next one. */
    SWAP,
    OTHER_TOPIC,
    /** Turns one bit of the message's last byte over. */
    WRONG_BYTE,
    /** Gives it one byte less. */
    SHORT,
    /** Sends it what no server sends a subscriber. */
    GARBAGE,
    HANG_UP_SUBSCRIBER,
    /** Says of the message that one subscriber more got it. */
    COUNT,
    /** Does not say who got it. */
    SILENT,
    HANG_UP_PUBLISHER
  }

  private static final int EVERY = 10;
  /** The last of them: others come behind it in every test. */
  public static final int LAST = 100;

  private final ServerSocket listener;
  private final Fault fault;
  private final ScheduledThreadPoolExecutor delayed = new ScheduledThreadPoolExecutor(1);
  private final Duration delay;
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private final Map<Integer, Set<Socket>> topics = new HashMap<>();
  private final Object lock = new Object();
  private byte @Nullable [] kept;
  private long published;

  private PushServer(ServerSocket listener, Fault fault, Duration delay) {
    this.listener = listener;
    this.fault = fault;
    this.delay = delay;
  }

  /** Hands each message out after that time. */
  public static PushServer start(Fault fault, Duration delay) throws IOException {
    PushServer server = new PushServer(new ServerSocket(0, 1_000, InetAddress.getByName("127.0.0.1")), fault, delay);
    Thread.ofVirtual().start(server::accept);
    return server;
  }

  public Target target() {
    return new Target("127.0.0.1", listener.getLocalPort());
  }

  /** Does nothing for that long, whoever asks. */
  public void stall(Duration time) throws InterruptedException {
    synchronized (lock) {
      Thread.sleep(time);
    }
  }

  /** Messages that were published. */
  public long published() {
    synchronized (lock) {
      return published;
    }
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
      DataInputStream in = new DataInputStream(socket.getInputStream());
      while (true) {
        int length = in.readInt();
        int kind = in.readUnsignedByte();
        int topic = in.readInt();
        byte[] body = in.readNBytes(length - 5);
        synchronized (lock) {
          switch (kind) {
            case 1 -> {
              topics.computeIfAbsent(topic, _ -> new LinkedHashSet<>()).add(socket);
              send(socket, frame(5, topic));
            }
            case 2 -> {
              topics.computeIfAbsent(topic, _ -> new LinkedHashSet<>()).remove(socket);
              send(socket, frame(6, topic));
            }
            default -> publish(socket, topic, body);
          }
        }
      }
    } catch (IOException e) {
      // Also at its end.
      forget(socket);
    }
  }

  private void forget(Socket socket) {
    synchronized (lock) {
      topics.values().forEach(subscribers -> subscribers.remove(socket));
    }
  }

  private void publish(Socket publisher, int topic, byte[] body) throws IOException {
    boolean faulty = ++published % EVERY == 0 && published <= LAST;
    List<Socket> subscribers = List.copyOf(topics.getOrDefault(topic, Set.of()));
    if (delay.isZero()) {
      handOut(subscribers, topic, body, faulty);
    } else {
      var _ = delayed.schedule(
          () -> {
            synchronized (lock) {
              handOut(subscribers, topic, body, faulty);
            }
          },
          delay.toNanos(), TimeUnit.NANOSECONDS);
    }
    if (faulty && fault == Fault.HANG_UP_PUBLISHER) {
      publisher.close();
    } else if (!(faulty && fault == Fault.SILENT)) {
      int told = subscribers.size() + (faulty && fault == Fault.COUNT ? 1 : 0);
      send(publisher, frame(7, topic, ByteBuffer.allocate(4).putInt(told).array()));
    }
  }

  private void handOut(List<Socket> subscribers, int topic, byte[] body, boolean faulty) {
    byte[] right = frame(4, topic, body);
    for (int i = 0; i < subscribers.size(); i++) {
      for (byte[] bytes : i == 0 ? ofFirst(right, faulty) : List.of(right)) {
        try {
          if (bytes.length == 0) {
            // At once, and not when its thread sees the end: else the next end may be told of it, too.
            forget(subscribers.get(i));
            subscribers.get(i).close();
          } else {
            send(subscribers.get(i), bytes);
          }
        } catch (IOException e) {
          // It has gone.
        }
      }
    }
  }

  /** What the first subscriber gets in place of a frame; no bytes = its connection ends. */
  private List<byte[]> ofFirst(byte[] right, boolean faulty) {
    if (kept != null) {
      byte[] before = kept;
      kept = null;
      return List.of(right, before);
    }
    if (fault == Fault.FADE && published >= LAST) {
      return List.of();
    }
    if (!faulty) {
      return List.of(right);
    }
    byte[] wrong = right.clone();
    return switch (fault) {
      case SKIP, FADE -> List.of();
      case TWICE -> List.of(right, right);
      case SWAP -> {
        kept = right;
        yield List.of();
      }
      case OTHER_TOPIC -> {
        wrong[8] ^= 64;
        yield List.of(wrong);
      }
      case WRONG_BYTE -> {
        wrong[wrong.length - 1] ^= 1;
        yield List.of(wrong);
      }
      case SHORT -> {
        byte[] less = Arrays.copyOf(right, right.length - 1);
        ByteBuffer.wrap(less).putInt(less.length - 4);
        yield List.of(less);
      }
      case GARBAGE -> List.of(frame(9, 0));
      case HANG_UP_SUBSCRIBER -> List.of(new byte[0]);
      case NONE, COUNT, SILENT, HANG_UP_PUBLISHER -> List.of(right);
    };
  }

  private static byte[] frame(int kind, int topic, byte... body) {
    return ByteBuffer.allocate(9 + body.length).putInt(5 + body.length).put((byte) kind).putInt(topic).put(body).array();
  }

  private static void send(Socket socket, byte[] bytes) throws IOException {
    OutputStream out = socket.getOutputStream();
    out.write(bytes);
  }

  @Override
  public void close() throws IOException {
    listener.close();
    delayed.shutdownNow();
    List<Socket> all = new ArrayList<>(sockets);
    for (Socket socket : all) {
      socket.close();
    }
  }
}
