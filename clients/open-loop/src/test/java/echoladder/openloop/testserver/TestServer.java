package echoladder.openloop.testserver;

import echoladder.client.Target;
import echoladder.linux.sockets.SystemCalls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * An echo server for messages of a known size that misbehaves as it is told. One thread accepts, reads and answers
 * what is due at once; another, with the finest timer the kernel gives, answers what is due later. Answers of one
 * connection keep their order.
 */
public final class TestServer implements AutoCloseable {
  private static final int BACKLOG = 4096;
  private static final int LOOK_MS = 5;

  private final ServerSocketChannel listener;
  private final Selector selector;
  private final int messageBytes;
  private final Answering answering;
  private final Shape shape;
  private final Fate fate;
  private final ServerRecord record = new ServerRecord();
  private final DelayQueue<Answer> later = new DelayQueue<>();
  private final ConcurrentLinkedQueue<Throwable> defects = new ConcurrentLinkedQueue<>();
  private final Thread reading;
  private final Thread answeringLater;
  private volatile boolean closing;

  /** What the server knows of a connection. */
  private static final class Peer {
    private final SocketChannel channel;
    private final ByteBuffer message;
    private final long acceptedNs = System.nanoTime();
    private final AtomicLong owed = new AtomicLong();
    private final int number;
    private long bytes;
    private boolean answered;
    private long lastDueNs = Long.MIN_VALUE;

    Peer(SocketChannel channel, int messageBytes, int number) {
      this.channel = channel;
      this.number = number;
      this.message = ByteBuffer.allocate(messageBytes);
    }
  }

  /** A message to be answered. */
  private static final class Answer implements Delayed {
    private final Peer peer;
    private final byte[] message;
    private final long number;
    private final long arrivedNs;
    private final long dueNs;

    Answer(Peer peer, byte[] message, long number, long arrivedNs, long dueNs) {
      this.peer = peer;
      this.message = message;
      this.number = number;
      this.arrivedNs = arrivedNs;
      this.dueNs = dueNs;
    }

    @Override
    public long getDelay(TimeUnit unit) {
      return unit.convert(dueNs - System.nanoTime(), TimeUnit.NANOSECONDS);
    }

    @Override
    public int compareTo(Delayed other) {
      Answer that = (Answer) other;
      int byTime = Long.compare(dueNs, that.dueNs);
      return byTime != 0 ? byTime : Long.compare(number, that.number);
    }
  }

