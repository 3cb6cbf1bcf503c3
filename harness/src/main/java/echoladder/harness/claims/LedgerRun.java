package echoladder.harness.claims;

import echoladder.harness.claims.Claim.Effort;
import echoladder.harness.common.Checkout;
import echoladder.harness.results.Environment;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord.Status;
import echoladder.harness.run.StopSignal;
import java.io.IOException;
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
  private final StepProcess steps;
  private final Map<String, @Nullable Object> environment;
  private final String startedAt = Instant.now().toString();

  /** Of these claims of a file, into a folder. */
  public LedgerRun(
      Checkout checkout,
      ClaimsFile file,
      List<Claim> claims,
      Effort effort,
      RunFolder folder,
      StopSignal stop,
      String reproduce) {
    this.file = file;
    this.claims = List.copyOf(claims);
    this.effort = effort;
    this.folder = folder;
    this.stop = stop;
    this.reproduce = reproduce;
    this.steps = new StepProcess(new Workloads(checkout, file.memoryBytes(), file.timeNs()), stop);
    this.environment = Environment.read(checkout);
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
      System.err.printf("ladder: %s: %s%n", claim.id(), entry.outcome().words());
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
        entries);
  }

  private Ledger.Entry measure(Claim claim) throws IOException {
    String missing = Needed.missing(claim, file.memoryBytes());
    if (missing != null) {
      return new Ledger.Entry(claim, Outcome.cannot(missing), List.of());
    }
    List<Claim.Step> all = claim.steps().stream().filter(s -> s.args().containsKey(effort)).toList();
    if (all.isEmpty()) {
      return new Ledger.Entry(claim, Outcome.cannot("it takes too long for a quick run"), List.of());
    }
    List<StepRun> runs = new ArrayList<>();
    int repeats = effort == Effort.QUICK ? 1 : claim.repeats();
    for (int repeat = 1; repeat <= repeats; repeat++) {
      for (Claim.Step step : all) {
        if (stop.requested()) {
          return new Ledger.Entry(claim, Outcome.cannot("interrupted before all of it was run"), runs);
        }
        System.err.printf("ladder:   %s, repeat %d of %d%n", step.name(), repeat, repeats);
        runs.add(run(claim, step, repeat));
      }
    }
    return new Ledger.Entry(claim, Evaluation.of(claim.rules(), runs), runs);
  }

  private StepRun run(Claim claim, Claim.Step step, int repeat) throws IOException {
    try {
      return steps.run(step, effort, repeat, folder.file(claim.id() + ".log"));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while " + step.name() + " ran", e);
    }
  }
}
