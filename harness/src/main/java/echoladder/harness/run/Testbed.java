package echoladder.harness.run;

import echoladder.client.Doubt;
import echoladder.client.LoadClient;
import echoladder.harness.host.Fleet;
import echoladder.harness.host.HostSettings;
import echoladder.harness.lab.LabMark;
import echoladder.harness.plan.Rung;
import echoladder.harness.probe.Reading;
import echoladder.harness.results.RungHost;
import echoladder.harness.server.Attachment;
import echoladder.harness.server.ServerNotReadyException;
import echoladder.harness.study.Study;
import echoladder.linux.cpu.CpuList;
import echoladder.linux.process.CpuAffinity;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
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

  /** Has one echo from wherever the load will come from. */
  default void check(RungServer server, Contender contender) throws IOException {
    List<String> sources = sources(contender);
    server.check(contender.protocol(), sources.isEmpty() ? null : sources.getFirst());
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
  default List<String> sources(Contender contender) {
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
          public @Nullable List<Doubt> doubts(@Nullable List<RungHost> records, Study.Thresholds thresholds, boolean spins) {
            return null;
          }
        };

    /** The load is over: clocks are compared again. */
    void loaded() throws IOException;

    /** The hosts for the record, the server's first; null of one host. */
    @Nullable List<RungHost> records(@Nullable Reading steadyStart, @Nullable Reading steadyEnd);

    /** What speaks against the rung by those records; null of one host. */
    @Nullable List<Doubt> doubts(@Nullable List<RungHost> records, Study.Thresholds thresholds, boolean spins);
  }
}
