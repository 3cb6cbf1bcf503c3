package echoladder.harness.cli;

import echoladder.harness.common.Checkout;
import echoladder.harness.doctor.HostFactsReader;
import echoladder.harness.doctor.Role;
import echoladder.harness.plan.Plan;
import echoladder.harness.plan.Planner;
import echoladder.harness.report.PlanTable;
import echoladder.harness.run.ClientCheck;
import echoladder.harness.server.ServerManifest;
import echoladder.harness.study.Study;
import echoladder.harness.study.StudyReader;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code ladder plan}: what would be climbed; touches nothing. */
@Command(
    name = "plan",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Print the rungs that 'run' would climb on this host, and the estimated time; touch nothing.",
    footer = {"", "Example:", "  ladder plan quick"})
public final class PlanVerb implements Callable<Integer> {
  @Mixin private StudyOptions options = new StudyOptions();

  @Override
  public Integer call() {
    Checkout checkout = Checkout.find();
    Map<String, ServerManifest> servers = ServerManifest.all(checkout);
    Study read = new StudyReader(checkout, servers).read(options.study, options.selection());
    Plan plan =
        ClientCheck.of(
            Planner.plan(read, servers, HostFactsReader.read(), Role.BOTH, null), read, servers, options.clients());
    System.out.print(PlanTable.of(read, plan));
    System.out.flush();
    return 0;
  }
}
