package echoladder.client.websocket;

import echoladder.client.Target;
import echoladder.client.page.PageFetch;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** One connection over WebSocket: the upgrade, and messages each way. A ping is answered. All of it has one deadline. One thread. */
public final class OneSocket implements AutoCloseable {
  private static final int PART_BYTES = 16 << 10;
  private static final byte[] HEAD_END = {'\r', '\n', '\r', '\n'};
  private static final String ASKED = "it took the connection and the upgrade that was asked for, and nothing came back";

  private final String due;
  private final Duration bound;
  private final long endNs;
  private final Socket socket;
  private final FrameHeads heads = new FrameHeads(1, false);
  /** What came and was not taken, from {@link #at} on. */
  private byte[] part = new byte[0];

  private int at;
  private boolean text;
  /** How far it has come, for what is said when the time is over. */
  private String reached = "no handshake was completed";

  private OneSocket(Socket socket, String due, Duration bound) {
    this.socket = socket;
    this.due = due;
    this.bound = bound;
    endNs = System.nanoTime() + bound.toNanos();
  }

  /**
   * Connects and upgrades.
   *
   * @param path that the upgrade is asked at
   * @param due what the server's messages are called where one is missing, as in "echo"
   * @param source address to connect from; null = the kernel's choice
   * @param bound from now to the end of the last {@link #message}
   * @throws IOException that says what was wrong with the answer
   */
  public static OneSocket open(Target target, String path, String due, @Nullable String source, Duration bound) throws IOException {
    OneSocket opened = new OneSocket(new Socket(), due, bound);
    boolean done = false;
    try {
      opened.connect(target, source);
      opened.upgrade(target, path);
      done = true;
      return opened;
    } finally {
      if (!done) {
        opened.close();
      }
    }
  }

  /**
   * Upgrades a connection that is there.
   *
   * @param connected to {@code target}; closed with what is returned, and by the caller where an exception is thrown
   */
  static OneSocket on(Socket connected, Target target, String path, String due, Duration bound) throws IOException {
    OneSocket opened = new OneSocket(connected, due, bound);
    opened.reached = ASKED;
    opened.upgrade(target, path);
    return opened;
  }

  private void connect(Target target, @Nullable String source) throws IOException {
    socket.setTcpNoDelay(true);
    if (source != null) {
      socket.bind(new InetSocketAddress(source, 0));
    }
    try {
      socket.connect(new InetSocketAddress(target.host(), target.port()), leftMs());
    } catch (SocketTimeoutException e) {
      throw new IOException(late(), e);
    }
    reached = ASKED;
  }

  private void upgrade(Target target, String path) throws IOException {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    String key = Upgrade.key(random.nextLong(), random.nextLong());
    socket.getOutputStream().write(Upgrade.request(path, target.toString(), key));
    byte[] said = new byte[0];
    int end;
    while ((end = headEnd(said)) < 0) {
      if (said.length >= PART_BYTES) {
        throw new IOException("the head of its answer to the upgrade is over %,d bytes".formatted(PART_BYTES));
      }
      byte[] more = read("the answer to the upgrade");
      said = Arrays.copyOf(said, said.length + more.length);
      System.arraycopy(more, 0, said, said.length - more.length, more.length);
      String soFar = new String(said, StandardCharsets.ISO_8859_1);
      reached = "its answer to the upgrade, which begins with %s, has no end%s"
          .formatted(firstLine(said), soFar.contains("\n\n") ? ", as its lines end in LF without CR," : "");
      if (!soFar.startsWith("HTTP/".substring(0, Math.min(5, said.length)))) {
        throw new IOException("it answers another protocol than HTTP/1.1: its answer to the upgrade begins with " + firstLine(said));
      }
    }
    String head = new String(said, 0, end, StandardCharsets.ISO_8859_1);
    if (Upgrade.status(head) != Upgrade.STATUS) {
      throw new IOException(
          "its answer to the upgrade at %s begins with %s; 'HTTP/1.1 101 Switching Protocols' is the right one"
              .formatted(path, firstLine(said)));
    }
    String complaint = Upgrade.complaint(head, key);
    if (complaint != null) {
      throw new IOException("its answer to the upgrade at %s has %s".formatted(path, complaint));
    }
    reached = "it granted the upgrade, and no whole %s came".formatted(due);
    part = said;
    at = end;
  }

