package echoladder.harness.capacity;

import echoladder.client.ReasonCode;
import echoladder.harness.results.CapacityRecord.End;
import echoladder.harness.results.CapacityRecord.Outcome;
import echoladder.harness.results.CapacityRecord;
import echoladder.harness.results.RungRecord;
import echoladder.harness.study.Study;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The search of one server at one connection count, as the rungs that were measured for it make it: they are all of its state.
 *
 * @param tries the first first
 * @param step what comes next
 * @param whole whether every rung given is a try of it, in their order
 */
public record Search(List<CapacityRecord.Try> tries, RateSearch.Step step, boolean whole) {
  public Search {
    tries = List.copyOf(tries);
  }

  /**
   * The search so far.
   *
   * @param rungs of the run, in the order in which they were measured; those of other servers and counts are left out
   */
  public static Search of(Study study, Study.Entry entry, int connections, List<RungRecord> rungs) {
    List<CapacityRecord.Try> tries = new ArrayList<>();
    List<RateSearch.Try> outcomes = new ArrayList<>();
    RateSearch.Step step = RateSearch.of(study, entry, connections, outcomes).step();
    for (RungRecord rung : rungs) {
      if (!rung.server().equals(entry.label()) || rung.connections() != connections || !told(rung)) {
        continue;
      }
      if (!(step instanceof RateSearch.Next next) || next.ratePerS() != rung.ratePerS() || next.repeat() != rung.repeat()) {
        return new Search(tries, step, false);
      }
      TryJudge.Judged judged = TryJudge.of(rung, study.bounds().responseTimeP99Ns());
      tries.add(new CapacityRecord.Try(rung.ratePerS(), rung.repeat(), next.length(), judged.outcome(), judged.why()));
      outcomes.add(new RateSearch.Try(rung.ratePerS(), next.length(), judged.outcome()));
      step = RateSearch.of(study, entry, connections, outcomes).step();
    }
    return new Search(tries, step, true);
  }

  private static boolean told(RungRecord rung) {
    return rung.load() != null && !rung.has(ReasonCode.INTERRUPTED);
  }

  /** The try to make now; empty where the search has its answer. */
  public Optional<RateSearch.Next> next() {
    return step instanceof RateSearch.Next next ? Optional.of(next) : Optional.empty();
  }

  /** What it found so far, without a look at other servers. */
  CapacityRecord record(String server, int connections, double mostPerS) {
    RateSearch.Answer answer =
        switch (step) {
          case RateSearch.Answer found -> found;
          case RateSearch.Next _ ->
              RateSearch.soFar(tries.stream().map(one -> new RateSearch.Try(one.ratePerS(), one.length(), one.outcome())).toList());
        };
    Double edge = answer.undecidedPerS() != null ? answer.undecidedPerS() : answer.notHeldPerS();
    CapacityRecord.Try gave =
        tries.stream()
            .filter(one -> edge != null && one.ratePerS() == edge && one.outcome() != Outcome.HELD)
            .reduce((_, last) -> last)
            .orElse(null);
    return new CapacityRecord(
        server, connections, answer.heldPerS(), answer.notHeldPerS(), answer.undecidedPerS(), answer.confirmed(),
        end(answer, mostPerS), gave == null ? List.of() : gave.why(), null, tries);
  }

  private End end(RateSearch.Answer answer, double mostPerS) {
    if (step instanceof RateSearch.Next) {
      return End.UNFINISHED;
    }
    if (!answer.complete()) {
      return End.MOST_TRIES;
    }
    if (answer.undecidedPerS() != null) {
      return End.UNDECIDED;
    }
    if (answer.heldPerS() == null) {
      return End.FIRST_RATE;
    }
    return answer.notHeldPerS() == null && answer.heldPerS() >= mostPerS ? End.MOST_RATE : End.FOUND;
  }
}
