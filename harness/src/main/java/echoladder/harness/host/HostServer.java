package echoladder.harness.host;

import echoladder.client.page.NotThereException;
import echoladder.harness.common.Checkout;
import echoladder.harness.common.Jdks;
import echoladder.harness.probe.LiveHeap;
import echoladder.harness.probe.LocalReadings;
import echoladder.harness.probe.Readings;
import echoladder.harness.probe.Subject;
import echoladder.harness.results.ProgramHashes;
import echoladder.harness.server.ReadyLine;
import echoladder.harness.server.ServerBuild;
import echoladder.harness.server.ServerManifest;
import echoladder.harness.server.ServerNotReadyException;
import echoladder.harness.server.ServerProcess;
import echoladder.harness.server.ServerSettings;
import echoladder.linux.cpu.CpuList;
import echoladder.linux.output.HeadAndTail;
import echoladder.linux.process.CpuAffinity;
import echoladder.openloop.run.ServerLook;
import echoladder.openloop.run.ServerSide;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The one server that a control process has at a time, with all that is looked at of it. */
final class HostServer implements AutoCloseable {
  /** More than what is kept of a log. */
  private static final int LOG_MOST_BYTES = 3 * HeadAndTail.LOG_BYTES;

  private final Checkout checkout;
  private final Consumer<String> ended;
  private final HostScratch scratch;
  private @Nullable Running running;
  private boolean closed;

  /** A server that got ready, and who looks at it. */
  private record Running(ServerProcess process, ReadyLine ready, Path log, Readings readings, ServerSide side, boolean mayLackGc) {}

  HostServer(Checkout checkout, Consumer<String> ended) throws IOException {
    this.checkout = checkout;
    this.ended = ended;
    this.scratch = HostScratch.in(Path.of(System.getProperty("java.io.tmpdir")));
  }

  private ServerManifest manifest(String name) throws IOException {
    ServerManifest manifest = ServerManifest.all(checkout).get(name);
    if (manifest == null) {
      throw new IOException("there is no server '" + name + "' in " + checkout.root());
    }
    return manifest;
  }

  private static List<String> argv(ServerManifest manifest, ServerOrder order) {
    Path java = order.jdk() == null ? Jdks.java() : Jdks.java(order.jdk());
    ServerSettings known = ServerSettings.DEFAULT;
    return manifest.argv(
        java, new ServerSettings(order.address(), known.port(), order.backlog(), known.metricsPort(), known.drain(), order.options()));
  }

  /** Builds those that say how, and gives the hashes of what each of them runs. */
  Map<String, Map<String, String>> programs(List<ServerOrder> orders) throws IOException {
    ProgramHashes hashes = new ProgramHashes(checkout);
    for (ServerOrder order : orders) {
      ServerManifest manifest = manifest(order.server());
      ServerBuild.ensure(manifest);
      hashes.add(manifest.name(), argv(manifest, order));
    }
    return hashes.all();
  }

  /** Starts it, and waits for its ready line. */
  ServerUp start(ServerOrder order) throws IOException, InterruptedException, ServerNotReadyException {
    ServerManifest manifest = manifest(order.server());
    List<String> argv = argv(manifest, order);
    List<String> whole = new ArrayList<>(order.cpus() == null ? List.of() : CpuAffinity.wrapper(CpuList.parse(order.cpus())));
    whole.addAll(argv);
    Path log = Files.createTempFile(scratch.dir(), "server", ".log");
    long startNs = System.nanoTime();
    ServerProcess process = begin(whole, log);
    boolean got = false;
    try {
      ReadyLine ready = process.awaitServing(Duration.ofNanos(order.boundNs()));
      ServerUp up = new ServerUp(ready, checkout.portable(argv), (System.nanoTime() - startNs) / 1e9);
      Readings readings = new LocalReadings(new Subject(ready.pid(), ready.metrics(), List::of));
      ServerSide side = new ServerSide(ready.pid(), ready.metrics());
      keep(new Running(process, ready, log, readings, side, manifest.unmanaged()));
      got = true;
      var _ = process.ended().thenRun(() -> told(process));
      return up;
    } finally {
      if (!got) {
        process.close();
      }
    }
  }

