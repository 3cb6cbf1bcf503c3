package echoladder.harness.run;

import echoladder.harness.client.Clients;
import echoladder.harness.doctor.HostFacts;
import echoladder.harness.doctor.HostFactsReader;
import echoladder.harness.doctor.HostLimits;
import echoladder.harness.doctor.Role;
import echoladder.harness.plan.Plan;
import echoladder.harness.plan.Planner;
import echoladder.harness.server.Attachment;
import echoladder.harness.server.ServerManifest;
import echoladder.harness.study.Study;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is settled before anything is started: whom the study climbs from where, what the host's limits are, and the rungs
 * with what the doctor and the clients say against them. Each is asked once.
 *
 * @param attached the server of somebody else that is climbed; null = servers are started here
 * @param sources addresses that the client connects from; none = its choice
 * @param host the limits that go into the record
 * @param plan the rungs
 */
public record Preparation(@Nullable Attachment attached, List<String> sources, HostLimits host, Plan plan) {
  public Preparation {
    sources = List.copyOf(sources);
  }

  /** Of a study on this host as it is now. The study's servers are all known. */
  public static Preparation of(
      Study study,
      Map<String, ServerManifest> servers,
      Clients clients,
      @Nullable Attachment attached,
      List<String> sources) {
    HostFacts facts = HostFactsReader.read();
    Role role = attached == null || attached.sameHost() ? Role.BOTH : Role.CLIENT;
    Plan plan = SettingsCheck.of(Planner.plan(study, servers, facts, role, tuples(role, sources)), study);
    return new Preparation(
        attached, sources, HostLimits.of(facts), ClientCheck.of(plan, study, servers, clients));
  }

  /** Distinct (source, destination, port): without sources the kernel takes one, on loopback the client many. */
  private static @Nullable Long tuples(Role role, List<String> sources) {
    if (!sources.isEmpty()) {
      return (long) sources.size();
    }
    return role == Role.BOTH ? null : (Long) 1L;
  }
}
