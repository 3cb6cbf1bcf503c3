package echoladder.harness.claims;

import echoladder.harness.claims.Claim.Effort;
import echoladder.harness.common.Checkout;
import echoladder.harness.common.Jdks;
import echoladder.harness.results.Environment;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord.Status;
import echoladder.harness.run.StopSignal;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Runs claims one after the other. The ledger is on the disk after each of them. */
public final class LedgerRun {
  private final ClaimsFile file;
  private final List<Claim> claims;
  private final Effort effort;
  private final RunFolder folder;
  private final StopSignal stop;
  private final String reproduce;
  private final Jdks jdks;
  private final Workloads workloads;
  private final StepProcess processes;
  private final StepClimb climbs;
  private final Map<String, @Nullable Object> environment;
  private final @Nullable Earlier earlier;
  private final String startedAt = Instant.now().toString();

  /**
   * What is to be measured.
   *
   * @param file that has the claims
   * @param claims of the file, in the order in which they are run
   * @param reproduce the command that does it again
   */
  public record Order(ClaimsFile file, List<Claim> claims, Effort effort, String reproduce) {
    public Order {
      claims = List.copyOf(claims);
    }
  }

  /** Runs what was ordered, into a folder. */
  public LedgerRun(Checkout checkout, Order order, Jdks jdks, RunFolder folder, StopSignal stop) {
    this.file = order.file();
    this.claims = order.claims();
    this.effort = order.effort();
    this.reproduce = order.reproduce();
    this.folder = folder;
    this.stop = stop;
    this.jdks = jdks;
    this.workloads = new Workloads(checkout, file.memoryBytes(), file.timeNs(), jdks);
    this.processes = new StepProcess(workloads, stop);
    this.climbs = new StepClimb(checkout, file.climbs(), folder, file.timeNs(), stop);
    this.environment = Environment.read(checkout);
    this.earlier = Earlier.of(ClaimPages.of(checkout).ledgers(), effort == Effort.QUICK, claims);
  }

  /**
   * Runs them all, or those until the signal to stop.
   *
   * @throws IOException where the folder cannot be written, or a workload is not there
   */
  public Ledger run() throws IOException {
    folder.writeEnvironment(environment);
    List<Ledger.Entry> entries = new ArrayList<>();
    for (Claim claim : claims) {
      if (stop.requested()) {
        break;
      }
      System.err.printf("ladder: claim %d of %d, %s%n", entries.size() + 1, claims.size(), claim.id());
      Ledger.Entry entry = measure(claim);
      String reason = entry.outcome().reason();
      System.err.printf("ladder: %s: %s%s%n", claim.id(), entry.words(), reason == null ? "" : ": " + reason);
      entries.add(entry);
      LedgerFiles.write(folder, ledger(entries, Status.RUNNING));
    }
    Ledger ledger = ledger(entries, stop.requested() ? Status.INTERRUPTED : Status.COMPLETE);
    LedgerFiles.write(folder, ledger);
    return ledger;
  }

  private Ledger ledger(List<Ledger.Entry> entries, Status status) {
    return new Ledger(
        Ledger.SCHEMA_VERSION,
        folder.runId(),
        status,
        startedAt,
        status == Status.RUNNING ? null : Instant.now().toString(),
        reproduce,
        file.question(),
        effort == Effort.QUICK,
        file.memoryBytes(),
        environment,
        file.sentences().stream().filter(sentence -> sentence.isOf(claims)).toList(),
        earlier,
        entries,
        claims.stream().map(Claim::id).skip(entries.size()).toList());
  }

  private Ledger.Entry measure(Claim claim) throws IOException {
    String missing = Needed.missing(claim, file.memoryBytes(), jdks);
    for (Claim.Step step : claim.steps()) {
      missing = missing == null ? workloads.unfit(step) : missing;
    }
    if (missing != null) {
      return new Ledger.Entry(claim, ClaimOutcome.cannot(missing), List.of());
    }
    List<Claim.Step> all = claim.steps().stream().filter(s -> s.args().containsKey(effort)).toList();
    List<StepRun> runs = new ArrayList<>(StepRun.stated(claim));
    if (all.isEmpty() && runs.isEmpty()) {
      return new Ledger.Entry(claim, ClaimOutcome.cannot("it takes too long for a quick run"), List.of());
    }
    Repeats repeats = new Repeats(effort, claim);
    long begun = System.nanoTime();
    for (int repeat = 1; !all.isEmpty() && repeats.again(repeat, System.nanoTime() - begun); repeat++) {
      for (Claim.Step step : all) {
        if (stop.requested()) {
          return new Ledger.Entry(claim, ClaimOutcome.cannot("interrupted before all of it was run"), runs);
        }
        System.err.printf("ladder:   %s, repeat %d%n", step.name(), repeat);
        runs.add(run(claim, step, repeat));
      }
    }
    return new Ledger.Entry(claim, Evaluation.of(claim.rules(), claim.beside(), runs), runs);
  }

  private StepRun run(Claim claim, Claim.Step step, int repeat) throws IOException {
    try {
      Path log = folder.file(claim.id() + ".log");
      long begun = System.nanoTime();
      StepRun run =
          step.language() == Claim.Language.LADDER
              ? climbs.run(claim, step, effort, repeat, log)
              : processes.run(step, effort, repeat, log);
      return run.took(System.nanoTime() - begun);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while " + step.name() + " ran", e);
    }
  }
}
