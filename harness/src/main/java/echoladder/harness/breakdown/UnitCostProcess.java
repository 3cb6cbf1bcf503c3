package echoladder.harness.breakdown;

import echoladder.harness.common.ProcText;
import echoladder.linux.Epoll;
import echoladder.linux.Errno;
import echoladder.linux.ProcessCpu;
import echoladder.linux.SocketAddress;
import echoladder.linux.SystemCalls;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * The process that {@link UnitCosts} starts. Its main thread wakes at a rate, as a server's does, and does one of a thing each time;
 * then it wakes as often for nothing. It prints a line per thing, rate and round, and ends with its stdin.
 */
final class UnitCostProcess {
  /** Of each thing without a pause, for the compilers, before the first round. */
  private static final long WARM_NS = 300_000_000;

  /** Of {@link UnitCost#ALLOCATED_KIB}: so many objects of 256 bytes each time, as one alone would be lost in the noise. */
  static final int KIB_EACH = 16;

  private static final int OBJECTS_PER_KIB = 4;
  private static final int OBJECT_BYTES = 240;
  private static final int READ_BYTES = 256;

  private final SystemCalls sys = new SystemCalls();
  private final Epoll sleeper = Epoll.open(sys, 1);
  private final Epoll watching = Epoll.open(sys, 1);
  private final Epoll ready = Epoll.open(sys, 1);
  private final MemorySegment buffer = Arena.ofAuto().allocate(READ_BYTES);
  private final ProcessCpu cpu = new ProcessCpu();
  private final Map<UnitCost, Runnable> things = new EnumMap<>(UnitCost.class);

  @SuppressWarnings("unused") // It keeps objects from being left out.
  private volatile byte[] kept = {};

  private volatile boolean partnersTurn;

  private UnitCostProcess() throws IOException {
    int silent = connection();
    int writable = connection();
    // It has room to write all the time, so a wait for that ends at once.
    check("epoll_ctl", ready.add(writable, Epoll.OUT, 0));
    check("epoll_ctl", watching.add(silent, Epoll.IN, 0));
    Thread main = Thread.currentThread();
    Thread partner = Thread.ofPlatform().daemon().name("partner").start(() -> answer(main));
    Thread virtual = Thread.ofVirtual().start(UnitCostProcess::parkAlways);
    things.put(UnitCost.READ_NOTHING, () -> sys.read(silent, buffer, READ_BYTES));
    things.put(UnitCost.EPOLL_CTL, () -> watching.modify(silent, Epoll.IN | Epoll.ONE_SHOT, 0));
    things.put(UnitCost.EPOLL_WAIT, () -> ready.await(0));
    things.put(UnitCost.SWITCH, () -> handOver(partner));
    things.put(UnitCost.VIRTUAL_TURN, () -> LockSupport.unpark(virtual));
    things.put(UnitCost.ALLOCATED_KIB, this::allocate);
    sys.timerSlackNs(1);
  }

  /**
   * Measures.
   *
   * @param args ms of each block, rounds, then the rates per second
   */
  public static void main(String[] args) throws IOException {
    Thread.ofPlatform().daemon().name("stdin").start(UnitCostProcess::endWithStdin);
    UnitCostProcess process = new UnitCostProcess();
    process.things.values().forEach(UnitCostProcess::warm);
    long blockNs = Long.parseLong(args[0]) * 1_000_000;
    int rounds = Integer.parseInt(args[1]);
    for (String rate : List.of(args).subList(2, args.length)) {
      long periodNs = (long) (1e9 / Double.parseDouble(rate));
      for (int round = 0; round < rounds; round++) {
        process.block(rate, round, UnitCosts.NOTHING, () -> {}, periodNs, blockNs);
        for (Map.Entry<UnitCost, Runnable> thing : process.things.entrySet()) {
          process.block(rate, round, thing.getKey().id(), thing.getValue(), periodNs, blockNs);
        }
      }
      System.out.flush();
    }
  }

  private static void endWithStdin() {
    try {
      while (System.in.read() >= 0) {
        // Nobody says anything.
      }
    } catch (IOException e) {
      // As its end.
    }
    Runtime.getRuntime().halt(1);
  }

  private static void warm(Runnable thing) {
    for (long end = System.nanoTime() + WARM_NS; System.nanoTime() < end; ) {
      thing.run();
    }
  }

  private void block(String rate, int round, String name, Runnable thing, long periodNs, long blockNs) throws IOException {
    int times = (int) Math.max(1, blockNs / periodNs);
    long switches = switches();
    long cpuNs = cpu.ownNs();
    long next = System.nanoTime();
    for (int i = 0; i < times; i++) {
      next += periodNs;
      for (long left = next - System.nanoTime(); left > 0; left = next - System.nanoTime()) {
        sleeper.await(left);
      }
      thing.run();
    }
    double each = (double) (cpu.ownNs() - cpuNs) / times;
    System.out.println("%s %d %s %.3f %.4f".formatted(rate, round, name, each, (double) (switches() - switches) / times));
  }

  /** Voluntary ones of all threads so far. */
  private static long switches() throws IOException {
    long sum = 0;
    try (Stream<Path> tasks = Files.list(Path.of("/proc/self/task"))) {
      for (Path task : tasks.toList()) {
        sum += ProcText.number(ProcText.lines(task.resolve("status").toString()), "voluntary_ctxt_switches:").orElse(0);
      }
    }
    return sum;
  }

  /** From the main thread to its partner and back. */
  private void handOver(Thread partner) {
    partnersTurn = true;
    LockSupport.unpark(partner);
    while (partnersTurn) {
      LockSupport.park(this);
    }
  }

  private void answer(Thread main) {
    while (true) {
      while (!partnersTurn) {
        LockSupport.park(this);
      }
      partnersTurn = false;
      LockSupport.unpark(main);
    }
  }

  private static void parkAlways() {
    while (true) {
      LockSupport.park();
    }
  }

  private void allocate() {
    for (int i = 0; i < KIB_EACH * OBJECTS_PER_KIB; i++) {
      kept = new byte[OBJECT_BYTES];
    }
  }

  /** One end of a connection over loopback, whose other end is open and silent. */
  private int connection() throws IOException {
    int listener = check("socket", sys.tcpSocket());
    check("bind", sys.bind(listener, SocketAddress.of("127.0.0.1", 0)));
    check("listen", sys.listen(listener, 1));
    int own = check("socket", sys.tcpSocket());
    int connected = sys.connect(own, SocketAddress.of("127.0.0.1", sys.localPort(listener)));
    if (connected != -Errno.EINPROGRESS) {
      check("connect", connected);
    }
    try (Epoll accepting = Epoll.open(sys, 1)) {
      check("epoll_ctl", accepting.add(listener, Epoll.IN, 0));
      accepting.await(1_000_000_000);
    }
    check("accept", sys.accept(listener));
    return own;
  }

  private static int check(String call, int result) throws IOException {
    if (result < 0) {
      throw new IOException(call + " failed: " + Errno.name(result));
    }
    return result;
  }
}
