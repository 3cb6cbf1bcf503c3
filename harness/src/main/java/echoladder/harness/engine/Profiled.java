package echoladder.harness.engine;

import echoladder.client.ReasonCode;
import echoladder.harness.judgement.StopRule;
import echoladder.harness.plan.Rung;
import echoladder.harness.profile.Perf;
import echoladder.harness.results.ProfileRecord;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord.Status;
import echoladder.harness.results.RungRecord;
import echoladder.harness.run.RunContext;
import echoladder.harness.run.Testbed;
import echoladder.harness.study.Profile;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Adds the extra repeats of a run, in which a profiler watches each server. They come after all rungs and are kept apart from them. What
 * a host cannot do is said once for each kind of profile.
 */
final class Profiled implements Itinerary {
  private final Itinerary rungs;
  private final Ahead ahead;
  private final RunContext context;
  private final Telling telling;
  private final Set<Profile.Kind> said = EnumSet.noneOf(Profile.Kind.class);
  private @Nullable ProfilerWatch watch;
  private boolean stopped;

  /** Comes after {@code rungs}. */
  Profiled(Itinerary rungs, Ahead ahead, RunContext context, Telling telling) {
    this.rungs = rungs;
    this.ahead = ahead;
    this.context = context;
    this.telling = telling;
  }

  @Override
  public @Nullable Step next() {
    Step step = rungs.next();
    return step != null || stopped || context.stop().requested() ? step : extra();
  }

  /** The first extra repeat that the run does not have yet. */
  private @Nullable Step extra() {
    List<Rung> extras = ahead.plan().profiled();
    for (int i = 0; i < extras.size(); i++) {
      Rung rung = extras.get(i);
      if (ahead.done().profiles().stream().noneMatch(made -> rung.isOf(made.rung()))) {
        List<Rung> later = extras.subList(i + 1, extras.size());
        boolean last = later.isEmpty() || !later.getFirst().inOneStandWith(rung);
        Step.Place place = new Step.Place(ahead.plan().rungs().size() + i + 1, Ahead.likely(later));
        ProfilerWatch watching = watch == null ? new ProfilerWatch(kind(rung), context, rung) : watch;
        watch = watching;
        return new Step(
            rung, place, new Step.ServerUse(rung.shared(), last), List.of(), none(rung), List.of(watching::begin));
      }
    }
    return null;
  }

  /** The record of one that cannot be had; null where it can. */
  private @Nullable RungRecord none(Rung rung) {
    StopRule.Why why = ahead.done().ended(rung.key());
    String against = why == null ? complaint(rung) : "the climb of this server had ended: " + why.reason();
    return against.isEmpty() ? null : RungRecord.notMeasured(rung.planned(), Status.NOT_ATTEMPTED, against);
  }

  private String complaint(Rung rung) {
    Profile.Kind kind = kind(rung);
    String complaint =
        Testbed.of(context.setup()).startsServersHere()
            ? Perf.complaint(kind)
            : "a profiler watches servers that the ladder starts on its own host";
    if (!complaint.isEmpty() && said.add(kind)) {
      telling.note("the profile '%s' is skipped: %s".formatted(kind.id(), complaint));
    }
    return complaint;
  }

  private static Profile.Kind kind(Rung rung) {
    return Objects.requireNonNull(rung.profile(), () -> "planned as an extra repeat without a profile: " + rung.key());
  }

  @Override
  public void took(Step step, RungRecord record) throws IOException {
    Rung rung = step.rung();
    if (rung.profile() == null) {
      rungs.took(step, record);
      return;
    }
    try (ProfilerWatch watched = Objects.requireNonNull(watch)) {
      if (record.has(ReasonCode.INTERRUPTED)) {
        stopped = true;
        return;
      }
      ProfileRecord profile = step.known() != null ? ProfileRecord.none(kind(rung), record) : watched.record(record);
      ahead.done().settle(rung, record);
      ahead.done().add(profile);
      if (record.status() == Status.MEASURED) {
        telling.over(profile);
      }
      ahead.done().write(RunRecord.Status.RUNNING);
    } finally {
      watch = null;
    }
  }

  @Override
  public void close() {
    rungs.close();
    if (watch != null) {
      watch.close();
      watch = null;
    }
  }
}
