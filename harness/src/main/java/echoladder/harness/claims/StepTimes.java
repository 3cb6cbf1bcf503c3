package echoladder.harness.claims;

import echoladder.harness.claims.Claim.Effort;
import echoladder.harness.common.Checkout;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * How long a step takes: what a published ledger took for it, whatever claim that was for; else of a climb what its plan says, and of a
 * workload what claims.yaml says by {@code takes}.
 *
 * @param published the latest first
 * @param stated by claim, step and effort, in ns
 */
public record StepTimes(List<Ledger> published, Map<String, Long> stated, ClimbTimes climbs) {
  public StepTimes {
    published = List.copyOf(published);
    stated = Map.copyOf(stated);
  }

  /** The times of a file's claims, by the ledgers that its checkout has. */
  public static StepTimes of(Checkout checkout, ClaimsFile file) {
    return new StepTimes(ClaimPages.of(checkout).ledgers(), file.takes(), new ClimbTimes(checkout, file.climbs()));
  }

  static String key(String claim, String step, Effort effort) {
    return claim + "/" + step + "/" + effort;
  }

  /** In ns; empty where nobody knows. Of an effort that has the step. */
  OptionalLong ns(Claim claim, Claim.Step step, Effort effort) {
    List<String> args = step.args().getOrDefault(effort, List.of());
    OptionalLong took =
        published.stream().map(ledger -> took(ledger, step, args)).filter(OptionalLong::isPresent).findFirst().orElse(OptionalLong.empty());
    if (took.isPresent()) {
      return took;
    }
    if (step.language() == Claim.Language.LADDER) {
      return OptionalLong.of(climbs.ns(step, args));
    }
    Long ns = stated.get(key(claim.id(), step.name(), effort));
    return ns == null ? OptionalLong.empty() : OptionalLong.of(ns);
  }

  /** The mean of a ledger's runs of that program with these arguments. */
  private static OptionalLong took(Ledger ledger, Claim.Step step, List<String> args) {
    Effort effort = ledger.quick() ? Effort.QUICK : Effort.FULL;
    double mean =
        ledger.entries().stream()
            .flatMap(
                entry ->
                    entry.claim().steps().stream()
                        .filter(of -> alike(of, step) && args.equals(of.args().get(effort)))
                        .flatMap(of -> runs(entry, of)))
            .flatMap(run -> Stream.ofNullable(run.tookNs() == null ? run.figure("process_ns") : (Double) (double) run.tookNs()))
            .mapToDouble(Double::doubleValue)
            .average()
            .orElse(0);
    return mean > 0 ? OptionalLong.of(Math.round(mean)) : OptionalLong.empty();
  }

  private static Stream<StepRun> runs(Ledger.Entry entry, Claim.Step step) {
    return entry.runs().stream().filter(run -> run.step().equals(step.name()));
  }

  private static boolean alike(Claim.Step one, Claim.Step other) {
    return one.language() == other.language()
        && one.workload().equals(other.workload())
        && one.jvm().equals(other.jvm())
        && one.env().equals(other.env());
  }
}
