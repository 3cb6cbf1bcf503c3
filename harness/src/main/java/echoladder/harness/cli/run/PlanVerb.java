package echoladder.harness.cli.run;

import echoladder.harness.claims.ClaimPlan;
import echoladder.harness.claims.ClaimsFile;
import echoladder.harness.claims.StepTimes;
import echoladder.harness.common.Checkout;
import echoladder.harness.common.Units;
import echoladder.harness.compare.Condition;
import echoladder.harness.lab.LabMark;
import echoladder.harness.plan.KnobPlan;
import echoladder.harness.plan.Plan;
import echoladder.harness.report.text.PlanTable;
import echoladder.harness.run.Preparation;
import echoladder.harness.run.RunSetup;
import echoladder.harness.server.ServerManifest;
import echoladder.harness.settings.KnobsHere;
import echoladder.harness.study.Study;
import echoladder.harness.study.StudyFile;
import echoladder.harness.study.StudyReader;
import java.util.Locale;
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
    footer = {
      "",
      "Example:",
      "  ladder plan quick",
      "",
      "Example: the published claims about memory, and how long they take",
      "  ladder plan claims --topic memory",
      "",
      "Example: with the server on another host, which is not asked",
      "  ladder plan quick --servers netty --attach 10.0.0.2:9000 --server-metrics http://10.0.0.2:9100/metrics",
      "",
      "Example: with a server of your own, which is not started",
      "  ladder plan quick --own 'python3 runbooks/echo.py 9000' --port 9000"
    })
public final class PlanVerb implements Callable<Integer> {
  @Mixin private StudyOptions options = new StudyOptions();

  @Mixin private ClaimChoice choice = new ClaimChoice();

  @Mixin private AttachOptions attach = new AttachOptions();

  @Mixin private OwnOptions own = new OwnOptions();

  @Override
  public Integer call() {
    Checkout checkout = Checkout.find();
    if (own.two()) {
      options.ofTwo();
    }
    StudyFile file = StudyFile.named(checkout, options.study());
    if (file.ofClaims()) {
      own.refuseOfClaims(options.study());
      ClaimsFile claims = ClaimsFile.read(checkout, file, options.ofClaims().settings());
      System.out.print(ClaimPlan.of(choice.of(claims), choice.effort(), StepTimes.of(checkout, claims)));
      System.out.flush();
      return 0;
    }
    choice.refuse(options.study());
    own.refuseBeside(attach);
    Map<String, ServerManifest> servers = own.among(ServerManifest.all(checkout), attach);
    Study whole = own.into(new StudyReader(checkout, servers).read(file, options.selection()), servers, options.selection());
    var _ = Condition.of(whole);
    BesideNetwork.refuse(whole, false, attach, own, false);
    Study read = whole.tuned().isEmpty() || whole.lab() != null ? whole : KnobsHere.of(whole, false, !options.knobs.isEmpty());
    read.tuned().stream()
        .filter(knob -> knob.untold() != null)
        .forEach(knob -> System.err.println("ladder: " + knob.name() + " cannot be told here: " + knob.untold()));
    RunSetup setup =
        new RunSetup(checkout, read, servers, options.clients(), attach.attachment(read, servers, own.push()), attach.sources());
    Plan plan = Preparation.of(setup).plan();
    if (read.lab() != null && LabMark.here() == null) {
      System.err.println(
          "ladder: 'run' climbs this study in a lab, whose limits are others than this host's: './ladder lab --memory "
              + (read.lab().memoryBytes() >> 20)
              + "M -- ./ladder plan "
              + options.study()
              + "' plans by those");
    }
    setup.smallBuffers().forEach(warning -> System.err.println("ladder: " + warning));
    System.out.print(PlanTable.of(read, plan));
    if (!read.tuned().isEmpty() && KnobStages.Stage.of(read) == KnobStages.Stage.SCREEN) {
      System.out.printf(
          Locale.ROOT, "That is the screen. With what comes after it, for the %d knobs that show most: about %s at the worst%n",
          KnobPlan.MOST_CONFIRMED, Units.clock(KnobPlan.atWorst(read, plan)));
    }
    System.out.flush();
    return 0;
  }
}
