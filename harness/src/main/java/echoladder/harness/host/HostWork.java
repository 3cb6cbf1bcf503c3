package echoladder.harness.host;

import echoladder.client.Target;
import echoladder.harness.client.InstalledClients;
import echoladder.harness.common.Checkout;
import echoladder.harness.common.Version;
import echoladder.harness.doctor.HostFactsReader;
import echoladder.harness.probe.HostLook;
import echoladder.harness.probe.LocalReadings;
import echoladder.harness.probe.ReadingRecord;
import echoladder.harness.probe.Readings;
import echoladder.harness.probe.Subject;
import echoladder.harness.results.Environment;
import echoladder.harness.results.ProgramHashes;
import echoladder.harness.server.ServerNotReadyException;
import echoladder.linux.cpu.IdlePolling;
import echoladder.linux.process.Starter;
import echoladder.openloop.shard.ShardProcess;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The work of a control process on its host. Any thread. */
final class HostWork implements AutoCloseable {
  private final Checkout checkout;
  private final HostServer server;
  private final List<String> client = InstalledClients.here().openLoop();
  private final Map<Integer, ShardProcess> shards = new ConcurrentHashMap<>();
  private final AtomicInteger numbers = new AtomicInteger();
  private final Readings clientReadings = new LocalReadings(new Subject(null, null, this::shardPids));
  private boolean closed;
  private @Nullable IdlePolling polling;

  /**
   * Starts nothing yet.
   *
   * @param serverEnded is told how the server ended by itself
   */
  HostWork(Checkout checkout, Consumer<String> serverEnded) throws IOException {
    this.checkout = checkout;
    this.server = new HostServer(checkout, serverEnded);
  }

  private List<Long> shardPids() {
    return shards.values().stream().map(ShardProcess::pid).toList();
  }

  /** The hashes of the ladder's own files, by their names alone: where they lie may differ. */
  static Map<String, String> program(Checkout checkout, List<String> client) {
    Map<String, String> byName = new TreeMap<>();
    new ProgramHashes(checkout)
        .add("ladder", client)
        .all()
        .getOrDefault("ladder", Map.of())
        .forEach((file, hash) -> byName.put(file.replaceFirst("^.*/(?=[^/]+/?$)", ""), hash));
    return byName;
  }

  Object answer(HostOp op, HostLine question) throws IOException, InterruptedException, ServerNotReadyException {
    return switch (op) {
      case HELLO -> hello();
      case PING -> new HostReplies.Clock(System.nanoTime());
      case PROGRAMS -> new HostReplies.Hashes(server.programs(question.as(HostReplies.Orders.class).orders()));
      case START_SERVER -> server.start(question.as(ServerOrder.class));
      case SERVER_ENDING -> new HostReplies.Said(server.ending(question.as(HostReplies.Doubted.class).lost()));
      case STOP_SERVER -> server.stop(question.as(HostReplies.Held.class).connections());
      case SERVER_EMPTY -> new HostReplies.Is(server.empty());
      case READ -> ReadingRecord.take(server.readings(clientReadings), question.as(HostReplies.Depth.class).depth());
      case LOOK -> server.look();
      case COMPILERS -> new HostReplies.Seconds(server.compileSeconds());
      case COLLECT -> server.collect();
      case ECHO_CHECK -> check(question.as(HostReplies.Check.class));
      case IDLE -> idle(question.as(HostReplies.Is.class).so());
      case QUIET -> new HostReplies.Quiet(HostLook.now(new AtomicBoolean()));
      case SETTINGS -> new HostReplies.SettingValues(HostSettings.read().values());
      case START_SHARD -> startShard();
      case ASK_SHARD -> ask(question.as(HostReplies.ShardText.class));
      case END_SHARD -> end(question.as(HostReplies.Shard.class).number());
    };
  }

  private synchronized HostReplies.Done idle(boolean polls) throws IOException {
    if (polling != null) {
      polling.close();
      polling = null;
    }
    if (polls && !closed) {
      String complaint = IdlePolling.complaint();
      if (complaint != null) {
        throw new IOException("its processors cannot poll when idle (load.idle): " + complaint);
      }
      polling = IdlePolling.begin();
    }
    return new HostReplies.Done();
  }

  private HostHello hello() {
    return new HostHello(
        Version.text(), Starter.kernel(), ProcessHandle.current().pid(), program(checkout, client),
        Runtime.getRuntime().availableProcessors(),
        Environment.read(checkout), HostFactsReader.read());
  }

  private static HostReplies.Done check(HostReplies.Check check) throws IOException {
    EchoCheck.of(check.protocol(), new Target(check.host(), check.port()), check.source());
    return new HostReplies.Done();
  }

  private synchronized HostReplies.Shard startShard() throws IOException {
    if (closed) {
      throw new IOException("the control process ends");
    }
    int number = numbers.incrementAndGet();
    shards.put(number, ShardProcess.start(client));
    return new HostReplies.Shard(number);
  }

  private HostReplies.ShardText ask(HostReplies.ShardText text) throws IOException {
    return new HostReplies.ShardText(text.number(), shard(text.number()).ask(text.line()));
  }

  private ShardProcess shard(int number) throws IOException {
    @Nullable ShardProcess shard = shards.get(number);
    if (shard == null) {
      throw new IOException("there is no client process " + number);
    }
    return shard;
  }

  private HostReplies.Done end(int number) throws IOException {
    ShardProcess shard = shard(number);
    shard.close();
    shards.remove(number);
    return new HostReplies.Done();
  }

  /** As {@link HostServer#checkDisk} says. */
  void checkDisk() throws IOException {
    server.checkDisk();
  }

  /** Ends all that was started, by force. */
  @Override
  public synchronized void close() {
    closed = true;
    shards.values().forEach(ShardProcess::kill);
    shards.clear();
    server.close();
    try {
      idle(false);
    } catch (IOException e) {
      // The kernel takes the request back with this process.
      return;
    }
  }
}
