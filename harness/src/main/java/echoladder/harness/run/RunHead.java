package echoladder.harness.run;

import echoladder.harness.breakdown.UnitCosts;
import echoladder.harness.doctor.HostLimits;
import echoladder.harness.lab.LabMark;
import echoladder.harness.probe.GapMeter;
import echoladder.harness.results.DoctorRecord;
import echoladder.harness.results.LogRecord;
import echoladder.harness.results.ProfileRecord;
import echoladder.harness.results.ProgramHashes;
import echoladder.harness.results.ResumedRecord;
import echoladder.harness.results.RungRecord;
import echoladder.harness.results.UnitCostsRecord;
import echoladder.harness.study.Breakdown;
import echoladder.harness.study.Study;
import echoladder.linux.ErrorText;
import echoladder.linux.cpu.CpuPlacement;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The head of a run's record. A resumed run keeps its old head and the rungs that it has.
 *
 * @param startedAt ISO 8601, UTC
 * @param reproduce the command that does it again
 * @param host what the plan took as this host's limits
 * @param environment as environment.json
 * @param resumed each time that it was taken up again, this one included
 * @param kept rungs that are not climbed again, in the order of the plan
 * @param profiles extra repeats that are not climbed again
 * @param logs of all of those, as they were recorded
 * @param unitCosts of this host; null = they are not asked
 */
public record RunHead(
    String startedAt,
    String reproduce,
    HostLimits host,
    Map<String, @Nullable Object> environment,
    List<ResumedRecord> resumed,
    List<RungRecord> kept,
    List<ProfileRecord> profiles,
    Map<String, LogRecord> logs,
    @Nullable UnitCostsRecord unitCosts) {
  public RunHead {
    profiles = List.copyOf(profiles);
    logs = Map.copyOf(logs);
    resumed = List.copyOf(resumed);
    kept = List.copyOf(kept);
  }

  /**
   * The head of a run that begins now; looks at the environment, which takes a fraction of a second.
   *
   * @param programs by {@link MeasuredPrograms}
   * @param gaps by {@link GapMeter}; null = they were not looked at
   */
  public static RunHead begin(
      String reproduce, Preparation prepared, Map<String, Map<String, String>> programs, @Nullable Map<String, Object> gaps) {
    Testbed bed = Testbed.of(prepared.setup());
    Map<String, @Nullable Object> environment = new LinkedHashMap<>(bed.environment());
    environment.put(ProgramHashes.KEY, programs);
    environment.put("gaps", gaps);
    List<DoctorRecord> doctor = new ArrayList<>(DoctorRecord.of(prepared.plan().examinations()));
    doctor.addAll(bed.doctorOfOthers(Collections.max(prepared.setup().study().rungs())));
    environment.put("doctor", doctor);
    return new RunHead(Instant.now().toString(), reproduce, prepared.host(), environment, List.of(), List.of(), List.of(), Map.of(), null);
  }

  /**
   * This head with what one of each thing costs on this host, where the study makes a sum of parts; looks at that, which takes
   * seconds.
   *
   * @param said is told how long it takes, or why it cannot be
   */
  public RunHead withUnitCosts(RunSetup setup, Consumer<String> said) {
    Breakdown breakdown = setup.study().breakdown();
    if (breakdown == null || !breakdown.sums() || !Testbed.of(setup).startsServersHere() || LabMark.here() != null) {
      return this;
    }
    Study.Entry first = setup.study().entry(breakdown.chain().getFirst()).orElseThrow();
    CpuPlacement placement = setup.placed(first).placement();
    TreeSet<Double> rates = new TreeSet<>();
    setup.study().rungs().forEach(connections -> rates.addAll(setup.study().load(first).ratesPerS(connections)));
    UnitCostsRecord costs = null;
    try {
      // What wakes a processor is dear or cheap by what it did when it was idle, so here it does what it will.
      IdleProcessors idle = IdleProcessors.of(setup, first);
      costs = UnitCosts.measure(placement == null ? null : placement.server(), List.copyOf(rates), said, said);
      String failure = idle.end();
      if (failure != null) {
        said.accept(failure);
      }
    } catch (IOException e) {
      said.accept("what one of each thing costs is not known: " + ErrorText.of(e));
    }
    return new RunHead(startedAt, reproduce, host, environment, resumed, kept, profiles, logs, costs);
  }
}
