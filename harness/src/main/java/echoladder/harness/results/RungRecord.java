package echoladder.harness.results;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import echoladder.client.LoadResult;
import echoladder.client.Reason;
import echoladder.client.ReasonCode;
import echoladder.client.figures.StagedFigures;
import echoladder.harness.limits.MetLimit;
import echoladder.harness.metric.Figures;
import echoladder.harness.metric.MeasuredRung;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * One server at one connection count and rate, once, as run.json keeps it. The figures of the load stand among the others, under the
 * names that {@code load --json} uses.
 *
 * @param planned which rung of the plan it is
 * @param status whether it was measured
 * @param statusReason why it was not, null where it was
 * @param startedAt ISO 8601, null where not measured
 * @param seconds from start to stop of the server, null where not measured
 * @param process what was started and what it said, null where no server got ready
 * @param load the client's figures with the verdict of the whole rung; null where not measured
 * @param figures what the harness measured beside the client; none where not measured
 * @param histograms file of the interval log, null where there is none
 * @param staged the figures of users in stages; null of any other load
 * @param setAside what speaks against some figures and not against the rung: noise; in a lab all that speaks against times, rates and
 *     CPU alone; null = nothing
 * @param limits what it showed of limits; null where no server was started here
 * @param attempt how it came to be measured; null where it was not, or was before this was recorded
 * @param hosts what each host of a run over several showed by itself; null = both ends were on one, or on hosts of others
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record RungRecord(
    @JsonUnwrapped Planned planned,
    Status status,
    @Nullable String statusReason,
    @Nullable String startedAt,
    @Nullable Double seconds,
    @Nullable Started process,
    @JsonUnwrapped @Nullable LoadResult load,
    @JsonUnwrapped Figures figures,
    @Nullable String histograms,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable StagedFigures staged,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable List<Reason> setAside,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable LimitsRecord limits,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Attempt attempt,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable List<RungHost> hosts)
    implements MeasuredRung {
  /**
   * A rung as the plan has it.
   *
   * @param server its label in the study
   * @param connections of the rung
   * @param repeat which of the study's repeats, from 1; a run from before repeats had one
   * @param ratePerS offered
   * @param stand its place in its stand; null where its server has one rate at that connection count
   */
  @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
  public record Planned(
      String server, int connections, int repeat, double ratePerS, @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable StandPlace stand) {
    public Planned {
      repeat = Math.max(1, repeat);
    }
  }

  /** What became of a planned rung. */
  public enum Status {
    /** It was climbed; the verdict says what that is worth. */
    @JsonProperty("measured")
    MEASURED,
    /** This host cannot carry it, by its limits. */
    @JsonProperty("out-of-reach")
    OUT_OF_REACH,
    /** The load tool that the study names for it is not on this host. */
    @JsonProperty("client-missing")
    CLIENT_MISSING,
    /** The climb of this server, or the run, had ended before. */
    @JsonProperty("not-attempted")
    NOT_ATTEMPTED
  }

  /**
   * A server that got ready.
   *
   * @param command its argv, without machine-specific parts
   * @param metricsPort of its page; null = it has none
   * @param config of its ready line, none where it has none
   * @param sysctl what the kernel said, once it was ready, of the settings that its entry asks for; none where it asks for none
   */
  @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
  public record Started(
      List<String> command, long pid, int port, @Nullable Integer metricsPort, double readySeconds, Map<String, @Nullable Object> config,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, String> sysctl) {
    public Started {
      // Runs of before there was such a field have none.
      sysctl = sysctl == null ? Map.of() : new TreeMap<>(sysctl);
    }

    /** One whose entry asks for no settings. */
    public Started(
        List<String> command, long pid, int port, @Nullable Integer metricsPort, double readySeconds, Map<String,
        @Nullable Object> config) {
      this(command, pid, port, metricsPort, readySeconds, config, Map.of());
    }
  }

  public RungRecord {
    // An absent group of unwrapped fields is read as one of nulls.
    load = load == null || absent(load.client()) ? null : load;
    figures = absent(figures) ? Figures.NONE : figures;
  }

  private static boolean absent(@Nullable Object component) {
    return component == null;
  }

  /** A rung that was not climbed. */
  public static RungRecord notMeasured(Planned planned, Status status, String why) {
    return new RungRecord(planned, status, why, null, null, null, null, Figures.NONE, null, null, null, null, null, null);
  }

  /** Its server's label in the study. */
  public String server() {
    return planned.server;
  }

  /** To hold. */
  public int connections() {
    return planned.connections;
  }

  /** Which of the study's repeats, from 1. */
  public int repeat() {
    return planned.repeat;
  }

  @Override
  public double ratePerS() {
    return planned.ratePerS;
  }

  /** Its place in its stand; null where its server has one rate at that connection count. */
  public @Nullable StandPlace stand() {
    return planned.stand;
  }

  /** What tells it from all others of its run. */
  public RungKey key() {
    return RungKey.of(planned.server, planned.connections, planned.ratePerS, planned.repeat, planned.stand);
  }

  /** Whether it is the check for drift at the end of a stand. */
  public boolean driftCheck() {
    return planned.stand != null && planned.stand.driftCheck();
  }

  /** Whether it was measured and may be quoted. */
  public boolean valid() {
    return load != null && load.valid();
  }

  /** Whether it was measured, and showed that this load cannot be carried here. */
  public boolean saturated() {
    return load != null && load.saturated();
  }

  /** Whether it gave a result: valid, or that this load cannot be carried here. */
  boolean told() {
    return valid() || saturated();
  }

  /** The limit that comes first in the chain of causes; null where none was seen. */
  public @Nullable MetLimit met() {
    return limits == null || limits.met().isEmpty() ? null : limits.met().getFirst();
  }

  /** Whether that is among its reasons. */
  public boolean has(ReasonCode reason) {
    return load != null && load.verdictReasons().stream().anyMatch(d -> d.reason() == reason);
  }

  /** This rung with other figures, which have the floor's rung to compare with. */
  public RungRecord with(Figures others) {
    return with(others, attempt);
  }

  private RungRecord with(Figures others, @Nullable Attempt how) {
    return new RungRecord(
        planned, status, statusReason, startedAt, seconds, process, load, others, histograms, staged, setAside, limits, how, hosts);
  }

  @Override
  public List<Reason> aside() {
    return setAside == null ? List.of() : setAside;
  }

  /** Which try it is, from 1. */
  public int number() {
    return attempt == null ? 1 : attempt.number();
  }

  /** The other tries of its rung, in the order in which they were made; none where it was measured once. */
  public List<RungRecord> excluded() {
    return attempt == null ? List.of() : attempt.excluded();
  }

  /** All tries of its rung, in the order in which they were made, as the next one excludes them. */
  public List<RungRecord> tries() {
    List<RungRecord> all = new ArrayList<>(excluded());
    all.add(alone());
    all.sort(Comparator.comparingInt(RungRecord::number));
    return all;
  }

  /** This one, which stays the record of its rung, with a later try among those excluded. */
  public RungRecord beside(RungRecord later) {
    Attempt own = attempt == null ? new Attempt(1, null, null, List.of()) : attempt;
    return with(figures, own.with(later.alone()));
  }

  private RungRecord alone() {
    return with(figures, attempt == null ? null : attempt.withoutExcluded());
  }
}
