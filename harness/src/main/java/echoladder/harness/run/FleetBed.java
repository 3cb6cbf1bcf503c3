package echoladder.harness.run;

import echoladder.client.LoadClient;
import echoladder.harness.doctor.HostFacts;
import echoladder.harness.doctor.Role;
import echoladder.harness.host.Fleet;
import echoladder.harness.host.HostSettings;
import echoladder.harness.lab.LabMark;
import echoladder.harness.plan.Obstacles;
import echoladder.harness.plan.Rung;
import echoladder.harness.results.DoctorRecord;
import echoladder.harness.results.Environment;
import echoladder.harness.study.Study;
import echoladder.linux.cpu.CpuList;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Servers on one host of an inventory and clients on others, each started by the control process there. */
record FleetBed(RunSetup setup, Fleet hosts) implements Testbed {
  @Override
  public HostFacts facts() {
    return hosts.serverFacts();
  }

  @Override
  public Role role() {
    return Role.SERVER;
  }

  @Override
  public @Nullable Long tuples() {
    return null;
  }

  @Override
  public Obstacles.Finder obstacles() {
    return new HostsObstacles(setup, hosts);
  }

  @Override
  public Map<String, @Nullable Object> environment() {
    Map<String, @Nullable Object> all = new LinkedHashMap<>(hosts.serverEnvironment());
    all.put(Environment.HOSTS, hosts.environment());
    all.put(LabMark.ONE_KERNEL, hosts.onOneKernel());
    return all;
  }

  @Override
  public List<DoctorRecord> doctorOfOthers(int connections) {
    return DoctorRecord.ofHosts(hosts.examinations(Math.ceilDiv(connections, hosts.clientHosts().size())));
  }

  /** The inventory names them. */
  @Override
  public CpuPinning placed(Study.Entry entry) {
    return new CpuPinning(null);
  }

  @Override
  public IdleProcessors pollIdle() throws IOException {
    IdleProcessors all = new IdleProcessors(null, hosts);
    try {
      hosts.idle(true);
    } catch (IOException e) {
      // Those that were asked before the one that says no.
      String failure = all.end();
      throw new IOException(failure == null ? e.getMessage() : e.getMessage() + "; " + failure, e);
    }
    return all;
  }

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
  public void check(RungServer server, ServerUnderTest contender) throws IOException {
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
  public @Nullable CpuList clientCpus(CpuPinning placed) {
    return null;
  }

  @Override
  public EachHost eachHost(LoadClient client) {
    return new HostsSeen(hosts, client);
  }
}
