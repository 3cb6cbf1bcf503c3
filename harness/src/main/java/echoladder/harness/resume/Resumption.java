package echoladder.harness.resume;

import echoladder.client.ReasonCode;
import echoladder.harness.common.Refusal;
import echoladder.harness.plan.Plan;
import echoladder.harness.plan.Rung;
import echoladder.harness.plan.SearchPlan;
import echoladder.harness.report.samples.WholeLog;
import echoladder.harness.report.table.EnvironmentRows;
import echoladder.harness.results.Instrument;
import echoladder.harness.results.LogRecord;
import echoladder.harness.results.ProfileRecord;
import echoladder.harness.results.ProgramHashes;
import echoladder.harness.results.ResumedRecord.Difference;
import echoladder.harness.results.ResumedRecord;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord.ServerRecord;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord.Status;
import echoladder.harness.results.RungRecord;
import echoladder.harness.run.RunHead;
import echoladder.harness.run.RunSetup;
import echoladder.harness.run.Testbed;
import echoladder.linux.process.Starter;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A run that is taken up again: the rungs that it has are kept, valid or not, and the others are climbed as if it had
 * never ended. One that was stopped in the middle is climbed again from its beginning.
 *
 * @param folder of the run
 * @param run as it stands there
 * @param differences what is not as it was when it began, none of which makes rungs incomparable
 */
public record Resumption(RunFolder folder, RunRecord run, List<Difference> differences) {
  public Resumption {
    differences = List.copyOf(differences);
  }

  /** See {@link Orphans}. */
  public static void endOrphans(@Nullable Starter harness, Consumer<String> notes) {
    Orphans.end(harness, notes);
  }

  /**
   * Compares what is with what was.
   *
   * @param setup what would be climbed now
   * @param programs hashes of what runs now
   * @throws Refusal (bad usage) where what would be measured now could not stand beside what was
   */
  public static Resumption of(
      RunSetup setup, RunFolder folder, RunRecord run, Map<String, Map<String, String>> programs) {
    List<Difference> differences = new ArrayList<>();
    Map<String, @Nullable Object> now = new LinkedHashMap<>(Testbed.of(setup).environment());
    boolean hashed = run.environment().containsKey(ProgramHashes.KEY);
    if (hashed) {
      now.put(ProgramHashes.KEY, programs);
    }
    differences.addAll(Comparability.differences(run.environment(), now));
    add(differences, "client", String.join(" ", run.clientCommand()), String.join(" ", setup.clientCommand()));
    List<ServerRecord> servers = setup.recorded();
    for (ServerRecord was : run.servers()) {
      Optional<ServerRecord> is = servers.stream().filter(server -> server.label().equals(was.label())).findFirst();
      add(differences, "server." + was.label(), was.toString(), is.map(ServerRecord::toString).orElse("not there"));
    }
    List<String> against = new ArrayList<>(Comparability.against(differences));
    if (run.instrument() != Instrument.VERSION) {
      against.add(
          "it was begun with instrument version %d, and this ladder measures by %d: their figures do not mean one thing"
              .formatted(run.instrument(), Instrument.VERSION));
    }
    if (!hashed) {
      against.add(
          ("its record is of a ladder that kept no hashes of what ran: libraries, binaries, JDKs and the variables that they heed cannot"
              + " be compared; the ladder of its commit (%s) can go on with it")
              .formatted(EnvironmentRows.commit(run.environment())));
    }
    if (!against.isEmpty()) {
      throw Refusal.badUsage(
          ("the run in %s cannot be resumed, as its further rungs could not stand beside those it has:\n%s\nPut that back as it was, or"
              + " begin anew: %s")
              .formatted(folder.dir(), String.join("\n", against), run.reproduce()));
    }
    return new Resumption(folder, run, differences);
  }

  private static void add(List<Difference> to, String name, String begun, String now) {
    if (!begun.equals(now)) {
      to.add(new Difference(name, begun, now));
    }
  }

  /** Whether a rung of the record stays as it is. */
  private static boolean stays(RungRecord rung) {
    return rung.status() != Status.NOT_ATTEMPTED && !rung.has(ReasonCode.INTERRUPTED) && !rung.has(ReasonCode.HOST_LOST);
  }

