package echoladder.openloop.shard;

import com.sun.management.ThreadMXBean;
import echoladder.client.LoadPlan;
import echoladder.client.Publish;
import echoladder.client.figures.StagedFigures;
import echoladder.client.schedule.Slice;
import echoladder.linux.ErrorText;
import echoladder.linux.cpu.CpuList;
import echoladder.linux.process.CpuAffinity;
import echoladder.linux.process.DescriptorLimit;
import echoladder.linux.process.IdleThreads;
import echoladder.linux.process.ProcessCpu;
import echoladder.linux.process.ProcessMemory;
import echoladder.linux.sockets.SystemCalls;
import echoladder.openloop.codec.Codec;
import echoladder.openloop.connection.Addresses;
import echoladder.openloop.loop.EventLoop;
import echoladder.openloop.loop.LoopPlan;
import echoladder.openloop.publish.PublishLog;
import echoladder.openloop.publish.Publisher;
import echoladder.openloop.result.Counters;
import echoladder.openloop.result.Failures;
import echoladder.openloop.result.ShardStatus;
import echoladder.openloop.result.TimeKind;
import echoladder.openloop.schedule.Timing;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** The event loops of this process. */
final class LocalShard implements Shard {
  private final Timing timing = new Timing();
  private final Failures failures = new Failures();
  private final List<String> dead = new CopyOnWriteArrayList<>();
  private final List<EventLoop> loops = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private final List<Seat> seated = new ArrayList<>();
  private final ThreadPinning seats;
  private final @Nullable Publisher publisher;
  private final @Nullable Audiences audiences;
  private boolean toldOfAudiences;
  private long differing = -1;
  private long owedToSlowBytes;
  private final int messageBytes;
  private final boolean polls;
  private final int connections;
  private int announcements;
  private final ProcessCpu cpu = new ProcessCpu();
  private final long pid = ProcessHandle.current().pid();
  private final GcPauses gcPauses = new GcPauses();
  private final ThreadMXBean threadBean = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private final @Nullable CompilationMXBean compiler = ManagementFactory.getCompilationMXBean();

  /** Shard {@code index} of {@code shards}, each of {@code loopsPerShard} loops; its loops start idle. */
  LocalShard(LoadPlan plan, Addresses addresses, int index, int shards, int loopsPerShard) throws IOException {
    this(plan, addresses, index, shards, loopsPerShard, LoopPlan::codec);
  }

  /** Shard {@code index} of {@code shards} with another codec than the plan's. */
  LocalShard(LoadPlan plan, Addresses addresses, int index, int shards, int loopsPerShard, Codecs codecs)
      throws IOException {
    int held = 0;
    messageBytes = plan.messageBytes();
    Publish publish = plan.publish();
    publisher = publish == null ? null : new Publisher(plan, publish, addresses, timing, failures);
    PublishLog log = publisher == null ? null : publisher.log;
    for (int i = 0; i < loopsPerShard; i++) {
      Slice slice =
          new Slice(index * loopsPerShard + i, shards * loopsPerShard, plan.connections(), plan.activeConnections());
      LoopPlan ofLoop = new LoopPlan(plan, slice, addresses);
      EventLoop loop = new EventLoop(ofLoop, codecs.of(ofLoop, failures), timing, failures, log);
      loops.add(loop);
      held += slice.connections();
    }
    connections = held;
    audiences =
        publish == null || log == null
            ? null
            : new Audiences(
                publish, plan.activeConnections(), log,
                loops.stream().flatMap(loop -> Stream.ofNullable(loop.subscribers())).toList(), timing);
    growDescriptorTable();
    polls = plan.spin().isPositive();
    seats = ThreadPinning.of(plan, index * loopsPerShard, shards * loopsPerShard);
    seats.take();
    for (int i = 0; i < loopsPerShard; i++) {
      EventLoop loop = loops.get(i);
      start("event-loop-" + loop.slice.index(), new Seat(seats, i, loop));
    }
    if (publisher != null) {
      // It hardly works, and what is late by it is the client's own: it has the core of the first loop.
      start("publisher", new Seat(seats, 0, publisher));
    }
  }

  private void start(String name, Seat seat) {
    seated.add(seat);
    Thread thread = Thread.ofPlatform().name(name).unstarted(seat);
    thread.setDaemon(true);
    thread.setUncaughtExceptionHandler((t, e) -> dead.add(t.getName() + ": " + ErrorText.of(e)));
    thread.start();
    threads.add(thread);
  }

  /** A loop on its processors; {@code cpus} is what the kernel then says of its thread. */
  private static final class Seat implements Runnable {
    private final ThreadPinning seats;
    private final int i;
    private final Runnable loop;
    private volatile @Nullable CpuList cpus;

    Seat(ThreadPinning seats, int i, Runnable loop) {
      this.seats = seats;
      this.i = i;
      this.loop = loop;
    }

    @Override
    public void run() {
      try {
        seats.takeLoop(i);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      cpus = CpuAffinity.ofThread();
      loop.run();
    }
  }

  /** What is spoken on the connections of a loop. */
  interface Codecs {
    Codec of(LoopPlan loop, Failures failures);
  }

