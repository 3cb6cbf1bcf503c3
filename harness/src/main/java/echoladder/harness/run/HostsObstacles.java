package echoladder.harness.run;

import echoladder.client.Churn;
import echoladder.client.LoadPlan;
import echoladder.client.Protocol;
import echoladder.client.Target;
import echoladder.harness.client.LoadTools;
import echoladder.harness.host.Fleet;
import echoladder.harness.plan.Obstacles;
import echoladder.harness.server.ServerManifest;
import echoladder.harness.study.Cpus;
import echoladder.harness.study.EntrySettings;
import echoladder.harness.study.Study;
import echoladder.harness.study.StudyLoad;
import echoladder.openloop.connection.TargetPolicy;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Asks, before anything is started, whether client hosts carry a rung, and whether what a study asks for can be had on several. */
record HostsObstacles(RunSetup setup, Fleet hosts) implements Obstacles.Finder {
  @Override
  public Obstacles of(Study.Entry entry, int connections) {
    String unfit = unfit(entry);
    if (unfit != null) {
      return new Obstacles(null, null, unfit);
    }
    LoadPlan load = load(entry, connections);
    try {
      hosts.shares(load);
      return Obstacles.NONE;
    } catch (IllegalArgumentException e) {
      long waiting = load.ports() - connections;
      String churn =
          waiting == 0 ? "" : ", with the %,d ports that churn leaves in TIME-WAIT (%d s each)".formatted(waiting, Churn.TIME_WAIT_SECONDS);
      return new Obstacles(
          e.getMessage() + churn
              + "; './ladder doctor --role client --connections N' there says why; see runbooks/symptoms/ephemeral-ports-exhausted.md",
          null, null);
    }
  }

  private LoadPlan load(Study.Entry entry, int connections) {
    Study study = setup.study();
    double most = study.load(entry).ratesPerS(connections).getLast();
    // What is planned here does not depend on the protocol.
    return RungLoad.of(
            study, entry, connections, most, Duration.ofNanos(study.phases().steadyNs()), Protocol.TCP,
            new Target(hosts.serverAddress(), 9))
        .build();
  }

  private @Nullable String unfit(Study.Entry entry) {
    ServerManifest server = setup.servers().get(entry.server());
    if (server == null) {
      throw new IllegalArgumentException("the study was checked against other servers: " + entry.server());
    }
    if (!entry.client().equals(LoadTools.embedded().id())) {
      return entry.client() + " runs on one host alone: with --hosts take the open-loop client, or leave --hosts out";
    }
    StudyLoad load = setup.study().load(entry);
    if (load.staged() != null) {
      return "users in stages (load.stages) are driven by one client process, on the host of the ladder: leave --hosts out; for a server"
          + " elsewhere start it there, and run with --attach";
    }
    if (load.publish() != null) {
      return "one client process publishes and holds all subscribers (load.publish), on the host of the ladder: leave --hosts out";
    }
    if (load.tls() != null) {
      return "the certificate of a run over TLS (load.tls) is made on the host of the ladder and not handed to others: leave --hosts out";
    }
    if (load.storm() != null) {
      return "load.storm kills the server and starts it again, which is done on the host of the ladder alone: leave --hosts out";
    }
    if (setup.study().phases().acceptStallNs() > 0) {
      return "phases.accept_stall stops a server on this host: not with --hosts";
    }
    if (!load.cpus().equals(Cpus.SHARED) && !load.cpus().equals(Cpus.APART)) {
      return "load.cpus names processors of one host: with --hosts leave it out, and name those of each host in the inventory"
          + " (echo_ladder_cores)";
    }
    EntrySettings settings = entry.settings();
    EntrySettings.OfServer of = settings.server();
    boolean set = !settings.sysctl().isEmpty() || !settings.loopback().isEmpty() || of.nofile() != null || !of.without().isEmpty()
        || of.memoryBytes() != null || of.tasks() != null;
    if (set) {
      return ("its settings (%s) are made on the host of the ladder alone: with --hosts leave them out, and set them on the hosts before"
          + " the run")
              .formatted(settings.words())
          + " (echo_ladder_profile and echo_ladder_nofile of the inventory)";
    }
    if (!settings.client().sourceAddresses().isEmpty()) {
      return "its source addresses are of one host: with --hosts leave client.source_addresses out, and name those of each host in the"
          + " inventory"
          + " (echo_ladder_source_addresses)";
    }
    if (!settings.client().targetAddresses().isEmpty()) {
      return ("its target %s is not in the inventory: with --hosts leave client.target_addresses out; the server listens at its"
          + " echo_ladder_address")
          .formatted(settings.client().targetAddresses().getFirst());
    }
    // That it is in the inventory says that it is the user's; that it has an address at all is seen here.
    return TargetPolicy.refusal(new Target(hosts.serverAddress(), 9), List.of(hosts.serverAddress()));
  }
}
