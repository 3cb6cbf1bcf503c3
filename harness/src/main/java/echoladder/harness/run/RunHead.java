package echoladder.harness.run;

import echoladder.harness.doctor.HostLimits;
import echoladder.harness.host.Fleet;
import echoladder.harness.probe.GapMeter;
import echoladder.harness.results.DoctorRecord;
import echoladder.harness.results.LogRecord;
import echoladder.harness.results.ProgramHashes;
import echoladder.harness.results.ResumedRecord;
import echoladder.harness.results.RungRecord;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
 * @param logs of those, as they were recorded
 */
public record RunHead(
    String startedAt,
    String reproduce,
    HostLimits host,
    Map<String, @Nullable Object> environment,
    List<ResumedRecord> resumed,
    List<RungRecord> kept,
    Map<String, LogRecord> logs) {
  public RunHead {
    logs = Map.copyOf(logs);
    resumed = List.copyOf(resumed);
    kept = List.copyOf(kept);
  }

  /**
   * Of a run that begins now; looks at the environment, which takes a fraction of a second.
   *
   * @param programs by {@link MeasuredPrograms}
   * @param gaps by {@link GapMeter}; null = they were not looked at
   */
  public static RunHead begin(
      String reproduce, Preparation prepared, Map<String, Map<String, String>> programs, @Nullable Map<String, Object> gaps) {
    Map<String, @Nullable Object> environment = new LinkedHashMap<>(prepared.setup().environment());
    environment.put(ProgramHashes.KEY, programs);
    environment.put("gaps", gaps);
    List<DoctorRecord> doctor = new ArrayList<>(DoctorRecord.of(prepared.plan().examinations()));
    Fleet hosts = prepared.setup().hosts();
    if (hosts != null) {
      int most = Collections.max(prepared.setup().study().rungs());
      doctor.addAll(DoctorRecord.ofHosts(hosts.examinations(Math.ceilDiv(most, hosts.clientHosts().size()))));
    }
    environment.put("doctor", doctor);
    return new RunHead(Instant.now().toString(), reproduce, prepared.host(), environment, List.of(), List.of(), Map.of());
  }
}