  /**
   * Removes what rungs that are climbed again have left. From here on the folder is changed.
   *
   * @param plan of the same study
   */
  public Begun begin(Plan plan) throws IOException {
    Leftovers leftovers = new Leftovers(folder);
    leftovers.checkColumns();
    List<RungRecord> stay = new ArrayList<>();
    List<String> measuredAgain = new ArrayList<>();
    for (RungRecord rung : run.rungs().stream().filter(Resumption::stays).toList()) {
      Optional<String> damage = WholeLog.damage(folder, run, rung);
      damage.ifPresentOrElse(why -> measuredAgain.add(rung.histograms() + ": " + why), () -> stay.add(rung));
    }
    if (run.study().capacity() != null) {
      dropAfterGaps(plan, stay, measuredAgain);
    }
    List<Rung> known = SearchPlan.known(run.study(), plan, stay);
    List<RungRecord> kept =
        known.stream().flatMap(rung -> stay.stream().filter(rung::isOf).limit(1)).toList();
    if (kept.size() != stay.size()) {
      throw Refusal.badUsage(
          ("the run in %s has rungs that this ladder would not climb for its study: another version of it has begun this run; resume it"
              + " with that one, or begin anew: %s")
              .formatted(folder.dir(), run.reproduce()));
    }
    List<Rung> all =
        Stream.of(known, SearchPlan.known(run.study(), plan, run.rungs()), plan.profiled()).flatMap(List::stream).distinct().toList();
    List<ProfileRecord> profiles =
        run.profiles().stream().filter(of -> stays(of.rung()) && plan.profiled().stream().anyMatch(rung -> rung.isOf(of.rung()))).toList();
    List<RungRecord> files = Stream.concat(kept.stream(), profiles.stream().map(ProfileRecord::rung)).toList();
    List<String> discarded = leftovers.removeFiles(all, files, run.study().repeats());
    double seconds = Math.max(leftovers.keepSamples(files), sinceBegun());
    List<ResumedRecord> resumed = new ArrayList<>(run.resumed());
    resumed.add(new ResumedRecord(Instant.now().toString(), kept.size(), discarded, measuredAgain, differences));
    Map<String, LogRecord> logs = new LinkedHashMap<>(run.logs());
    logs.keySet()
        .retainAll(
            files.stream().flatMap(rung -> rung.tries().stream()).map(RungRecord::histograms).filter(Objects::nonNull).toList());
    RunHead head =
        new RunHead(run.startedAt(), run.reproduce(), run.host(), run.environment(), resumed, kept, profiles, logs, run.unitCosts());
    return new Begun(head, System.nanoTime() - (long) (seconds * 1e9), measuredAgain);
  }

  /** What a search tried after a try that is missing does not follow from those before. */
  private void dropAfterGaps(Plan plan, List<RungRecord> stay, List<String> measuredAgain) {
    List<Rung> known = SearchPlan.known(run.study(), plan, stay);
    List<RungRecord> dropped = stay.stream().filter(record -> known.stream().noneMatch(rung -> rung.isOf(record))).toList();
    if (!measuredAgain.isEmpty()) {
      stay.removeAll(dropped);
      dropped.forEach(record -> measuredAgain.add(record.histograms() + ": its search tries an earlier rate again"));
    }
  }

  private double sinceBegun() {
    return Duration.between(Instant.parse(run.startedAt()), Instant.now()).toMillis() / 1e3;
  }

  /**
   * What a climb goes on from.
   *
   * @param head of its record
   * @param startNs CLOCK_MONOTONIC as it was, or would have been, when the run began
   * @param measuredAgain rungs that had been measured and whose interval logs are no longer whole, each with why
   */
  public record Begun(RunHead head, long startNs, List<String> measuredAgain) {
    public Begun {
      measuredAgain = List.copyOf(measuredAgain);
    }
  }

  /** The memory of the lab that the run was made in; null = it was made in none. */
  public static @Nullable Long labMemory(RunRecord run) {
    return run.environment().get("lab") instanceof Map<?, ?> lab && lab.get("memory_bytes") instanceof Number bytes
        ? (Long) bytes.longValue()
        : null;
  }
}
