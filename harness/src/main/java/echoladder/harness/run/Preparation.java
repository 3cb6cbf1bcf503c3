package echoladder.harness.run;

import echoladder.harness.doctor.HostFacts;
import echoladder.harness.doctor.HostLimits;
import echoladder.harness.plan.Plan;
import echoladder.harness.plan.Planner;

/**
 * The preparation of a run, settled before anything is started: the host's limits, and the rungs with what the doctor, the settings
 * and the clients say against them. Each is asked once.
 *
 * @param setup what is climbed, and with what
 * @param host the limits that go into the record
 * @param plan the rungs
 */
public record Preparation(RunSetup setup, HostLimits host, Plan plan) {
  /** Where the run takes place, as that is now. The study's servers are all known. */
  public static Preparation of(RunSetup setup) {
    Testbed bed = Testbed.of(setup);
    HostFacts facts = bed.facts();
    Planner.Place place = new Planner.Place(facts, bed.role(), bed.tuples());
    return new Preparation(setup, HostLimits.of(facts), Planner.plan(setup.study(), setup.servers(), place, bed.obstacles()));
  }
}
