package echoladder.harness.run;

import echoladder.client.LoadClient;
import echoladder.harness.host.Fleet;
import echoladder.harness.host.HostSettings;
import echoladder.harness.plan.Rung;
import echoladder.linux.cpu.CpuList;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Servers on one host of an inventory and clients on others, each started by the control process there. */
record FleetBed(RunSetup setup, Fleet hosts) implements Testbed {
  @Override
  public RungServer open(Stand stand, Rung rung, Path log) throws IOException {
    return RemoteServer.start(stand.context(), hosts, stand.contender(), log, rung.connections());
  }

  @Override
  public boolean startsServersHere() {
    return false;
  }

  @Override
  public HostSettings settings() throws IOException {
    return hosts.settings();
  }

  @Override
  public void check(RungServer server, Contender contender) throws IOException {
    hosts.check(contender.protocol(), server.target());
    hosts.compareClocks();
  }

  @Override
  public @Nullable String lost() {
    return hosts.lost();
  }

  @Override
  public Fleet.Watch onLost(Runnable action) {
    return hosts.onLost(action);
  }

  /** What is in the inventory is the user's to load. */
  @Override
  public List<String> allowed() {
    return List.of(hosts.serverAddress());
  }

  /** On one machine its figures are of server and clients, as over loopback. */
  @Override
  public boolean clientsAfar() {
    return !hosts.onOneKernel();
  }

  @Override
  public @Nullable CpuList serverCpus(RungServer server) {
    return null;
  }

  @Override
  public EachHost eachHost(LoadClient client) {
    return new HostsSeen(hosts, client);
  }
}
