package echoladder.harness.run;

import echoladder.client.Target;
import echoladder.client.Tls;
import echoladder.harness.common.Refusal;
import echoladder.harness.doctor.DescriptorLimits;
import echoladder.harness.host.EchoCheck;
import echoladder.harness.host.PushCheck;
import echoladder.harness.host.TlsCheck;
import echoladder.harness.server.OwnProcess;
import echoladder.harness.server.OwnServer;
import echoladder.harness.server.ReadyLine;
import echoladder.harness.server.ServerManifest;
import echoladder.harness.server.ServerNotReadyException;
import echoladder.harness.server.ServerProcess;
import echoladder.linux.OwnedFolder;
import echoladder.linux.process.DescriptorLimit;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A trial of the user's servers before the climb: each is started, has to answer once, and is stopped. One that does not would be found
 * out only after the floor's first rung, which may take minutes. A server that runs already is asked and left alone.
 */
public final class ServerTrial {
  private static final Duration STOP_BOUND = Duration.ofSeconds(10);

  private final RunSetup setup;
  private final Consumer<String> said;
  private final Consumer<String> trouble;

  private ServerTrial(RunSetup setup, Consumer<String> said, Consumer<String> trouble) {
    this.setup = setup;
    this.said = said;
    this.trouble = trouble;
  }

  /**
   * Tries servers of the user's own, and those by name, where servers are started on this host.
   *
   * @param names of servers that the user added to the study, by their folders
   * @param said is told what is tried
   * @param trouble is told what will keep a server from its highest rung, or from a stop
   * @throws Refusal (cannot run) where one does not get ready, answers wrongly, or is not the process that accepts
   */
  public static void of(RunSetup setup, Collection<String> names, Consumer<String> said, Consumer<String> trouble) {
    if (!Testbed.of(setup).startsServersHere()) {
      return;
    }
    ServerTrial trial = new ServerTrial(setup, said, trouble);
    for (ServerUnderTest contender : setup.contenders()) {
      ServerManifest server = contender.manifest();
      if (server.own() != null || (names.contains(server.name()) && !server.reference())) {
        trial.of(contender);
      }
    }
  }

  private void of(ServerUnderTest contender) {
    OwnServer own = contender.manifest().own();
    String label = contender.entry().label();
    said.accept(
        own != null && own.pid() != null
            ? "asking '%s' for one answer".formatted(label)
            : "starting '%s' once, to see that it answers".formatted(label));
    try {
      try (OwnedFolder folder = OwnedFolder.temporary("trial")) {
        Path log = folder.dir().resolve("server.log");
        if (own != null) {
          own(contender, own, log);
        } else {
          started(contender, log);
        }
      }
    } catch (IOException | ServerNotReadyException e) {
      throw Refusal.cannotRun("server '%s', tried before the climb: %s; nothing was measured".formatted(label, e.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Refusal.cannotRun("interrupted while server '%s' was tried".formatted(label));
    }
  }

  private void own(ServerUnderTest contender, OwnServer own, Path log) throws IOException, ServerNotReadyException, InterruptedException {
    if (own.pid() != null) {
      check(new CustomServer(own, null, own.pid(), null, 0), contender);
      descriptors(own, own.pid());
      return;
    }
    try (OwnProcess process = OwnProcess.start(own.argv(), log)) {
      process.awaitAccepting(own, bound());
      check(new CustomServer(own, process, process.pid(), null, 0), contender);
      descriptors(own, process.pid());
      note(own.name(), process.stop(STOP_BOUND));
    }
  }

  private void check(CustomServer server, ServerUnderTest contender) throws IOException {
    if (pushes(contender)) {
      server.checkPush(contender.protocol(), contender.asked(), source());
    } else {
      server.check(contender.protocol(), source());
    }
  }

  private boolean pushes(ServerUnderTest contender) {
    return setup.study().load(contender.entry()).publish() != null;
  }

  private void started(ServerUnderTest contender, Path log) throws IOException, ServerNotReadyException, InterruptedException {
    try (TlsFiles files = TlsFiles.of(contender);
        ServerProcess process = ServerProcess.start(files.added(contender.argv()), log)) {
      ReadyLine ready = process.awaitServing(bound());
      Target target = new Target(ready.reachableHost(), ready.port());
      Tls tls = RunCertificate.trusted(setup.study().load(contender.entry()).overTls());
      if (pushes(contender)) {
        PushCheck.of(contender.protocol(), contender.asked(), target, source());
      } else if (tls != null) {
        TlsCheck.of(contender.protocol(), target, source(), tls);
      } else {
        EchoCheck.of(contender.protocol(), target, source());
      }
      note(contender.entry().label(), process.stop(STOP_BOUND));
    }
  }

  private void note(String name, @Nullable String stopped) {
    if (stopped != null) {
      trouble.accept("'" + name + "': " + stopped);
    }
  }

  /** JVM and Go raise their soft limit by themselves; what another program got from its starter is all that it has. */
  private void descriptors(OwnServer own, long root) {
    // A server of several processes has as many in each of them.
    Long serving = own.serving(root).stream().findFirst().orElse(null);
    DescriptorLimit limit = serving == null ? null : DescriptorLimit.of(serving).orElse(null);
    if (limit == null) {
      return;
    }
    long most = setup.study().rungs().stream().mapToInt(Integer::intValue).max().orElse(0);
    String may =
        String.format(
            Locale.ROOT, "'%s' may open %,d descriptors (its soft limit; the hard one is %,d)", own.name(), limit.soft(), limit.hard());
    if (limit.soft() >= most + DescriptorLimits.SERVER_OWN) {
      said.accept(may);
    } else {
      trouble.accept(
          String.format(
              Locale.ROOT,
              "%s, too few for a rung of %,d connections; 'prlimit --pid %d --nofile=%d:%d' raises it while the server runs, 'ulimit -n'"
                  + " before; see runbooks/symptoms/descriptor-limit.md",
              may, most, serving, most + DescriptorLimits.SERVER_OWN, Math.max(limit.hard(), most + DescriptorLimits.SERVER_OWN)));
    }
  }

  private Duration bound() {
    return Duration.ofNanos(setup.study().bounds().serverStartNs());
  }

  private @Nullable String source() {
    return setup.sources().isEmpty() ? null : setup.sources().getFirst();
  }
}
