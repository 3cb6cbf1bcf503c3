package echoladder.harness.breakdown;

import echoladder.harness.common.ProcText;
import echoladder.linux.Errno;
import echoladder.linux.process.ProcessCpu;
import echoladder.linux.process.StdinWatch;
import echoladder.linux.sockets.Epoll;
import echoladder.linux.sockets.SocketAddress;
import echoladder.linux.sockets.SystemCalls;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The process that {@link UnitCosts} starts. Its main thread wakes at a rate, as a server's does, and does one of a thing each time;
 * then it wakes as often for nothing. It prints a line per thing, rate and round, and ends with its stdin.
 */
final class UnitCostProcess {
  /** What a block does each time. */
  enum Thing {
    NOTHING, READ_NOTHING, EPOLL_CTL, EPOLL_WAIT, SWITCH, ONE_TURN, SEVERAL_TURNS, ALLOCATED
  }

  /** How long each thing is done without a pause, for the compilers, before the first round. */
  private static final long WARM_NS = 300_000_000;

  /** Objects of 256 bytes for {@link Thing#ALLOCATED}, as KiB each time: one object alone would be lost in the noise. */
  static final int KIB_EACH = 16;

  /** Turns of {@link Thing#SEVERAL_TURNS}. */
  static final int TURNS = 4;

  private static final int OBJECTS_PER_KIB = 4;
  private static final int OBJECT_BYTES = 240;
  private static final int READ_BYTES = 256;

  /** Names of HotSpot's. */
  private static final Pattern COMPILER = Pattern.compile("C[12] Compiler");

  private final SystemCalls sys = new SystemCalls();
  private final Epoll sleeper = Epoll.open(sys, 1);
  private final Epoll watching = Epoll.open(sys, 1);
  private final Epoll ready = Epoll.open(sys, 1);
  private final MemorySegment buffer = Arena.ofAuto().allocate(READ_BYTES);
  private final ProcessCpu cpu = new ProcessCpu();
  private final Map<Thing, Runnable> things = new EnumMap<>(Thing.class);

  @SuppressWarnings("unused") // It keeps objects from being left out.
  private volatile byte[] kept = {};

  // The JVM's launcher makes a thread for it, so it is not the pid.
  private final long mainTid = Long.parseLong(Files.readSymbolicLink(Path.of("/proc/thread-self")).getFileName().toString());

  private UnitCostProcess() throws IOException {
    int silent = connection();
    int writable = connection();
    // It has room to write all the time, so a wait for that ends at once.
    check("epoll_ctl", ready.add(writable, Epoll.OUT, 0));
    check("epoll_ctl", watching.add(silent, Epoll.IN, 0));
    Thread partner = Thread.ofPlatform().daemon().name("partner").start(UnitCostProcess::parkAlways);
    List<Thread> virtual = Stream.generate(() -> Thread.ofVirtual().start(UnitCostProcess::parkAlways)).limit(TURNS).toList();
    things.put(Thing.NOTHING, () -> {});
    things.put(Thing.READ_NOTHING, () -> sys.read(silent, buffer, READ_BYTES));
    things.put(Thing.EPOLL_CTL, () -> watching.modify(silent, Epoll.IN | Epoll.ONE_SHOT, 0));
    things.put(Thing.EPOLL_WAIT, () -> ready.await(0));
    things.put(Thing.SWITCH, () -> LockSupport.unpark(partner));
    things.put(Thing.ONE_TURN, () -> LockSupport.unpark(virtual.getFirst()));
    things.put(Thing.SEVERAL_TURNS, () -> virtual.forEach(LockSupport::unpark));
    things.put(Thing.ALLOCATED, this::allocate);
    sys.timerSlackNs(1);
  }

  /**
   * Measures.
   *
   * @param args ms of each block, rounds, then the rates per second
   */
  public static void main(String[] args) throws IOException {
    StdinWatch.begin();
    UnitCostProcess process = new UnitCostProcess();
    process.things.values().forEach(UnitCostProcess::warm);
    long blockNs = Long.parseLong(args[0]) * 1_000_000;
    int rounds = Integer.parseInt(args[1]);
    for (String rate : List.of(args).subList(2, args.length)) {
      long periodNs = (long) (1e9 / Double.parseDouble(rate));
      for (int round = 0; round < rounds; round++) {
        for (Map.Entry<Thing, Runnable> thing : process.things.entrySet()) {
          process.block(rate, round, thing.getKey(), thing.getValue(), periodNs, blockNs);
        }
      }
      System.out.flush();
    }
  }

  private static void warm(Runnable thing) {
    for (long end = System.nanoTime() + WARM_NS; System.nanoTime() < end; ) {
      thing.run();
    }
  }

  /**
   * The CPU of a thing is what its own thread takes from just before to just after it, and what all others take in the block. What the
   * thread takes to wake is not in it: on a host with neighbours that differs by more between two blocks than most things take.
   * Compilers are not in it either.
   */
  private void block(String rate, int round, Thing name, Runnable thing, long periodNs, long blockNs) throws IOException {
    int times = (int) Math.max(1, blockNs / periodNs);
    long switches = switches();
    long othersNs = othersNs();
    long doingNs = 0;
    long next = System.nanoTime();
    for (int i = 0; i < times; i++) {
      next += periodNs;
      for (long left = next - System.nanoTime(); left > 0; left = next - System.nanoTime()) {
        sleeper.await(left);
      }
      long before = cpu.callingThreadNs();
      thing.run();
      doingNs += cpu.callingThreadNs() - before;
    }
    double each = (double) (doingNs + othersNs() - othersNs) / times;
    System.out.println("%s %d %s %.3f %.4f".formatted(rate, round, name, each, (double) (switches() - switches) / times));
  }

  /** CPU of all threads so far, but the main one and the compilers. */
  private long othersNs() throws IOException {
    long sum = 0;
    for (Path task : tasks()) {
      long tid = Long.parseLong(task.getFileName().toString());
      if (tid != mainTid && !COMPILER.matcher(String.valueOf(ProcText.read(task.resolve("comm").toString()))).lookingAt()) {
        sum += Math.max(0, cpu.ownThreadNs(tid));
      }
    }
    return sum;
  }

  /** Voluntary ones of all threads so far. */
  private static long switches() throws IOException {
    long sum = 0;
    for (Path task : tasks()) {
      sum += ProcText.number(ProcText.lines(task.resolve("status").toString()), "voluntary_ctxt_switches:").orElse(0);
    }
    return sum;
  }

  private static List<Path> tasks() throws IOException {
    try (Stream<Path> tasks = Files.list(Path.of("/proc/self/task"))) {
      return tasks.toList();
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
