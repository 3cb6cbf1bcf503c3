package echoladder.harness.run;

import echoladder.harness.plan.Rung;
import echoladder.harness.server.ServerNotReadyException;
import echoladder.harness.settings.AppliedSettings;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * One server at one connection count in one repeat: it keeps the server's process, and what is set around it, from the first
 * rung to the last. A server that ended, or that does not let go of the connections of the rung before, is started anew for the
 * next one. One thread.
 */
public final class Stand implements AutoCloseable {
  private final RunContext context;
  private final ServerUnderTest contender;
  private final CpuPinning placed;
  private final Testbed bed;
  private @Nullable AppliedSettings settings;
  private @Nullable IdleProcessors idle;
  private @Nullable RungServer server;
  private @Nullable Path log;
  private boolean used;

  /** Starts nothing yet. */
  public Stand(RunContext context, ServerUnderTest contender) {
    this.context = context;
    this.contender = contender;
    this.placed = context.setup().placed(contender.entry());
    this.bed = Testbed.of(context.setup());
  }

  /** The run that it belongs to. */
  RunContext context() {
    return context;
  }

  /** Where its server is. */
  public Testbed bed() {
    return bed;
  }

  /** The server that it is of. */
  public ServerUnderTest contender() {
    return contender;
  }

  /** The processors of server and client. */
  public CpuPinning placed() {
    return placed;
  }

  /**
   * What is set for its server; made by the first who asks.
   *
   * @throws IOException where it cannot be made
   */
  public AppliedSettings settings() throws IOException {
    if (settings == null) {
      idle = idle != null ? idle : IdleProcessors.of(context.setup(), contender.entry());
      settings = AppliedSettings.of(contender.entry().settings(), contender.entry().label());
    }
    return settings;
  }

  /**
   * The server, ready and without connections: that of the rung before where it can have another one, else a new one.
   *
   * @param own the log that a new one writes
   */
  public RungServer open(Rung rung, Path own) throws IOException, InterruptedException, ServerNotReadyException {
    RungServer kept = server;
    if (kept != null && reusable(kept)) {
      used = true;
      return kept;
    }
    stop(rung);
    context.display().step(rung, bed.startsServers() ? "start server" : "look at server");
    log = own;
    used = false;
    RungServer opened = bed.open(this, rung, own);
    used = opened.loadedBefore();
    // One that somebody else started is looked at anew for each rung.
    server = bed.startsServers() ? opened : null;
    return opened;
  }

  /** The server started again at the port that it had, in the place of the one that was killed: this stand's from then on. */
  public StartedServer again(Rung rung, int port) throws IOException, InterruptedException, ServerNotReadyException {
    Path where = log;
    if (where == null) {
      throw new IllegalStateException("no server was started before");
    }
    AppliedSettings around = settings();
    server = null;
    StartedServer started =
        StartedServer.start(context, contender, port, around, placed::server, where, rung.connections());
    server = started;
    return started;
  }

  private boolean reusable(RungServer kept) throws InterruptedException {
    if (kept.ending(false) != null) {
      return false;
    }
    try {
      return kept.empty(context.stop()::requested);
    } catch (IOException e) {
      return false;
    }
  }

  /** Whether its server runs, and is that process. */
  public boolean runs(long pid) {
    RungServer now = server;
    return now != null && now.pid() != null && now.pid() == pid && now.ending(false) == null;
  }

  /** The server that was opened last has been loaded outside of any rung. */
  public void warmed() {
    used = true;
  }

  /** Whether the server that was opened last has been loaded before. */
  public boolean used() {
    return used;
  }

  /** The log of the server that was opened last; that of the rung itself where none was. */
  public Path log(Path own) {
    return log == null ? own : log;
  }

  /** Stops the server, if one runs: the next rung gets a new one. */
  public void stop(Rung rung) {
    RungServer running = server;
    server = null;
    if (running != null) {
      context.display().step(rung, "stop server");
      String stopped = running.stop();
      if (stopped != null) {
        context.display().note(rung.label() + ": " + stopped);
      }
      running.close();
    }
  }

  /** Ends whatever still runs, and takes back what was set. */
  @Override
  public void close() {
    if (server != null) {
      server.stop();
      server.close();
      server = null;
    }
    if (settings != null) {
      settings.close();
      settings.failures().forEach(failure -> context.display().note(contender.entry().label() + ": " + failure));
      settings = null;
    }
    if (idle != null) {
      String failure = idle.end();
      if (failure != null) {
        context.display().note(contender.entry().label() + ": " + failure);
      }
      idle = null;
    }
  }
}
