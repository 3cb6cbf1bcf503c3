package echoladder.harness.run;

import echoladder.harness.doctor.HostFacts;
import echoladder.harness.doctor.HostFactsReader;
import echoladder.harness.doctor.HostLimits;
import echoladder.harness.doctor.Role;
import echoladder.harness.host.Fleet;
import echoladder.harness.plan.Plan;
import echoladder.harness.plan.Planner;
import echoladder.harness.server.Attachment;
import org.jspecify.annotations.Nullable;

/**
 * The preparation of a run, settled before anything is started: the host's limits, and the rungs with what the doctor, the settings
 * and the clients say against them. Each is asked once.
 *
 * @param setup what is climbed, and with what
 * @param host the limits that go into the record
 * @param plan the rungs
 */
public record Preparation(RunSetup setup, HostLimits host, Plan plan) {
  /** On this host as it is now. The study's servers are all known. */
  public static Preparation of(RunSetup setup) {
    Fleet hosts = setup.hosts();
    if (hosts != null) {
      HostFacts there = hosts.serverFacts();
      Planner.Place server = new Planner.Place(there, Role.SERVER, null);
      return new Preparation(
          setup, HostLimits.of(there), Planner.plan(setup.study(), setup.servers(), server, new HostsObstacles(setup, hosts)));
    }
    HostFacts facts = HostFactsReader.read();
    Attachment attached = setup.attached();
    Role role = attached == null || attached.sameHost() ? Role.BOTH : Role.CLIENT;
    Planner.Place place = new Planner.Place(facts, role, tuples(role, setup.sources().size()));
    Plan plan = Planner.plan(setup.study(), setup.servers(), place, new LocalObstacles(setup));
    return new Preparation(setup, HostLimits.of(facts), plan);
  }

  /** Distinct (source, destination, port): without sources the kernel takes one, on loopback the client many. */
  private static @Nullable Long tuples(Role role, int sources) {
    if (sources > 0) {
      return (long) sources;
    }
    return role == Role.BOTH ? null : (Long) 1L;
  }
}
