package echoladder.harness.run;

import echoladder.client.Invalidity;
import echoladder.harness.judgement.EndedClimbs;
import echoladder.harness.judgement.Ends;
import echoladder.harness.plan.Plan;
import echoladder.harness.plan.Rung;
import echoladder.harness.profile.Perf;
import echoladder.harness.profile.Profiler;
import echoladder.harness.results.ProfileRecord;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord;
import echoladder.harness.results.RungRecord.Status;
import echoladder.harness.study.Profile;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The extra repeats of a run, in which a profiler watches each server. They come after all rungs and are kept apart from them. What
 * a host cannot do is said once for each kind of profile. One thread.
 */
final class ProfileClimb {
  private final Plan plan;
  private final RunContext context;
  private final StandInUse stand;
  private final EndedClimbs ended;
  private final RunSoFar soFar;
  private final Set<Profile.Kind> said = EnumSet.noneOf(Profile.Kind.class);

  /** The parameters are those of {@link Climb}, after its rungs. */
  ProfileClimb(Plan plan, RunContext context, StandInUse stand, EndedClimbs ended, RunSoFar soFar) {
    this.plan = plan;
    this.context = context;
    this.stand = stand;
    this.ended = ended;
    this.soFar = soFar;
  }

  /** Climbs those that the run does not have yet. */
  void climb() throws IOException {
    List<Rung> rungs = plan.profiled();
    for (int i = 0; i < rungs.size(); i++) {
      Rung rung = rungs.get(i);
      if (context.stop().requested()) {
        return;
      }
      if (soFar.profiles().stream().anyMatch(kept -> rung.isOf(kept.rung()))) {
        continue;
      }
      Duration left = rungs.subList(i + 1, rungs.size()).stream().map(Rung::likely).reduce(Duration.ZERO, Duration::plus);
      context.display().rung(plan.rungs().size() + i + 1, plan.size(), left);
      stand.leaveUnlessOf(rung);
      boolean last = i + 1 == rungs.size() || !rungs.get(i + 1).inOneStandWith(rung);
      ProfileRecord record = climb(rung, last);
      if (record.rung().has(Invalidity.INTERRUPTED)) {
        return;
      }
      soFar.settle(rung, record.rung());
      soFar.add(record);
      if (record.rung().status() == Status.MEASURED) {
        context.display().over(record.rung(), sentence(record));
      }
      soFar.write(RunRecord.Status.RUNNING);
    }
    stand.leave();
  }

  private ProfileRecord climb(Rung rung, boolean last) throws IOException {
    Profile.Kind kind = rung.profile();
    if (kind == null) {
      throw new IllegalStateException("planned as an extra repeat without a profile: " + rung.key());
    }
    Ends.Why why = ended.of(rung.key());
    if (why != null) {
      return none(kind, rung, "the climb of this server had ended: " + why.reason());
    }
    String complaint =
        context.setup().attached() != null || context.setup().hosts() != null
            ? "a profiler watches servers that the ladder starts on its own host"
            : Perf.complaint(kind);
    if (!complaint.isEmpty()) {
      if (said.add(kind)) {
        context.display().note("the profile '%s' is skipped: %s".formatted(kind.id(), complaint));
      }
      return none(kind, rung, complaint);
    }
    Stand of = stand.of(rung);
    try (Profiler profiler = new Profiler(kind, of.placed().client(), of.contender().symbols())) {
      RungRecord record = new RungRun(context, rung, of, RungRun.Terms.first(last), profiler).climb();
      return profiler.record(record, context.folder(), rung.key().stem(context.setup().study().repeats(), 1));
    } finally {
      if (last) {
        stand.leave();
      }
    }
  }

  private static ProfileRecord none(Profile.Kind kind, Rung rung, String why) {
    return ProfileRecord.none(kind, RungRecord.notMeasured(rung.planned(), Status.NOT_ATTEMPTED, why));
  }

  private static String sentence(ProfileRecord record) {
    String what =
        record.watched() == null
            ? String.valueOf(record.problem())
            : String.format(Locale.ROOT, "watched for %.1f s; its figures are not quoted", record.watched().seconds());
    return "%s  %s, profile %s: %s".formatted(record.rung().server(), record.rung().key().load(), record.kind().id(), what);
  }
}
