package echoladder.harness.engine;

import echoladder.harness.capacity.Capacities;
import echoladder.harness.capacity.CapacityEnds;
import echoladder.harness.judgement.EndedClimbs;
import echoladder.harness.judgement.FloorComparison;
import echoladder.harness.judgement.HostSpeeds;
import echoladder.harness.judgement.StopRule;
import echoladder.harness.plan.Rung;
import echoladder.harness.results.AttachedRecord;
import echoladder.harness.results.CapacityRecord;
import echoladder.harness.results.Instrument;
import echoladder.harness.results.LogRecord;
import echoladder.harness.results.ProfileRecord;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungKey;
import echoladder.harness.results.RungRecord.Status;
import echoladder.harness.results.RungRecord;
import echoladder.harness.results.RungRepeats;
import echoladder.harness.run.RunContext;
import echoladder.harness.run.RunHead;
import echoladder.harness.run.ServerUnderTest;
import echoladder.harness.server.Attachment;
import echoladder.harness.study.Study;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The run as far as it has come: its rungs, their logs, and run.json, which is replaced after each rung. One thread.
 */
final class RunSoFar {
  private final Study study;
  private final RunHead head;
  private final RunContext context;
  private final List<ServerUnderTest> contenders;
  private final EndedClimbs ended;
  private final Consumer<RunRecord> written;
  private final List<RungRecord> records = new ArrayList<>();
  private final List<ProfileRecord> profiles;
  private final Map<String, LogRecord> logs;

  /**
   * With no rung yet.
   *
   * @param written is told of the run each time that it was written
   */
  RunSoFar(RunHead head, RunContext context, Consumer<RunRecord> written) {
    this.study = context.setup().study();
    this.head = head;
    this.context = context;
    this.contenders = context.setup().contenders();
    this.ended = new EndedClimbs(study);
    this.written = written;
    this.logs = new TreeMap<>(head.logs());
    this.profiles = new ArrayList<>(head.profiles());
  }

  /** Its rungs, in the order that they were added in. */
  List<RungRecord> records() {
    return Collections.unmodifiableList(records);
  }

  void add(RungRecord record) {
    records.add(record);
  }

  /** The extra repeats that it has, those of before it was resumed too. */
  List<ProfileRecord> profiles() {
    return Collections.unmodifiableList(profiles);
  }

  /** An extra repeat, which is none of the rungs. */
  void add(ProfileRecord record) {
    profiles.add(record);
  }

  /** Puts a later try in the place of the one of that key. */
  void replace(RungKey key, RungRecord next) {
    records.replaceAll(record -> record.key().equals(key) ? next : record);
  }

  /** Its rungs with what follows from the others: the speed of the host. */
  List<RungRecord> compared() {
    return HostSpeeds.of(records);
  }

  /** What it shows of a server may end that server's climb, see {@link EndedClimbs}. */
  void end(RungRecord record) {
    StopRule.Why why = record.driftCheck() ? null : StopRule.at(RungRepeats.with(record, records), study);
    if (why != null) {
      ended.add(record.key(), why);
    }
  }

  /** Why the climb of a rung's server ended before that rung; null where it goes on. */
  StopRule.@Nullable Why ended(RungKey rung) {
    return ended.of(rung);
  }

  /** Why a climb ended before that rung, in words, also where capacities are searched; null where it goes on. */
  @Nullable String whyEnded(Rung rung) {
    StopRule.Why why = ended.of(rung.key());
    return why != null ? why.reason()
        : study.capacity() == null ? null : CapacityEnds.before(rung.label(), Capacities.of(study, records, Map.of()));
  }

  /** Writes the environment, and what is kept: that stands in run.json at every moment, also where a rung is missing between. */
  void begin() throws IOException {
    context.folder().writeEnvironment(head.environment());
    records.addAll(head.kept());
    write(RunRecord.Status.RUNNING);
    records.clear();
  }

  /** What run.json names is on the disk before run.json is: else a power cut leaves a rung without its histograms. */
  void settle(Rung rung, RungRecord record) throws IOException {
    if (record.status() != Status.MEASURED) {
      return;
    }
    context.folder().settle(rung.key().stem(study.repeats(), record.number()));
    context.samples().settle();
    if (record.histograms() != null) {
      logs.put(record.histograms(), LogRecord.of(context.folder().files(), record.histograms()));
    }
  }

  /** Writes run.json, and gives the run as it stands there. */
  RunRecord write(RunRecord.Status status) throws IOException {
    Map<String, String> floors =
        FloorComparison.floors(study, references(), label -> context.setup().contender(label).protocol());
    List<RungRecord> compared = FloorComparison.of(compared(), floors);
    List<CapacityRecord> capacity = Capacities.of(study, records, floors);
    RunRecord run =
        new RunRecord(
            RunRecord.SCHEMA_VERSION,
            Instrument.VERSION,
            context.folder().runId(),
            status,
            head.startedAt(),
            status == RunRecord.Status.RUNNING ? null : Instant.now().toString(),
            head.reproduce(),
            study,
            context.setup().clientCommand(),
            context.setup().recorded(),
            attached(context.setup().attached()),
            head.host(),
            head.environment(),
            context.setup().sources(),
            head.resumed(),
            compared,
            logs,
            study.capacity() == null
                ? StopRule.climbs(study, compared, context.stop().requested())
                : CapacityEnds.climbs(study, compared, capacity, context.stop().requested()),
            capacity,
            profiles,
            head.unitCosts());
    context.folder().write(run);
    written.accept(run);
    return run;
  }

  private static @Nullable AttachedRecord attached(@Nullable Attachment server) {
    return server == null
        ? null
        : new AttachedRecord(
            server.target().toString(), server.metrics().toString(), server.sameHost(), server.allowed(), server.push());
  }

  private Set<String> references() {
    return contenders.stream()
        .filter(contender -> contender.manifest().reference())
        .map(contender -> contender.entry().label())
        .collect(Collectors.toSet());
  }
}
