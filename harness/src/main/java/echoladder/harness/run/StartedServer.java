package echoladder.harness.run;

import echoladder.client.Target;
import echoladder.client.page.NotThereException;
import echoladder.harness.host.EmptyPage;
import echoladder.harness.knobs.LoopbackSetting;
import echoladder.harness.probe.LiveHeap;
import echoladder.harness.probe.LocalReadings;
import echoladder.harness.probe.Readings;
import echoladder.harness.probe.Subject;
import echoladder.harness.results.RungRecord;
import echoladder.harness.server.ReadyLine;
import echoladder.harness.server.ServerNotReadyException;
import echoladder.harness.server.ServerProcess;
import echoladder.harness.settings.AppliedSettings;
import echoladder.harness.settings.NetworkLink;
import echoladder.harness.settings.OwnLoopback;
import echoladder.harness.study.EntrySettings;
import echoladder.harness.tune.SysTree;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A server that is started for the rung and stopped after it. */
public record StartedServer(
    ServerProcess process, ReadyLine ready, RungRecord.Started started, int connections, boolean mayLackGc, @Nullable NetworkLink link)
    implements RungServer {
  /**
   * Starts it and waits for its ready line; where that fails, nothing is left running.
   *
   * @param contender its own argv is recorded: that of settings around it names control groups of this process
   * @param port where it accepts; 0 = any
   * @param around what is set for it
   * @param wrap puts around its command what sets its limits and processors
   * @param connections that it is to hold
   */
  static StartedServer start(
      RunContext context, ServerUnderTest contender, int port, AppliedSettings around, UnaryOperator<List<String>> wrap, Path log,
      int connections)
      throws IOException, InterruptedException, ServerNotReadyException {
    List<String> argv = contender.argv(port);
    TlsFiles files = TlsFiles.of(contender);
    long startNs = System.nanoTime();
    NetworkLink link = around.link();
    boolean got = false;
    ServerProcess process = started(files, wrap.apply(around.wrap(files.added(argv))), log);
    try (files;
        var _ = context.stop().onStop(process::terminate)) {
      ReadyLine said = process.awaitServing(Duration.ofNanos(context.setup().study().bounds().serverStartNs()));
      ReadyLine ready = link == null ? said : said.reachedAt(NetworkLink.PAGES);
      got = true;
      return new StartedServer(
          process,
          ready,
          new RungRecord.Started(
              context.setup().checkout().portable(argv),
              ready.pid(),
              ready.port(),
              ready.metricsPort(),
              (System.nanoTime() - startNs) / 1e9,
              ready.config(),
              inForce(contender.entry().settings(), link)),
          connections,
          contender.manifest().unmanaged(),
          link);
    } finally {
      if (!got) {
        process.close();
      }
    }
  }

  private static ServerProcess started(TlsFiles files, List<String> argv, Path log) throws IOException {
    try {
      return ServerProcess.start(argv, log);
    } catch (IOException | RuntimeException e) {
      files.close();
      throw e;
    }
  }

  private static Map<String, String> inForce(EntrySettings settings, @Nullable NetworkLink link) throws IOException {
    Map<String, String> inForce = new TreeMap<>(link == null ? Map.of() : link.inForce());
    for (LoopbackSetting setting : settings.loopback().keySet()) {
      inForce.put(setting.key(), OwnLoopback.inForce(setting));
    }
    if (settings.sysctl().isEmpty()) {
      return inForce;
    }
    SysTree tree = SysTree.own();
    for (String key : settings.sysctl().keySet()) {
      String value = tree.read(key);
      if (value != null) {
        inForce.put(key, value);
      }
    }
    return inForce;
  }

  @Override
  public Target target() {
    return new Target(link == null ? ready.reachableHost() : NetworkLink.SERVER, ready.port());
  }

  @Override
  public URI metrics() {
    return ready.metrics();
  }

  @Override
  public @Nullable LiveHeap liveHeap() throws IOException {
    try {
      return LiveHeap.afterGc(ready.gc());
    } catch (NotThereException e) {
      if (mayLackGc) {
        return null;
      }
      throw e;
    }
  }

  @Override
  public boolean empty(BooleanSupplier stop) throws IOException, InterruptedException {
    return EmptyPage.empty(EmptyPage.await(metrics(), stop));
  }

  @Override
  public @Nullable Long pid() {
    return ready.pid();
  }

  @Override
  public Readings readings() {
    return new LocalReadings(
        new Subject(ready.pid(), ready.metrics(), () -> ChildPids.othersThan(process.pid())),
        link == null ? List.of() : List.of(link::sample));
  }

  @Override
  public void onEnd(Runnable action) {
    var _ = process.ended().thenRun(action);
  }

  @Override
  public @Nullable String ending(boolean doubted) {
    return process.endedByItself(doubted);
  }

  @Override
  public @Nullable String stop() {
    return process.stopHolding(connections);
  }

  @Override
  public void close() {
    process.close();
  }
}
