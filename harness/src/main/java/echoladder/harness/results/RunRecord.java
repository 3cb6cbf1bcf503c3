package echoladder.harness.results;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import echoladder.harness.doctor.HostLimits;
import echoladder.harness.lab.LabMark;
import echoladder.harness.study.Study;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * run.json: everything a report needs. Its schema is docs/run.schema.json.
 *
 * @param schemaVersion 1
 * @param instrumentVersion what it was measured by, see {@link Instrument}; 0 = not recorded, as of an older run
 * @param runId name of the folder
 * @param status whether it came to its end
 * @param startedAt ISO 8601, UTC
 * @param endedAt null while it runs
 * @param reproduce the command that does it again
 * @param study with every default filled in
 * @param clientCommand how the client's process was started, without machine-specific parts
 * @param servers of the study, in its order
 * @param attached the server of somebody else that was climbed; null = servers were started here
 * @param host what the plan took as this host's limits
 * @param environment the same as environment.json
 * @param sourceAddresses that the user had the client connect from; none = its choice
 * @param resumed each time that it was taken up again, the first first; none = it went through in one
 * @param rungs in the order of the plan; those not reached yet are missing while the run is under way
 * @param logs interval logs by the names of their files; one that was written before this was recorded is not among them
 * @param climbs one per server
 * @param capacity of a study that searches capacities, one per server and connection count; none of any other
 * @param profiles extra repeats in which a profiler watched, which are none of the rungs; none of a study without
 * @param unitCosts what one of each thing costs on this host, measured apart; null = it was not asked
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record RunRecord(
    int schemaVersion,
    @JsonInclude(JsonInclude.Include.NON_DEFAULT) int instrumentVersion,
    String runId,
    Status status,
    String startedAt,
    @Nullable String endedAt,
    String reproduce,
    Study study,
    List<String> clientCommand,
    List<ServerRecord> servers,
    @Nullable AttachedRecord attached,
    HostLimits host,
    Map<String, @Nullable Object> environment,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> sourceAddresses,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<ResumedRecord> resumed,
    List<RungRecord> rungs,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, LogRecord> logs,
    List<ClimbRecord> climbs,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<CapacityRecord> capacity,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<ProfileRecord> profiles,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable UnitCostsRecord unitCosts) {

  public RunRecord {
    sourceAddresses = List.copyOf(Objects.requireNonNullElse(sourceAddresses, List.of()));
    resumed = List.copyOf(Objects.requireNonNullElse(resumed, List.of()));
    logs = new TreeMap<>(Objects.requireNonNullElse(logs, Map.of()));
    capacity = List.copyOf(Objects.requireNonNullElse(capacity, List.of()));
    profiles = List.copyOf(Objects.requireNonNullElse(profiles, List.of()));
  }

  /** The capacity search of a server at that many connections; empty where there is none. */
  public Optional<CapacityRecord> search(String label, int connections) {
    return capacity.stream().filter(row -> row.server().equals(label) && row.connections() == connections).findFirst();
  }

  /** This record with those rungs alone. */
  public RunRecord with(List<RungRecord> some) {
    return new RunRecord(
        schemaVersion, instrumentVersion, runId, status, startedAt, endedAt, reproduce, study, clientCommand, servers, attached, host,
        environment, sourceAddresses, resumed, some, logs, climbs, capacity, profiles, unitCosts);
  }

  /** Whether servers and clients ran on hosts of their own. */
  public boolean overHosts() {
    return environment.get(Environment.HOSTS) instanceof Map<?, ?>;
  }

  /** Whether these are one machine, and its kernel that of server and clients. */
  public boolean onOneKernel() {
    return Boolean.TRUE.equals(environment.get(LabMark.ONE_KERNEL));
  }

  /** The hosts of a run over several that are in that group of the inventory; none of any other run. */
  public List<String> hostsIn(String group) {
    if (!(environment.get(Environment.HOSTS) instanceof Map<?, ?> hosts)) {
      return List.of();
    }
    return hosts.entrySet().stream()
        .filter(host -> host.getValue() instanceof Map<?, ?> of && group.equals(of.get("group")))
        .map(host -> String.valueOf(host.getKey()))
        .toList();
  }

  /** The instrument by which it may be compared with others. */
  public int instrument() {
    return Math.max(Instrument.UNRECORDED, instrumentVersion);
  }

  /** The version this code writes and reads. */
  public static final int SCHEMA_VERSION = 1;

  /** Where a run stands. */
  public enum Status {
    /** Under way, or killed. */
    @JsonProperty("running")
    RUNNING,
    /** Every rung was climbed or has a reason why not. */
    @JsonProperty("complete")
    COMPLETE,
    /** Stopped by a signal. */
    @JsonProperty("interrupted")
    INTERRUPTED
  }

  /**
   * A server of the study.
   *
   * @param label in this study
   * @param name of its server.yaml
   * @param role contender or reference
   * @param options in force, defaults included; null = not known, as somebody else started it
   * @param readsPerMessage at least, where its buffer is smaller than a message; null = one is enough, or that is not known
   * @param own what the command line said of it; null = it is a server that has a server.yaml
   */
  @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
  public record ServerRecord(
      String label,
      String name,
      String title,
      String role,
      String runtime,
      @Nullable Map<String, String> options,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Long readsPerMessage,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable OwnRecord own) {}

  /** Its server of that label; empty where there is none. */
  public Optional<ServerRecord> server(String label) {
    return servers.stream().filter(server -> server.label().equals(label)).findFirst();
  }

  /**
   * Whether it came out as it should: every capacity that was searched found, every rung within reach valid or saturated, or,
   * where the study expects a server's climb to end
   * at a limit, that limit named by the verdict and by the doctor.
   */
  public boolean asExpected() {
    if (study.capacity() != null) {
      return status == Status.COMPLETE && !capacity.isEmpty() && capacity.stream().allMatch(CapacityRecord::told);
    }
    List<NamedLimit> named = NamedLimit.of(this);
    if (named.isEmpty()) {
      return allTold();
    }
    Set<String> expecting = named.stream().map(NamedLimit::label).collect(Collectors.toSet());
    return status == Status.COMPLETE
        && named.stream().allMatch(NamedLimit::right)
        && rungs.stream().filter(r -> !expecting.contains(r.server())).allMatch(RungRecord::told);
  }

  /** Whether every rung within reach gave a result, and no server ended for a cause that nobody knows. */
  private boolean allTold() {
    return status == Status.COMPLETE
        && rungs.stream().filter(r -> r.status() == RungRecord.Status.MEASURED && !r.driftCheck()).allMatch(RungRecord::told)
        && rungs.stream().noneMatch(r -> r.status() == RungRecord.Status.CLIENT_MISSING)
        && rungs.stream().anyMatch(RungRecord::told)
        && climbs.stream().noneMatch(climb -> climb.end() == ClimbRecord.End.SERVER_FAILED && climb.limit() == null);
  }
}
