package echoladder.harness.run;

import echoladder.client.HttpAsk;
import echoladder.client.Protocol;
import echoladder.client.Target;
import echoladder.harness.host.PushCheck;
import echoladder.harness.probe.LiveHeap;
import echoladder.harness.probe.LocalReadings;
import echoladder.harness.probe.Readings;
import echoladder.harness.probe.Subject;
import echoladder.harness.results.RungRecord;
import echoladder.harness.server.OwnProcess;
import echoladder.harness.server.OwnServer;
import echoladder.harness.server.ServerNotReadyException;
import echoladder.linux.process.ProcessTree;
import echoladder.linux.sockets.EstablishedConnections;
import echoladder.linux.sockets.SocketAddress;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A server of the user's own: started for the rung and stopped after it, or one that runs already, which is never signalled. It has
 * no page, so what is known of it is what the kernel tells of its processes.
 *
 * @param process null = it ran already
 * @param pid of the process that its others descend from
 * @param started null = nothing was
 * @param connections that it is to hold
 */
record CustomServer(OwnServer own, @Nullable OwnProcess process, Long pid, RungRecord.@Nullable Started started, int connections)
    implements RungServer {
  private static final Duration EMPTY_BOUND = Duration.ofSeconds(10);
  private static final long LOOK_MS = 50;

  /**
   * Starts it and waits until it accepts; where that fails, nothing is left running. The parameters are those of {@link
   * StartedServer#start}.
   */
  static CustomServer start(
      RunContext context, ServerUnderTest contender, OwnServer own, UnaryOperator<List<String>> wrap, Path log, int connections)
      throws IOException, InterruptedException, ServerNotReadyException {
    Long running = own.pid();
    if (running != null) {
      if (ProcessHandle.of(running).filter(ProcessTree::runs).isEmpty()) {
        throw new ServerNotReadyException("process " + running + " has ended");
      }
      return new CustomServer(own, null, running, null, connections);
    }
    String taken = own.taken();
    if (taken != null) {
      throw new ServerNotReadyException(taken);
    }
    List<String> argv = contender.argv();
    long startNs = System.nanoTime();
    OwnProcess process = OwnProcess.start(wrap.apply(argv), log);
    boolean got = false;
    try (var _ = context.stop().onStop(process::terminate)) {
      process.awaitAccepting(own, Duration.ofNanos(context.setup().study().bounds().serverStartNs()));
      got = true;
      double seconds = (System.nanoTime() - startNs) / 1e9;
      RungRecord.Started started =
          new RungRecord.Started(context.setup().checkout().portable(argv), process.pid(), own.port(), null, seconds, Map.of());
      return new CustomServer(own, process, process.pid(), started, connections);
    } finally {
      if (!got) {
        process.close();
      }
    }
  }

  /** It is also the process that listens there. */
  @Override
  public void check(Protocol protocol, @Nullable String source) throws IOException {
    String stranger = own.stranger(pid);
    if (stranger != null) {
      throw new IOException(stranger);
    }
    echo(source);
  }

  @Override
  public void checkPush(Protocol protocol, HttpAsk asked, @Nullable String source) throws IOException {
    String stranger = own.stranger(pid);
    if (stranger != null) {
      throw new IOException(stranger);
    }
    try {
      PushCheck.of(protocol, asked, target(), source);
    } catch (IOException e) {
      String ending = process == null ? null : process.endedByItself(false);
      throw new IOException(
          "%s%s; see %s".formatted(e.getMessage(), ending == null ? "" : "; the server " + ending, OwnServer.PUSH_PAGE), e);
    }
  }

  /** Asks it for one echo, whoever listens. */
  void echo(@Nullable String source) throws IOException {
    try {
      OwnCheck check = new OwnCheck(own, source);
      switch (own.protocol()) {
        case TCP -> check.tcp();
        case HTTP -> check.http();
        case WEBSOCKET -> check.webSocket();
      }
    } catch (IOException e) {
      String ending = process == null ? null : process.endedByItself(false);
      throw new IOException(
          "echo check of %s failed: %s%s; %s; see %s"
              .formatted(own.target(), e.getMessage(), ending == null ? "" : "; the server " + ending, OwnCheck.asked(own.protocol()),
                  OwnServer.PAGE),
          e);
    }
  }

  /** One that ran already. */
  @Override
  public boolean loadedBefore() {
    return process == null;
  }

  @Override
  public Target target() {
    return own.target();
  }

  @Override
  public @Nullable URI metrics() {
    return null;
  }

  @Override
  public @Nullable LiveHeap liveHeap() {
    return null;
  }

  /** By the kernel's count of the connections towards it, as it has none of its own to tell. */
  @Override
  public boolean empty(BooleanSupplier stop) throws IOException, InterruptedException {
    SocketAddress there = SocketAddress.of(own.target().host(), own.port());
    long end = System.nanoTime() + EMPTY_BOUND.toNanos();
    while (EstablishedConnections.to(there).orElse(0) > 0) {
      if (System.nanoTime() > end || stop.getAsBoolean()) {
        return false;
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_MS);
    }
    return true;
  }

  @Override
  public Long pid() {
    return pid;
  }

  @Override
  public boolean wholeTree() {
    return true;
  }

  @Override
  public RungRecord.@Nullable Started started() {
    return started;
  }

  @Override
  public Readings readings() {
    ProcessTree all = new ProcessTree(pid);
    return new LocalReadings(new Subject(pid, null, () -> process == null ? ChildPids.all() : ChildPids.othersThan(all), all));
  }

  @Override
  public void onEnd(Runnable action) {
    if (process != null) {
      var _ = process.ended().thenRun(action);
    } else {
      ProcessHandle.of(pid)
          .ifPresent(
              handle -> {
                var _ = handle.onExit().thenRun(action);
              });
    }
  }

  @Override
  public @Nullable String ending(boolean doubted) {
    if (process != null) {
      return process.endedByItself(doubted);
    }
    return ProcessHandle.of(pid).filter(ProcessTree::runs).isPresent() ? null : "(process " + pid + ", which was not started here) ended";
  }

  @Override
  public @Nullable String stop() {
    return process == null ? null : process.stopHolding(connections);
  }

  @Override
  public void close() {
    if (process != null) {
      process.close();
    }
  }
}