  private void growDescriptorTable() {
    int highest = (int) Math.min(DescriptorLimit.own().soft() - 1, connections + Shards.RESERVED_DESCRIPTORS);
    int r = new SystemCalls().growDescriptorTable(0, highest);
    if (r < 0) {
      failures.count("fcntl", r);
    }
  }

  // A time that has come is not heeded: whoever announced it sees that by the clock, and announces another.

  @Override
  public void ramp(long startNs) {
    if (System.nanoTime() < startNs) {
      timing.rampStartNs = startNs;
    }
  }

  @Override
  public void schedule(long startNs) {
    if (System.nanoTime() < startNs) {
      timing.scheduleStartNs = startNs;
    }
  }

  /** What is left to compile after the warm-up takes the core from a loop that polls, or from the server. */
  private void leaveTheCoreToThePolling() {
    if (!polls || !seats.crowded()) {
      return;
    }
    try {
      IdleThreads.compilers();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void steady(long startNs, long endNs) {
    if (System.nanoTime() >= startNs) {
      return;
    }
    gcPauses.reset();
    if (timing.steadyStartNs != Timing.UNKNOWN) {
      timing.steadyStartNs = Timing.UNKNOWN;
      timing.announced = ++announcements;
    }
    timing.steadyEndNs = endNs;
    timing.steadyStartNs = startNs;
    leaveTheCoreToThePolling(); // Last: what it takes makes no announcement late.
  }

  @Override
  public void finish() {
    timing.finish = true;
  }

  @Override
  public void storm(long startNs) {
    if (System.nanoTime() < startNs) {
      timing.stormNs = startNs;
    }
  }

  @Override
  public void rollCall(long startNs) {
    if (System.nanoTime() < startNs) {
      timing.callRoll(startNs);
    }
  }

  @Override
  public ShardStatus status() {
    Long[] counts = new Long[Counters.Of.COUNT];
    Arrays.fill(counts, 0L);
    counts[Counters.Of.YOUNGEST_UNANSWERED_NS.ordinal()] = Long.MAX_VALUE;
    long allocated = 0;
    List<Counters> all = new ArrayList<>(loops.stream().map(loop -> loop.counters).toList());
    if (publisher != null) {
      // Last, so that what is owed is never read as less than it is.
      all.add(publisher.counters);
    }
    for (int i = 0; i < all.size(); i++) {
      Counters counters = all.get(i);
      for (Counters.Of of : Counters.Of.values()) {
        long n = counters.get(of);
        boolean none = of == Counters.Of.YOUNGEST_UNANSWERED_NS && n == 0;
        counts[of.ordinal()] = of.join(counts[of.ordinal()], none ? Long.MAX_VALUE : n);
      }
      allocated += Math.max(0, threadBean.getThreadAllocatedBytes(threads.get(i).threadId()));
    }
    if (audiences != null && audiences.complete()) {
      if (differing < 0) {
        differing = audiences.differing(ended(counts));
        owedToSlowBytes = audiences.owedToSlow() * messageBytes;
      }
      counts[Counters.Of.AUDIENCES_DIFFER.ordinal()] = differing;
      counts[Counters.Of.SLOW_OWED_BYTES.ordinal()] = owedToSlowBytes;
    }
    Long rss = ProcessMemory.rssBytes(pid);
    return new ShardStatus(
        List.of(counts),
        connections,
        counts[Counters.Of.SETTLED.ordinal()] == loops.size() && (audiences == null || audiences.complete()),
        List.copyOf(dead),
        failures.snapshot(),
        cpu.ownNs(),
        rss == null ? 0 : rss,
        compiler == null ? 0 : compiler.getTotalCompilationTime(),
        gcPauses.maxNs(),
        allocated,
        loops.stream().allMatch(EventLoop::nodelay),
        seated.stream().map(seat -> seat.cpus).filter(Objects::nonNull).reduce(CpuList.of(), CpuList::with).toString(),
        Objects.toString(CpuAffinity.of(pid), ""));
  }

  /** Connections of the plan that are not open, as far as these counts tell. */
  private long ended(Long[] counts) {
    return connections - counts[Counters.Of.ESTABLISHED.ordinal()] + counts[Counters.Of.LOST.ordinal()]
        + counts[Counters.Of.RESET.ordinal()] + counts[Counters.Of.DROPPED.ordinal()];
  }

  @Override
  public void addIntervalTo(Map<TimeKind, Histogram> into) {
    for (EventLoop loop : loops) {
      loop.recorders.addIntervalTo(into);
    }
    if (publisher != null) {
      publisher.recorders.addIntervalTo(into);
    }
    if (audiences != null && !toldOfAudiences && audiences.complete()) {
      toldOfAudiences = true;
      audiences.addTo(into);
    }
  }

  @Override
  public void addRequestsTo(Map<String, Histogram> into) {
    loops.getFirst().observer().addIntervalTo(into);
  }

  @Override
  public @Nullable StagedFigures staged() {
    return loops.getFirst().observer().figures();
  }

  @Override
  public void close() {
    timing.close = true;
    boolean interrupted = false;
    for (Thread thread : threads) {
      try {
        // Closing a million sockets takes seconds; beyond this the process ends and the kernel closes them.
        thread.join(60_000);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    gcPauses.close();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
