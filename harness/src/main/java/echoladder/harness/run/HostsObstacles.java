package echoladder.harness.run;

import echoladder.client.Target;
import echoladder.harness.client.LoadTool;
import echoladder.harness.host.Fleet;
import echoladder.harness.host.Shares;
import echoladder.harness.plan.Obstacles;
import echoladder.harness.server.ServerManifest;
import echoladder.harness.study.Cpus;
import echoladder.harness.study.EntrySettings;
import echoladder.harness.study.Study;
import echoladder.openloop.TargetPolicy;
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
    try {
      Shares.of(connections, hosts.capacities(connections));
      return Obstacles.NONE;
    } catch (IllegalArgumentException e) {
      return new Obstacles(
          e.getMessage() + "; './ladder doctor --role client --connections N' there says why; see runbooks/symptoms/ephemeral-ports-exhausted.md",
          null, null);
    }
  }

  private @Nullable String unfit(Study.Entry entry) {
    ServerManifest server = setup.servers().get(entry.server());
    if (server == null) {
      throw new IllegalArgumentException("the study was checked against other servers: " + entry.server());
    }
    if (LoadTool.ofId(entry.client()) != LoadTool.OPEN_LOOP) {
      return entry.client() + " runs on one host: --hosts needs the open-loop client";
    }
    Study.Load load = setup.study().load(entry);
    if (load.staged() != null || load.storm() != null) {
      return "users in stages and load.storm are of one client process beside its server: not with --hosts";
    }
    if (!load.cpus().equals(Cpus.SHARED) && !load.cpus().equals(Cpus.APART)) {
      return "load.cpus names processors of one host: with --hosts an inventory names those of each (echo_ladder_cores)";
    }
    EntrySettings settings = entry.settings();
    EntrySettings.OfServer of = settings.server();
    boolean set = !settings.sysctl().isEmpty() || of.nofile() != null || !of.without().isEmpty() || of.memoryBytes() != null || of.tasks() != null;
    if (set || !settings.client().sourceAddresses().isEmpty()) {
      return "its settings (%s) are made on this host: not with --hosts".formatted(settings.words());
    }
    if (!settings.client().targetAddresses().isEmpty()) {
      return "its target %s is not in the inventory".formatted(settings.client().targetAddresses().getFirst());
    }
    // That it is in the inventory says that it is the user's; that it has an address at all is seen here.
    return TargetPolicy.refusal(new Target(hosts.serverAddress(), 9), List.of(hosts.serverAddress()));
  }
}
