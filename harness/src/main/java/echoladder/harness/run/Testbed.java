package echoladder.harness.run;

import echoladder.client.HttpAsk;
import echoladder.client.LoadClient;
import echoladder.client.Reason;
import echoladder.client.Tls;
import echoladder.harness.doctor.HostFacts;
import echoladder.harness.doctor.HostFactsReader;
import echoladder.harness.doctor.Role;
import echoladder.harness.host.Fleet;
import echoladder.harness.host.HostSettings;
import echoladder.harness.host.TlsCheck;
import echoladder.harness.lab.LabMark;
import echoladder.harness.lab.Quotable;
import echoladder.harness.plan.Obstacles;
import echoladder.harness.plan.Rung;
import echoladder.harness.probe.Reading;
import echoladder.harness.results.DoctorRecord;
import echoladder.harness.results.Environment;
import echoladder.harness.results.RungHost;
import echoladder.harness.server.Attachment;
import echoladder.harness.server.ServerNotReadyException;
import echoladder.harness.study.Study;
import echoladder.linux.cpu.CpuList;
import echoladder.linux.cpu.CpuPlacement;
import echoladder.linux.cpu.IdlePolling;
import echoladder.linux.process.CpuAffinity;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The place where servers and clients of a run are: this host, several hosts, or a server that somebody else started. Whatever follows from
 * the place is asked here, and nowhere else. One thread, but for {@link #lost}.
 */
public interface Testbed {
  /** The one choice of a place. */
  static Testbed of(RunSetup setup) {
    Fleet hosts = setup.hosts();
    Attachment attached = setup.attached();
    return hosts != null ? new FleetBed(setup, hosts) : attached != null ? new AttachedBed(setup, attached) : new LocalBed(setup);
  }

  /** The run that takes place here. */
  RunSetup setup();

  /** What the doctor looks at: the host that the server is on, as it is now; this host where the server is somebody else's. */
  default HostFacts facts() {
    return HostFactsReader.read();
  }

  /** The role of that host in a run. */
  default Role role() {
    return Role.BOTH;
  }

  /** Distinct (source, destination, port) that the plan may use; null = as many as the client takes. */
  default @Nullable Long tuples() {
    // Without sources the kernel takes one, on loopback the client many.
    return !setup().sources().isEmpty() ? (Long) (long) setup().sources().size() : role() == Role.CLIENT ? (Long) 1L : null;
  }

  /** Looks for what stands in the way of a rung. */
  default Obstacles.Finder obstacles() {
    return new LocalObstacles(setup());
  }

  /** What figures depend on besides the programs: of the host that the server is on, with the client hosts beside it. */
  default Map<String, @Nullable Object> environment() {
    Map<String, @Nullable Object> here = Environment.read(setup().checkout());
    return setup().study().delayed(Quotable.NETWORK_DELAY_LEAST_NS) ? LabMark.overNetwork(here) : here;
  }

  /** What the doctor says of further hosts that a run of that many connections has. */
  default List<DoctorRecord> doctorOfOthers(int connections) {
    return List.of();
  }

  /** The processors of server and client. */
  default CpuPinning placed(Study.Entry entry) {
    return CpuPinning.of(setup().study().load(entry).cpus());
  }

  /** Makes this host's processors, or those of all hosts, poll when they are idle. */
  default IdleProcessors pollIdle() throws IOException {
    return new IdleProcessors(IdlePolling.begin(), null);
  }

  /**
   * A server for a rung, ready and without connections.
   *
   * @param stand what the server belongs to
   * @param log takes what a server says that is started
   */
  RungServer open(Stand stand, Rung rung, Path log) throws IOException, InterruptedException, ServerNotReadyException;

  /** Whether the run starts its servers, so that it may load, stop and restart them. */
  default boolean startsServers() {
    return true;
  }

  /** Whether servers are processes of this host, whose limits and end the ladder sees itself. */
  boolean startsServersHere();

  /** Kernel settings of this host, or of all hosts. */
  default HostSettings settings() throws IOException {
    return HostSettings.read();
  }

  /** What differs from before, or that a host which is there could not say. */
  default List<String> changedSince(HostSettings before) {
    try {
      return before.changes(settings());
    } catch (IOException e) {
      return lost() != null ? List.of() : List.of("not known, as they could not be read after the rung: " + e.getMessage());
    }
  }

  /** Has one echo, or one message pushed, from wherever the load will come from. */
  default void check(RungServer server, ServerUnderTest contender) throws IOException {
    List<String> sources = sources(contender);
    String source = sources.isEmpty() ? null : sources.getFirst();
    Tls tls = RunCertificate.trusted(setup().study().load(contender.entry()).overTls());
    if (setup().study().load(contender.entry()).publish() != null) {
      server.checkPush(contender.protocol(), asked(contender), source);
    } else if (tls != null) {
      TlsCheck.of(contender.protocol(), server.target(), source, tls);
    } else {
      server.check(contender.protocol(), source);
    }
  }

  /** What the server is asked over HTTP or where over WebSocket, and by which paths it pushes text. */
  default HttpAsk asked(ServerUnderTest contender) {
    return contender.asked();
  }

  /** Why a host of the run is lost; null while all are there. Any thread. */
  default @Nullable String lost() {
    return null;
  }

  /** While what is returned is open, {@code action} runs when a host is lost. */
  default Fleet.Watch onLost(Runnable action) {
    return () -> {};
  }

  /** Where the client connects from: as the command line says, else the study. */
  default List<String> sources(ServerUnderTest contender) {
    return setup().sources().isEmpty() ? contender.entry().settings().client().sourceAddresses() : setup().sources();
  }

  /** Addresses that may be loaded though they are not of this host: the user named them. */
  default List<String> allowed() {
    return List.of();
  }

  /** Whether the server is on another host than the client, and figures of the host are the client's. */
  default boolean serverElsewhere() {
    return false;
  }

  /** Whether clients are on other hosts than the server, and figures of the host are the server's. */
  default boolean clientsAfar() {
    return false;
  }

  /** Processors of the server whose CPU time tells something here; null = there are none. */
  default @Nullable CpuList serverCpus(RungServer server) {
    // In a lab CPU time tells nothing.
    return server.pid() == null || LabMark.here() != null ? null : CpuAffinity.of(server.pid());
  }

  /** Processors of the client's loops, likewise. */
  default @Nullable CpuList clientCpus(CpuPinning placed) {
    CpuPlacement placement = placed.placement();
    return LabMark.here() != null ? null
        : placement != null ? placement.client() : CpuAffinity.of(ProcessHandle.current().pid());
  }

  /** What each host shows by itself of a load by that client. */
  default EachHost eachHost(LoadClient client) {
    return EachHost.NONE;
  }

  /** Each host of a rung by itself, where there are several. */
  interface EachHost {
    /** There is one host. */
    EachHost NONE =
        new EachHost() {
          @Override
          public void loaded() {}

          @Override
          public @Nullable List<RungHost> records(@Nullable Reading steadyStart, @Nullable Reading steadyEnd) {
            return null;
          }

          @Override
          public @Nullable List<Reason> doubts(@Nullable List<RungHost> records, Study.Thresholds thresholds, boolean spins) {
            return null;
          }
        };

    /** The load is over: clocks are compared again. */
    void loaded() throws IOException;

    /** The hosts for the record, the server's first; null of one host. */
    @Nullable List<RungHost> records(@Nullable Reading steadyStart, @Nullable Reading steadyEnd);

    /** What speaks against the rung by those records; null of one host. */
    @Nullable List<Reason> doubts(@Nullable List<RungHost> records, Study.Thresholds thresholds, boolean spins);
  }
}