  private static int headEnd(byte[] said) {
    for (int i = 0; i + HEAD_END.length <= said.length; i++) {
      if (Arrays.equals(said, i, i + HEAD_END.length, HEAD_END, 0, HEAD_END.length)) {
        return i + HEAD_END.length;
      }
    }
    return -1;
  }

  private static String firstLine(byte[] said) {
    String all = new String(said, StandardCharsets.ISO_8859_1);
    return PageFetch.quoted(all.lines().findFirst().orElse("").getBytes(StandardCharsets.UTF_8));
  }

  /** Sends a message or a control frame, masked. */
  public void send(int opcode, byte[] payload) throws IOException {
    socket.getOutputStream().write(Frames.masked(opcode, payload, ThreadLocalRandom.current().nextInt()));
  }

  /**
   * Waits for the next message, whole or in fragments; pings before it and within it are answered.
   *
   * @param most bytes of interest: a longer message is given as soon as it has more
   * @throws IOException that says what came in its place: a close, a frame that no server may send, the end, nothing within the bound
   */
  public byte[] message(int most) throws IOException {
    ByteArrayOutputStream message = new ByteArrayOutputStream();
    ByteArrayOutputStream control = new ByteArrayOutputStream();
    text = false;
    while (true) {
      MemorySegment in = MemorySegment.ofArray(part);
      while (at < part.length) {
        if (heads.inHead(0)) {
          at = heads.take(0, in, at, part.length);
          Violation violation = heads.violation();
          if (violation != null) {
            throw new IOException("it sent a frame with " + violation.words());
          }
          if (!heads.complete()) {
            continue;
          }
          text |= heads.opcode(0) == Frames.TEXT;
        } else {
          int bytes = Math.min(part.length - at, heads.left(0));
          (heads.control(0) ? control : message).write(part, at, bytes);
          heads.passed(0, bytes);
          at += bytes;
        }
        if (message.size() > most) {
          return message.toByteArray();
        }
        if (heads.left(0) > 0) {
          continue;
        }
        if (heads.control(0)) {
          answer(heads.opcode(0), control.toByteArray());
          control.reset();
        } else if (heads.last(0)) {
          return message.toByteArray();
        }
      }
      part = read("the " + due);
      at = 0;
    }
  }

  /** Whether the last {@link #message} was of text, not of bytes. */
  public boolean text() {
    return text;
  }

  private void answer(int opcode, byte[] payload) throws IOException {
    if (opcode == Frames.CLOSE) {
      int code = CloseCode.of(payload);
      throw new IOException("it closed the connection %s before the %s".formatted(
          code == CloseCode.NONE ? "without a code" : "with code " + code, due));
    }
    if (opcode == Frames.PING) {
      send(Frames.PONG, payload);
    }
  }

  private byte[] read(String what) throws IOException {
    byte[] some = new byte[PART_BYTES];
    int n;
    try {
      socket.setSoTimeout(leftMs());
      n = socket.getInputStream().read(some);
    } catch (SocketTimeoutException e) {
      throw new IOException(late(), e);
    }
    if (n < 0) {
      throw new IOException("it closed the connection before the end of " + what);
    }
    return Arrays.copyOf(some, n);
  }

  private int leftMs() throws IOException {
    long left = (endNs - System.nanoTime()) / 1_000_000;
    if (left <= 0) {
      throw new IOException(late());
    }
    return (int) left;
  }

  private String late() {
    return "%s within %.1f s, the bound".formatted(reached, bound.toNanos() / 1e9);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