  /** A server that was stopped is not running any more when it ends. */
  private void told(ServerProcess process) {
    boolean byItself;
    synchronized (this) {
      byItself = running != null && running.process.equals(process);
    }
    if (byItself) {
      ended.accept(process.ending());
    }
  }

  private synchronized ServerProcess begin(List<String> argv, Path log) throws IOException {
    if (closed) {
      throw new IOException("the control process ends");
    }
    if (running != null) {
      throw new IOException("a server runs already, pid " + running.ready.pid());
    }
    return ServerProcess.start(argv, log);
  }

  private synchronized void keep(Running now) {
    running = now;
    if (closed) {
      now.process.close();
    }
  }

  private synchronized Running running() throws IOException {
    if (running == null) {
      throw new IOException("no server was started");
    }
    return running;
  }

  /** How it ended by itself; null where it did not. */
  @Nullable String ending(boolean doubted) throws IOException {
    return running().process.endedByItself(doubted);
  }

  HostReplies.Stopped stop(int connections) throws IOException {
    Running now;
    synchronized (this) {
      now = running();
      running = null;
    }
    String done = now.process.stopHolding(connections);
    now.process.close();
    return new HostReplies.Stopped(done, taken(now.log) + crashes());
  }

  /** A file's beginning; the file is gone then. Bytes that are no UTF-8, as a server may print them, are no reason to have none. */
  private static String taken(Path file) throws IOException {
    byte[] bytes;
    try (InputStream in = Files.newInputStream(file)) {
      bytes = in.readNBytes(LOG_MOST_BYTES);
    }
    Files.delete(file);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /** What a JVM that crashed has left in the folder that it worked in. */
  private String crashes() throws IOException {
    StringBuilder all = new StringBuilder();
    try (Stream<Path> files = Files.list(scratch.dir())) {
      for (Path file : files.filter(file -> String.valueOf(file.getFileName()).startsWith("hs_err")).sorted().toList()) {
        all.append("\n[").append(file.getFileName()).append("]\n").append(taken(file));
      }
    }
    return all.toString();
  }

  /** Whether its page counts no connection, within the bound for that. */
  boolean empty() throws IOException, InterruptedException {
    return EmptyPage.empty(EmptyPage.await(running().ready.metrics(), () -> false));
  }

  /** Its own samples; those without a server where none runs. */
  synchronized Readings readings(Readings without) {
    return running == null ? without : running.readings;
  }

  HostReplies.Look look() throws IOException {
    ServerSide side = running().side;
    synchronized (side) {
      ServerLook.Seen seen = side.look();
      return new HostReplies.Look(seen.atNs(), seen.cpuNs(), seen.rssBytes(), seen.failure(), side.cpus());
    }
  }

  @Nullable Double compileSeconds() throws IOException {
    ServerSide side = running().side;
    synchronized (side) {
      return side.compileSeconds();
    }
  }

  HostReplies.Collected collect() throws IOException {
    Running now = running();
    try {
      return new HostReplies.Collected(LiveHeap.afterGc(now.ready.gc()), "");
    } catch (NotThereException e) {
      return new HostReplies.Collected(null, now.mayLackGc ? "" : String.valueOf(e.getMessage()));
    }
  }

  /** Whether there is room for what a server says; without it an exception says where. */
  synchronized void checkDisk() throws IOException {
    if (!closed) {
      scratch.probe();
    }
  }

  /** Ends it by force, and removes its logs. */
  @Override
  public synchronized void close() {
    closed = true;
    if (running != null) {
      running.process.close();
      running = null;
    }
    scratch.close();
  }
}