  private TestServer(int port, int messageBytes, Answering answering, Shape shape, Fate fate) throws IOException {
    this.messageBytes = messageBytes;
    this.answering = answering;
    this.shape = shape;
    this.fate = fate;
    selector = Selector.open();
    listener = ServerSocketChannel.open();
    listener.bind(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), port), BACKLOG);
    listener.configureBlocking(false);
    listener.register(selector, SelectionKey.OP_ACCEPT);
    reading = thread("test-server", this::read);
    answeringLater = thread("test-server-later", this::answerLater);
  }

  private Thread thread(String name, Runnable body) {
    return Thread.ofPlatform().daemon().name(name).uncaughtExceptionHandler((t, e) -> defects.add(e)).start(body);
  }

  /** Answers each message faithfully, when {@code answering} says. */
  public static TestServer start(int messageBytes, Answering answering) throws IOException {
    return new TestServer(0, messageBytes, answering, new Shape.Faithful(), new Fate.Stay());
  }

  /** Answers at once, in that shape. */
  public static TestServer start(int messageBytes, Shape shape) throws IOException {
    return new TestServer(0, messageBytes, Answering.atOnce(), shape, new Fate.Stay());
  }

  /** Answers at once and faithfully while the connection lasts. */
  public static TestServer start(int messageBytes, Fate fate) throws IOException {
    return new TestServer(0, messageBytes, Answering.atOnce(), new Shape.Faithful(), fate);
  }

  /** Answers each message faithfully, when {@code answering} says, in the place of a server that was there and is closed. */
  public static TestServer startAt(Target target, int messageBytes, Answering answering) throws IOException {
    return new TestServer(target.port(), messageBytes, answering, new Shape.Faithful(), new Fate.Stay());
  }

  public Target target() {
    return new Target("127.0.0.1", listener.socket().getLocalPort());
  }

  public ServerRecord record() {
    return record;
  }

  private void read() {
    while (!closing) {
      try {
        selector.select(LOOK_MS);
        for (SelectionKey key : selector.selectedKeys()) {
          if (key.isValid() && key.isAcceptable()) {
            accept();
          } else if (key.isValid() && key.isReadable()) {
            read(key, (Peer) key.attachment());
          }
        }
        selector.selectedKeys().clear();
        if (fate instanceof Fate.CloseAfter(var age)) {
          closeOlderThan(age);
        }
      } catch (IOException e) {
        defects.add(e);
        return;
      }
    }
  }

  private void closeOlderThan(Duration age) throws IOException {
    for (SelectionKey key : selector.keys()) {
      if (key.isValid()
          && key.attachment() instanceof Peer peer
          && peer.owed.get() == 0
          && peer.message.position() == 0
          && System.nanoTime() - peer.acceptedNs >= age.toNanos()) {
        peer.channel.close();
      }
    }
  }

  private void accept() throws IOException {
    @Nullable SocketChannel channel;
    while ((channel = listener.accept()) != null) {
      int number = record.accept();
      channel.configureBlocking(false);
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      switch (fate) {
        case Fate.ResetAfter(long bytes) when bytes == 0 -> reset(channel);
        case Fate.NeverRead() -> channel.register(selector, 0, new Peer(channel, messageBytes, number));
        default -> channel.register(selector, SelectionKey.OP_READ, new Peer(channel, messageBytes, number));
      }
    }
  }

  private static void reset(SocketChannel channel) throws IOException {
    channel.setOption(StandardSocketOptions.SO_LINGER, 0);
    channel.close();
  }

  private void read(SelectionKey key, Peer peer) throws IOException {
    int n;
    try {
      n = peer.channel.read(peer.message);
    } catch (IOException e) {
      n = -1; // Reset by the client, as it does with a connection whose stream it cannot trust.
    }
    long arrivedNs = System.nanoTime();
    if (n < 0) {
      key.cancel();
      peer.channel.close();
      return;
    }
    peer.bytes += n;
    if (fate instanceof Fate.ResetAfter(long bytes) && peer.bytes >= bytes) {
      reset(peer.channel);
      return;
    }
    if (peer.message.hasRemaining()) {
      return;
    }
    byte[] message = peer.message.array().clone();
    peer.message.clear();
    long number = record.receive();
    long dueNs = answering.dueNs(arrivedNs);
    boolean forgotten = peer.answered && fate instanceof Fate.Forget(var which) && which.test(peer.number);
    if (dueNs == Answering.NEVER || forgotten) {
      return;
    }
    if (!peer.answered && fate instanceof Fate.SlowStart(int after, Duration delay) && peer.number >= after) {
      dueNs += delay.toNanos();
    }
    peer.answered = true;
    peer.lastDueNs = Math.max(dueNs, peer.lastDueNs);
    Answer answer = new Answer(peer, message, number, arrivedNs, peer.lastDueNs);
    if (peer.owed.getAndIncrement() == 0 && answer.dueNs <= System.nanoTime()) {
      write(answer);
    } else {
      later.add(answer);
    }
  }

  private void answerLater() {
    new SystemCalls().timerSlackNs(1);
    try {
      while (true) {
        write(later.take());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // The server is being closed.
    }
  }

  private void write(Answer answer) {
    List<byte[]> writes = shape.writes(answer.message, answer.number);
    record.answer(System.nanoTime() - answer.arrivedNs);
    try {
      for (byte[] bytes : writes) {
        ByteBuffer left = ByteBuffer.wrap(bytes);
        while (left.hasRemaining() && !closing) {
          answer.peer.channel.write(left);
        }
      }
    } catch (IOException e) {
      return; // The client has left.
    } finally {
      answer.peer.owed.decrementAndGet();
    }
  }

  /** Ends the server; a defect of its own is an {@link AssertionError}, as its record is then worth nothing. */
  @Override
  public void close() throws IOException {
    closing = true;
    selector.wakeup();
    answeringLater.interrupt();
    try {
      reading.join();
      answeringLater.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    for (SelectionKey key : selector.keys()) {
      key.channel().close();
    }
    selector.close();
    listener.close();
    if (!defects.isEmpty()) {
      throw new AssertionError("the test server failed: " + defects, defects.peek());
    }
  }
}
