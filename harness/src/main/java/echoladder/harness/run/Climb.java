package echoladder.harness.run;

import echoladder.client.Invalidity;
import echoladder.harness.capacity.Capacities;
import echoladder.harness.capacity.CapacityEnds;
import echoladder.harness.judgement.Disturbance;
import echoladder.harness.judgement.EndedClimbs;
import echoladder.harness.judgement.Ends;
import echoladder.harness.lab.LabMark;
import echoladder.harness.plan.Obstacles;
import echoladder.harness.plan.Plan;
import echoladder.harness.plan.Rung;
import echoladder.harness.plan.SearchPlan;
import echoladder.harness.probe.HostGaps;
import echoladder.harness.results.Attempt;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord;
import echoladder.harness.results.RungRecord.Status;
import echoladder.harness.results.RungRepeats;
import echoladder.harness.study.Study;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A run: for each connection count and repeat every server in turn, with all its rates, so that a host that drifts hits all
 * alike. What a server cannot hold ends its climb as {@link EndedClimbs} says; run.json is replaced after each rung.
 */
public final class Climb {
  private static final String STOPPED = "the run was stopped";

  private final Study study;
  private final Plan plan;
  private final RunHead head;
  private final RunContext context;
  private final Map<String, Contender> contenders = new LinkedHashMap<>();
  private final EndedClimbs ended;
  private final RungSentence said;
  private final StandInUse stand;
  private final RunSoFar soFar;
  private final Budget budget;

  /**
   * A run of one study.
   *
   * @param plan its rungs
   * @param head what its record begins with
   * @param written is told of the run each time that it was written, between two rungs
   */
  public Climb(Plan plan, RunHead head, RunContext context, Consumer<RunRecord> written) {
    this.study = context.setup().study();
    this.plan = plan;
    this.head = head;
    this.context = context;
    this.ended = new EndedClimbs(study);
    this.said = new RungSentence(study.repeats(), LabMark.in(head.environment()));
    context.setup().contenders().forEach(contender -> contenders.put(contender.entry().label(), contender));
    this.stand = new StandInUse(context, contenders);
    this.soFar = new RunSoFar(head, context, Map.copyOf(contenders), written);
    this.budget = context.budget();
  }

  /**
   * Climbs.
   *
   * @return the run as it was last written
   * @throws IOException where the run folder cannot be written
   */
  public RunRecord run() throws IOException {
    context.folder().writeEnvironment(head.environment());
    soFar.writeKept();
    plan.outOfReach().forEach(context.display()::note);
    context.setup().smallBuffers().forEach(context.display()::note);
    if (contenders.values().stream().anyMatch(this::crowded)) {
      context.display().note("no core is left for the ladder and the client's other threads: they share those of server and client");
    }
    try {
      if (study.capacity() == null) {
        climbAll();
        new ProfileClimb(plan, context, stand, ended, soFar).climb();
      } else {
        searchAll();
      }
    } finally {
      stand.leave();
      context.display().end();
    }
    return soFar.write(context.stop().requested() ? RunRecord.Status.INTERRUPTED : RunRecord.Status.COMPLETE);
  }

  private boolean crowded(Contender contender) {
    boolean climbed = plan.rungs().stream().anyMatch(rung -> rung.label().equals(contender.entry().label()) && rung.attempted());
    return climbed && context.setup().placed(contender.entry()).crowded();
  }

  private void climbAll() throws IOException {
    List<Rung> rungs = plan.rungs();
    List<Rung> round = new ArrayList<>();
    int stopped = 0;
    for (int i = 0; i < rungs.size(); i++) {
      Rung rung = rungs.get(i);
      if (!round.isEmpty() && !rung.inOneRoundWith(round.getFirst())) {
        again(round);
        round.clear();
      }
      round.add(rung);
      Optional<RungRecord> kept = kept(rung);
      if (kept.isPresent()) {
        add(kept.get());
        continue;
      }
      context.display().rung(i + 1, plan.size(), left(i + 1));
      stand.leaveUnlessOf(rung);
      boolean last = rungs.subList(i + 1, rungs.size()).stream().noneMatch(next -> next.inOneStandWith(rung) && due(next));
      RungRecord record = climb(rung, List.of(), last);
      soFar.settle(rung, record);
      add(record);
      if (STOPPED.equals(record.statusReason())) {
        stopped++;
      } else {
        context.display().over(record, said.of(record));
      }
      soFar.write(RunRecord.Status.RUNNING);
    }
    if (stopped > 0) {
      context.display().note("%d of %d rungs were not climbed: %s".formatted(stopped, rungs.size(), STOPPED));
    }
    again(round);
    again(rungs);
    spend(rungs);
  }

