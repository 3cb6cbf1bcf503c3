package echoladder.harness.claims;

import echoladder.harness.common.Checkout;
import echoladder.harness.common.YamlSetting;
import echoladder.harness.doctor.HostFactsReader;
import echoladder.harness.doctor.Role;
import echoladder.harness.plan.Obstacles;
import echoladder.harness.plan.Planner;
import echoladder.harness.plan.Rung;
import echoladder.harness.server.ServerManifest;
import echoladder.harness.study.Selection;
import echoladder.harness.study.Study;
import echoladder.harness.study.StudyReader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How long a step that climbs should take: what the plan of its study says of all its rungs, those out of reach here too, and the
 * process around it. One thread.
 */
final class ClimbTimes {
  /** A JVM that starts, reads the host before and after, and writes its reports: 3 to 5 s on two processors. */
  private static final Duration AROUND = Duration.ofSeconds(5);

  private final Path studies;
  private final Map<String, ServerManifest> servers;
  private final StudyReader reader;
  private final Planner.Place place = new Planner.Place(HostFactsReader.read(), Role.BOTH, null);

  /** Steps have climbs in common: by study and options, in ns. */
  private final Map<List<String>, Long> known = new HashMap<>();

  /**
   * Plans the climbs of a checkout's claims.
   *
   * @param studies the folder of the small studies
   */
  ClimbTimes(Checkout checkout, Path studies) {
    this.studies = studies;
    servers = ServerManifest.all(checkout);
    reader = new StudyReader(checkout, servers);
  }

  long ns(Claim.Step step, List<String> args) {
    List<String> climb = new ArrayList<>(List.of(step.workload()));
    climb.addAll(args);
    return known.computeIfAbsent(climb, _ -> planned(step, args));
  }

  private long planned(Claim.Step step, List<String> args) {
    Study study = reader.read(StepClimb.study(studies, step).toString(), selection(args));
    return Planner.plan(study, servers, place, (_, _) -> Obstacles.NONE).rungs().stream()
        .map(Rung::likely)
        .reduce(AROUND, Duration::plus)
        .toNanos();
  }

  /** What a step's options choose of its study; an {@link IllegalArgumentException} names others than those that a step may have. */
  static Selection selection(List<String> args) {
    List<String> labels = new ArrayList<>();
    List<YamlSetting> settings = new ArrayList<>();
    for (int i = 0; i + 1 < args.size(); i += 2) {
      switch (args.get(i)) {
        case "--servers" -> labels.addAll(List.of(args.get(i + 1).split(",", -1)));
        case "--set" -> settings.add(YamlSetting.parse(args.get(i + 1)));
        default -> throw new IllegalArgumentException("a step that climbs takes --servers and --set, not " + args);
      }
    }
    return new Selection(null, labels, settings);
  }
}
