package echoladder.harness.run;

import echoladder.client.LoadPlan;
import echoladder.client.LoadTool;
import echoladder.client.Target;
import echoladder.external.MissingToolException;
import echoladder.harness.client.LoadTools;
import echoladder.harness.plan.Obstacles;
import echoladder.harness.server.Attachment;
import echoladder.harness.server.ServerManifest;
import echoladder.harness.settings.AppliedSettings;
import echoladder.harness.settings.NetworkLink;
import echoladder.harness.study.Cpus;
import echoladder.harness.study.Idle;
import echoladder.harness.study.Study;
import echoladder.harness.study.StudyLoad;
import echoladder.linux.cpu.IdlePolling;
import echoladder.linux.sockets.KernelTls;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Asks, before anything is started, whether the settings of a study's servers can be made here, and whether its clients are
 * here and can do what is planned.
 */
record LocalObstacles(RunSetup setup) implements Obstacles.Finder {
  /** A target at which nobody listens: a check connects to nothing. */
  private static final Target SOME_TARGET = new Target("127.0.0.1", 9);

  @Override
  public Obstacles of(Study.Entry entry, int connections) {
    ServerManifest server = setup.servers().get(entry.server());
    if (server == null) {
      throw new IllegalArgumentException("the study was checked against other servers: " + entry.server());
    }
    LoadTool tool = LoadTools.ofId(entry.client());
    StudyLoad asked = setup.study().load(entry);
    double most = asked.ratesPerS(connections).getLast();
    Duration steady = Duration.ofNanos(setup.study().phases().steadyNs());
    LoadPlan load = RungLoad.of(setup.study(), entry, connections, most, steady, server.speaks(), target(entry)).build();
    String settings = settings(entry);
    if (!tool.ours() && (asked.spinNs() > 0 || !asked.cpus().equals(Cpus.SHARED))) {
      return new Obstacles(
          settings, null,
          tool.id() + " runs wherever the kernel puts it, and sleeps: load.cpus and load.spin need the open-loop client");
    }
    if (!tool.ours() && (asked.churn() != null || asked.storm() != null)) {
      return new Obstacles(settings, null, tool.id() + " opens no connection anew: load.churn and load.storm need the open-loop client");
    }
    if (setup.attached() != null && asked.tls() != null) {
      return new Obstacles(settings, null, "load.tls needs a server that was given the run's certificate, and this one was started before");
    }
    if (setup.attached() != null && asked.storm() != null) {
      return new Obstacles(settings, null, "load.storm kills the server and starts it again, and this one was started by somebody else");
    }
    if (setup.study().phases().acceptStallNs() > 0 && (!tool.ours() || setup.attached() != null)) {
      return new Obstacles(settings, null,
          "phases.accept_stall stops a server that the run has started, at the word of the open-loop client");
    }
    try {
      setup.clients().make(tool, Path.of("/dev/null"), List.of()).check(load);
      return new Obstacles(settings, null, null);
    } catch (MissingToolException e) {
      return new Obstacles(settings, String.valueOf(e.getMessage()), null);
    } catch (IOException e) {
      return new Obstacles(settings, null, String.valueOf(e.getMessage()));
    }
  }

  /** The server's address: over a network its own, to which there is one address to connect from. */
  private static Target target(Study.Entry entry) {
    return entry.settings().network() == null ? SOME_TARGET : new Target(NetworkLink.SERVER, SOME_TARGET.port());
  }

  private @Nullable String cannotPoll() {
    Attachment attached = setup.attached();
    return attached != null && !attached.sameHost()
        ? "the server is on " + attached.target().host() + ", whose processors this host does not ask; leave load.idle out"
        : IdlePolling.complaint();
  }

  /** Why the kernel cannot make records of TLS for a server that asks for that; null where it can, or none asks. */
  private @Nullable String cannotMakeRecords(Study.Entry entry) {
    return setup.attached() == null && "kernel".equals(entry.options().get("tls-engine")) ? KernelTls.missing() : null;
  }

  private @Nullable String settings(Study.Entry entry) {
    try {
      CpuPinning.of(setup.study().load(entry).cpus());
    } catch (IllegalArgumentException e) {
      return "its processors cannot be had (load.cpus): " + e.getMessage() + "; --cpus shared lets server and client share";
    }
    String polling = setup.study().load(entry).idle() == Idle.POLL ? cannotPoll() : null;
    if (polling != null) {
      return "its processors cannot poll when idle (load.idle): " + polling;
    }
    String engine = setup.study().load(entry).tls() == null ? null : cannotMakeRecords(entry);
    if (engine != null) {
      return "its TLS cannot be had (tls-engine: kernel): " + engine;
    }
    String complaint = AppliedSettings.complaint(entry.settings());
    return complaint == null ? null : "its settings cannot be made: " + complaint;
  }
}
