package echoladder.harness.run;

import echoladder.client.Target;
import echoladder.harness.host.Fleet;
import echoladder.harness.host.ServerOrder;
import echoladder.harness.host.ServerUp;
import echoladder.harness.probe.LiveHeap;
import echoladder.harness.probe.Readings;
import echoladder.harness.results.RungRecord;
import echoladder.harness.server.ReadyLine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A server that is started on another host for the rung, by the control process there, and stopped after it.
 *
 * @param connections that it is to hold
 * @param log takes what it said on stderr, when it is stopped
 */
record RemoteServer(Fleet fleet, ReadyLine ready, RungRecord.Started started, int connections, Path log) implements RungServer {
  /**
   * Starts it and waits for its ready line.
   *
   * @throws IOException where it did not get ready, or its host is lost
   */
  static RemoteServer start(RunContext context, Fleet fleet, ServerUnderTest contender, Path log, int connections) throws IOException {
    ServerUp up = fleet.start(order(context.setup(), fleet, contender));
    ReadyLine ready = up.ready();
    return new RemoteServer(
        fleet,
        ready,
        new RungRecord.Started(up.command(), ready.pid(), ready.port(), ready.metricsPort(), up.readySeconds(), ready.config()),
        connections,
        log);
  }

  /** What the control process of its host is told to start. */
  static ServerOrder order(RunSetup setup, Fleet fleet, ServerUnderTest contender) {
    return fleet.order(
        contender.manifest().name(), contender.entry().options(), contender.entry().jdk(), contender.backlog(),
        setup.study().bounds().serverStartNs());
  }

  @Override
  public Target target() {
    return new Target(fleet.serverAddress(), ready.port());
  }

  @Override
  public URI metrics() {
    return ready.metrics();
  }

  @Override
  public @Nullable LiveHeap liveHeap() throws IOException {
    return fleet.collect();
  }

  @Override
  public boolean empty(BooleanSupplier stop) throws IOException {
    return fleet.empty();
  }

  @Override
  public Long pid() {
    return ready.pid();
  }

  @Override
  public boolean here() {
    return false;
  }

  @Override
  public Readings readings() {
    return fleet.readings();
  }

  @Override
  public void onEnd(Runnable action) {
    fleet.onServerEnd(action);
  }

  /** How the server ended; null where its host is lost, as nobody knows then: that the host is lost is said elsewhere. */
  @Override
  public @Nullable String ending(boolean doubted) {
    try {
      return fleet.lost() == null ? fleet.ending(doubted) : null;
    } catch (IOException e) {
      return null;
    }
  }

  @Override
  public @Nullable String stop() {
    try {
      return fleet.stop(connections, this::keep);
    } catch (UncheckedIOException e) {
      return "its log is lost: " + e.getMessage();
    } catch (IOException e) {
      return "its server could not be stopped by its host's control process, whose end ends it: " + e.getMessage();
    }
  }

  private void keep(String said) {
    try {
      Files.writeString(log, said, StandardCharsets.UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + log + ": " + e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    // Its control process ends what was not stopped.
  }
}
