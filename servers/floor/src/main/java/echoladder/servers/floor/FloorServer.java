package echoladder.servers.floor;

import echoladder.linux.Errno;
import echoladder.linux.process.DescriptorLimit;
import echoladder.linux.sockets.Epoll;
import echoladder.linux.sockets.SocketAddress;
import echoladder.linux.sockets.SystemCalls;
import echoladder.servers.kit.EchoContext;
import echoladder.servers.kit.EchoServer;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The reference that every contender's CPU per echo is held against: what the kernel alone costs here, with next to
 * nothing above it.
 */
final class FloorServer implements EchoServer {
  private static final int EVENTS = 512;
  // Enough for the ladder's top rung at 8 bytes each; beyond it the table grows as ever.
  private static final int DESCRIPTORS_AT_ONCE = 1 << 20;
  // What loops get beyond the drain's time to close what is left.
  private static final long CLOSING_NS = 1_000_000_000;

  /**
   * The loops to make.
   *
   * @param count threads, 1 to {@link DescriptorOwners#MOST_LOOPS}
   * @param bufferBytes of each loop, 1 or more
   * @param loop makes one
   * @param running what they say of themselves in the ready line
   */
  record Loops(int count, int bufferBytes, Function<LoopSetup, Loop> loop, Map<String, Object> running) {}

  private final SystemCalls sys = new SystemCalls();
  private final int listener;
  private final int port;
  private final Acceptor acceptor;
  private final List<Loop> loops = new ArrayList<>();
  private final CountDownLatch running;
  private final Drain drain = new Drain();
  private final Map<String, Object> said;

  private FloorServer(int listener, Loops made, EchoContext context) {
    this.listener = listener;
    said = made.running();
    port = sys.localPort(listener);
    running = new CountDownLatch(made.count());
    DescriptorOwners owners = new DescriptorOwners();
    SystemCalls accepting = new SystemCalls();
    Epoll first = Epoll.open(accepting, EVENTS);
    acceptor = new Acceptor(accepting, first, listener, context.metrics(), context.acceptErrors());
    loops.add(made.loop().apply(new LoopSetup(0, accepting, first, made.bufferBytes(), owners, context.metrics(), drain, acceptor)));
    for (int i = 1; i < made.count(); i++) {
      SystemCalls own = new SystemCalls();
      Epoll epoll = Epoll.open(own, EVENTS);
      loops.add(made.loop().apply(new LoopSetup(i, own, epoll, made.bufferBytes(), owners, context.metrics(), drain, null)));
    }
  }

  /**
   * Listens; connections are accepted when this returns.
   *
   * @param backlog of listen(2); the kernel cuts it to net.core.somaxconn
   * @param onDefect told when a loop ended by a defect, so that its connections are no longer served
   * @throws BindException where the address cannot be had
   */
  static FloorServer start(
      InetSocketAddress address, int backlog, Loops loops, EchoContext context, Consumer<Throwable> onDefect)
      throws IOException {
    FloorServer server = new FloorServer(listen(address, backlog), loops, context);
    server.acceptor.begin(server.loops);
    for (int i = 0; i < loops.count(); i++) {
      Loop loop = server.loops.get(i);
      Thread thread = new Thread(() -> server.run(loop), "floor-" + i);
      thread.setDaemon(true);
      thread.setUncaughtExceptionHandler((t, e) -> onDefect.accept(e));
      thread.start();
    }
    return server;
  }

  private static int listen(InetSocketAddress address, int backlog) throws IOException {
    SystemCalls sys = new SystemCalls();
    SocketAddress own = SocketAddress.of(address.getHostString(), address.getPort());
    int fd = check(sys.tcpSocket(), "socket");
    try {
      check(sys.setOption(fd, SystemCalls.SOL_SOCKET, SystemCalls.SO_REUSEADDR, 1), "setsockopt SO_REUSEADDR");
      check(sys.bind(fd, own), "bind");
      check(sys.listen(fd, backlog), "listen");
    } catch (BindException e) {
      sys.close(fd);
      throw e;
    }
    // Now, as each doubling of the table later on would hold up the loop that accepts.
    sys.growDescriptorTable(fd, (int) Math.min(DescriptorLimit.own().soft(), DESCRIPTORS_AT_ONCE) - 1);
    return fd;
  }

  private static int check(int result, String call) throws BindException {
    if (result < 0) {
      throw new BindException(call + " failed with " + Errno.name(result));
    }
    return result;
  }

  private void run(Loop loop) {
    try {
      loop.run();
    } finally {
      running.countDown();
    }
  }

  @Override
  public int port() {
    return port;
  }

  @Override
  public Map<String, Object> running() {
    Map<String, Object> all = new TreeMap<>(said);
    all.put("io", "epoll by system call, edge-triggered");
    all.put("loops", loops.size());
    return all;
  }

  @Override
  public long drain(Duration limit) throws InterruptedException {
    drain.begin(limit);
    // A listener that is shut down reports HUP to the loop that accepts, and that one tells the others.
    sys.shutdown(listener, SystemCalls.SHUT_RD);
    boolean ended = running.await(limit.toNanos() + CLOSING_NS, TimeUnit.NANOSECONDS);
    sys.close(listener);
    return ended ? drain.cutOff() : openByLoop().stream().mapToLong(Integer::longValue).sum();
  }

  @Override
  public long directBytes() {
    return loops.stream().mapToLong(Loop::directBytes).sum();
  }

  /** Open connections of each loop. */
  List<Integer> openByLoop() {
    return loops.stream().map(Loop::open).toList();
  }
}