  /** The searches of a study of capacities, one after the other; each with one server, as long as that lives. */
  private void searchAll() throws IOException {
    List<Rung> searches = plan.rungs();
    for (int i = 0; i < searches.size(); i++) {
      Rung planned = searches.get(i);
      Duration later = left(i + 1);
      head.kept().stream().filter(record -> record.server().equals(planned.label()) && record.connections() == planned.connections())
          .forEach(soFar::add);
      Optional<Rung> next = kept(planned).isPresent() ? Optional.empty() : SearchPlan.next(study, planned, soFar.records());
      while (next.isPresent()) {
        Rung rung = next.get();
        context.display().rung(i + 1, searches.size(), later.plus(rung.likely()));
        RungRecord record = climb(rung, List.of(), false);
        if (record.status() != Status.MEASURED) {
          soFar.add(not(planned, record.status(), Objects.requireNonNull(record.statusReason())));
          soFar.write(RunRecord.Status.RUNNING);
          break;
        }
        soFar.settle(rung, record);
        soFar.add(record);
        String sentence =
            soFar.write(RunRecord.Status.RUNNING).search(rung.label(), rung.connections()).map(row -> said.of(record, row))
                .orElseGet(() -> said.of(record));
        context.display().over(record, sentence);
        next = context.stop().requested() ? Optional.empty() : SearchPlan.next(study, planned, soFar.records());
      }
      stand.leave();
    }
  }

  /** Whether a rung has still to be climbed, as far as is known. */
  private boolean due(Rung rung) {
    return rung.attempted() && kept(rung).isEmpty() && ended.of(rung.key()) == null;
  }

  private Optional<RungRecord> kept(Rung rung) {
    return head.kept().stream().filter(rung::isOf).findFirst();
  }

  /**
   * Measures rungs again of which the host's other work lost a figure: after the others of the round, so that each server's tries are
   * as far apart as they can be, and at the end of the run, as the first rounds do not know how quick the host mostly is. Each try has a
   * server of its own. A run with a budget spends that at its end.
   */
  private void again(List<Rung> round) throws IOException {
    stand.leave();
    for (int number = 2; number <= Attempt.MOST && !budget.ends(); number++) {
      for (Rung rung : round) {
        RungRecord last = last(rung);
        if (last.number() < number && Disturbance.lost(last) && open(rung, last)
            && !again(rung, last, left(plan.rungs().indexOf(round.getLast()) + 1))) {
          return;
        }
      }
    }
  }

  /** Spends what is left of the budget on further tries, of the rung that was disturbed most first. */
  private void spend(List<Rung> rungs) throws IOException {
    while (budget.ends() && !context.stop().requested()) {
      Rung most =
          rungs.stream()
              .filter(rung -> disturbance(rung) > 0 && last(rung).number() < Attempt.MOST && open(rung, last(rung)))
              .filter(rung -> budget.fits(rung.likely()))
              .max(Comparator.comparingDouble(this::disturbance))
              .orElse(null);
      if (most == null || !again(most, last(most), most.likely())) {
        return;
      }
    }
  }

  private double disturbance(Rung rung) {
    return Disturbance.of(last(rung));
  }

  private RungRecord last(Rung rung) {
    return soFar.compared().stream().filter(rung::isOf).findFirst().orElseThrow();
  }

  /** Whether a rung may be measured again. A check for drift may not, as it belongs to the process that it checks. */
  private boolean open(Rung rung, RungRecord last) {
    return !last.driftCheck() && ended.of(rung.key()) == null && !context.stop().requested();
  }

  /**
   * Measures a rung again. What the try brings takes the place of the one before, whatever it is.
   *
   * @return whether it was: a run that was stopped has the try before, and a resumed run goes on from there
   */
  private boolean again(Rung rung, RungRecord last, Duration left) throws IOException {
    context.display().rung(plan.rungs().indexOf(rung) + 1, plan.size(), left);
    context.display()
        .note(
            "%s is measured again, as others had the host (try %d of at most %d)"
                .formatted(said.name(last), last.number() + 1, Attempt.MOST));
    RungRecord next = climb(rung, last.tries(), true);
    if (next.status() != Status.MEASURED || next.has(Invalidity.INTERRUPTED)) {
      return false;
    }
    soFar.settle(rung, next);
    soFar.replace(last.key(), next);
    end(next);
    context.display().over(next, said.of(next));
    soFar.write(RunRecord.Status.RUNNING);
    return true;
  }

