package echoladder.harness.run;

import echoladder.client.LoadPlan;
import echoladder.client.Target;
import echoladder.external.MissingToolException;
import echoladder.harness.client.Clients;
import echoladder.harness.client.LoadTool;
import echoladder.harness.common.Refusal;
import echoladder.harness.plan.Plan;
import echoladder.harness.plan.Rung;
import echoladder.harness.server.ServerManifest;
import echoladder.harness.study.Study;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Asks the clients of a plan, before anything is started, whether they are there and can do what it plans. */
public final class ClientCheck {
  /** Of nobody: a check connects to nothing. */
  private static final Target SOME_TARGET = new Target("127.0.0.1", 9);

  private final Study study;
  private final Map<String, ServerManifest> servers;
  private final Clients clients;

  private ClientCheck(Study study, Map<String, ServerManifest> servers, Clients clients) {
    this.study = study;
    this.servers = servers;
    this.clients = clients;
  }

  /** The same plan, each rung with what its client says against it. */
  public static Plan of(Plan plan, Study study, Map<String, ServerManifest> servers, Clients clients) {
    ClientCheck check = new ClientCheck(study, servers, clients);
    return new Plan(plan.rungs().stream().map(check::checked).toList(), plan.examinations());
  }

  /**
   * Refuses a checked plan that cannot be climbed at all: its clients are missing, or one cannot do even its
   * lowest rung.
   *
   * @throws Refusal (could not run)
   */
  public static void refuseWhatCannotBegin(Plan plan) {
    Set<String> missing = new LinkedHashSet<>();
    Set<String> begun = new LinkedHashSet<>();
    List<String> unfit = new ArrayList<>();
    for (Rung rung : plan.rungs()) {
      if (rung.clientMissing() != null) {
        missing.add(rung.clientMissing());
      }
      if (begun.add(rung.label()) && rung.clientUnfit() != null) {
        unfit.add(rung.label() + ": " + rung.clientUnfit());
      }
    }
    if (!unfit.isEmpty()) {
      throw Refusal.cannotRun(String.join("\n", unfit));
    }
    if (!missing.isEmpty() && plan.rungs().stream().noneMatch(Rung::attempted)) {
      throw Refusal.cannotRun(String.join("\n", missing));
    }
  }

  private Rung checked(Rung rung) {
    Study.Entry entry = study.entry(rung.label()).orElse(null);
    ServerManifest server = entry == null ? null : servers.get(entry.server());
    if (entry == null || server == null) {
      throw new IllegalArgumentException("planned for a server that the study does not have: " + rung.label());
    }
    LoadTool tool = LoadTool.ofId(entry.client());
    LoadPlan load = RungLoad.of(study, entry, rung, server.speaks(), tool, SOME_TARGET).build();
    try {
      clients.make(tool, Path.of("/dev/null")).check(load);
      return rung;
    } catch (MissingToolException e) {
      return rung.withClientMissing(String.valueOf(e.getMessage()));
    } catch (IOException e) {
      return rung.withClientUnfit(String.valueOf(e.getMessage()));
    }
  }
}
