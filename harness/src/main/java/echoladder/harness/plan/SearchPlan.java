package echoladder.harness.plan;

import echoladder.harness.capacity.RateSearch;
import echoladder.harness.capacity.Search;
import echoladder.harness.results.RungKey;
import echoladder.harness.results.RungRecord;
import echoladder.harness.results.StandPlace;
import echoladder.harness.study.Capacity;
import echoladder.harness.study.Study;
import echoladder.harness.study.StudyLoad;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The tries of capacity searches as rungs. A plan has one rung for each search, which stands for all of its tries; which rates
 * they have follows from what the tries before them showed. Pure.
 */
public final class SearchPlan {
  private SearchPlan() {}

  /** Every rung of a plan; of a search the tries that were made so far and the next one. */
  public static List<Rung> known(Study study, Plan plan, List<RungRecord> records) {
    if (study.capacity() == null) {
      return plan.rungs();
    }
    List<Rung> known = new ArrayList<>();
    for (Rung planned : plan.rungs()) {
      known.add(planned);
      Search search = search(study, planned, records);
      for (int i = 0; i < search.tries().size(); i++) {
        var made = search.tries().get(i);
        known.add(rung(study, planned, new RateSearch.Next(made.ratePerS(), made.length(), made.repeat()), i + 1));
      }
      next(study, planned, records).ifPresent(known::add);
    }
    return known;
  }

  /** The try to make now in the search that a rung of the plan stands for; empty where the search has its answer. */
  public static Optional<Rung> next(Study study, Rung planned, List<RungRecord> records) {
    Search search = search(study, planned, records);
    return search.next().map(next -> rung(study, planned, next, search.tries().size() + 1));
  }

  private static Search search(Study study, Rung planned, List<RungRecord> records) {
    return Search.of(study, study.entry(planned.label()).orElseThrow(), planned.connections(), records);
  }

  private static Rung rung(Study study, Rung planned, RateSearch.Next next, int place) {
    StudyLoad load = study.load(study.entry(planned.label()).orElseThrow());
    double rate = next.ratePerS();
    return new Rung(
        new RungKey(planned.label(), planned.connections(), rate, next.repeat(), false), rate, new StandPlace(place, false),
        next.length(), Planner.likelyOfTry(study, load, planned.connections(), rate, next.length()),
        Planner.mostOfTry(study, load, planned.connections(), rate, next.length()), planned.obstacles(), null);
  }

  /**
   * How long a search should take, as if the server held half of the most rate: one try for each doubling, and two more at the
   * last, which is not held; two for each bisection, as every other one is not held and tried three times; and the longer one. The
   * published run of the study capacity made 18 to 19 tries of a search, and one or two longer ones.
   */
  static Duration likely(Study study, StudyLoad load, int connections) {
    Capacity capacity = Objects.requireNonNull(study.capacity());
    double from = load.totalPerS(connections);
    double bisections = Math.ceil(Math.log(1 / capacity.resolution()) / Math.log(2));
    double tries = doublings(capacity, from) + RateSearch.MOST_AT_ONE_RATE - 1 + 2 * bisections;
    Duration one = Planner.likelyOfTry(study, load, connections, from, 1);
    Duration longest = Planner.likelyOfTry(study, load, connections, from, RateSearch.CONFIRMING_LENGTH);
    return Planner.START_AND_STOP.plusNanos((long) (tries * one.toNanos())).plus(longest);
  }

  private static double doublings(Capacity capacity, double from) {
    return Math.max(1, Math.ceil(Math.log(capacity.mostPerS() / from) / Math.log(2)));
  }

  /** How long a search may take before its bounds end it. */
  static Duration most(Study study, StudyLoad load, int connections) {
    Capacity capacity = Objects.requireNonNull(study.capacity());
    return Planner.mostOfTry(study, load, connections, load.totalPerS(connections), RateSearch.CONFIRMING_LENGTH)
        .multipliedBy(capacity.tries());
  }
}