  private void add(RungRecord record) {
    soFar.add(record);
    end(record);
  }

  private void end(RungRecord record) {
    Ends.Why why = record.driftCheck() ? null : Ends.at(RungRepeats.with(record, soFar.records()), study);
    if (why != null) {
      ended.add(record.key(), why);
    }
  }

  /**
   * Climbs a rung, or says why not.
   *
   * @param before the tries that were disturbed
   * @param last whether its server is stopped after it
   */
  private RungRecord climb(Rung rung, List<RungRecord> before, boolean last) throws IOException {
    String none = notTried(rung);
    Obstacles obstacles = rung.obstacles();
    if (obstacles.clientMissing() != null) {
      return not(rung, Status.CLIENT_MISSING, obstacles.clientMissing());
    }
    if (none != null) {
      return not(rung, Status.NOT_ATTEMPTED, none);
    }
    if (obstacles.outOfReach() != null) {
      return not(rung, Status.OUT_OF_REACH, obstacles.outOfReach());
    }
    if (obstacles.clientUnfit() != null) {
      return not(rung, Status.OUT_OF_REACH, obstacles.clientUnfit());
    }
    if (context.stop().requested()) {
      return not(rung, Status.NOT_ATTEMPTED, STOPPED);
    }
    if (!budget.fits(rung.likely())) {
      return not(rung, Status.NOT_ATTEMPTED, budget.spent());
    }
    QuietWait quiet = context.quiet();
    Attempt.Waited waited =
        quiet == null ? null : quiet.before(context.stop(), (seen, left) -> context.display().waiting(rung, seen, left));
    if (context.stop().requested()) {
      return not(rung, Status.NOT_ATTEMPTED, STOPPED);
    }
    RungRun.Terms terms = new RungRun.Terms(last, before, waited, HostGaps.in(head.environment()), warmUpMost(rung));
    RungRecord record = new RungRun(context, rung, stand.of(rung), terms, null).climb();
    if (record.has(Invalidity.HOST_LOST)) {
      // Nothing can be measured without it. What was, is kept, and the run is gone on with when it is back.
      context.stop().request();
    }
    if (last) {
      stand.leave();
    }
    return record;
  }

  /** Bounds a rung's warm-up by the budget: what is left beyond this rung and those to come is shared out among them. */
  private @Nullable Duration warmUpMost(Rung rung) {
    if (!budget.ends()) {
      return null;
    }
    // A further try is none of those to come.
    List<Rung> toCome =
        plan.rungs().stream()
            .filter(next -> next.equals(rung) || (next.attempted() && none(next) && ended.of(next.key()) == null))
            .toList();
    Duration likely = toCome.stream().map(Rung::likely).reduce(Duration.ZERO, Duration::plus);
    Duration least = Duration.ofNanos(study.phases().warmUpMinNs());
    return budget.warmUpMost(least, Duration.ofNanos(study.phases().warmUpMaxNs()), likely, toCome.size());
  }

  /** Whether nothing is known of a rung yet. */
  private boolean none(Rung rung) {
    return soFar.records().stream().noneMatch(rung::isOf);
  }

  /** Why a rung within reach is not tried; null where it is. */
  private @Nullable String notTried(Rung rung) {
    String ends = study.capacity() == null ? null : CapacityEnds.before(rung.label(), Capacities.of(study, soFar.records(), Map.of()));
    Ends.Why why = ended.of(rung.key());
    if (why != null || ends != null) {
      return "the climb of this server had ended: " + (why == null ? ends : why.reason());
    }
    if (context.stop().requested()) {
      return STOPPED;
    }
    return rung.key().driftCheck() && !stand.hasFirstOf(rung, soFar.records())
        ? "its stand has no process that had the first rung validly, so there is nothing to check for drift"
        : null;
  }

  private static RungRecord not(Rung rung, Status status, String why) {
    return RungRecord.notMeasured(rung.planned(), status, why);
  }

  private Duration left(int from) {
    return Stream.concat(plan.rungs().subList(from, plan.rungs().size()).stream(), plan.profiled().stream())
        .filter(r -> r.attempted() && ended.of(r.key()) == null)
        .map(Rung::likely)
        .reduce(Duration.ZERO, Duration::plus);
  }
}
