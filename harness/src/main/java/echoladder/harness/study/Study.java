package echoladder.harness.study;

import com.fasterxml.jackson.annotation.JsonInclude;
import echoladder.client.LoadJudge;
import echoladder.harness.limits.KnownLimit;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * What is climbed, under which load, and what counts: a study.yaml with every default filled in. Its values lie within
 * the ranges of docs/study.schema.json.
 *
 * @param name also the folder of its results
 * @param question what it asks
 * @param client the load tool's name, where a server's entry does not name another
 * @param servers at least one, with distinct labels
 * @param rungs connection counts, ascending
 * @param repeats how often each server is measured at each of them, 1 or more; a run from before repeats had one
 * @param lab the throwaway kernel that it needs; null = it is climbed where it is started
 * @param capacity what its searches for the highest rate are like; null = it climbs rungs at rates of its own
 * @param tuned the knobs that its entries set, or that could not be set; none of a study that is of no knobs
 * @param breakdown who is profiled, and which sum is made; null = nothing of that
 * @param budgetNs within which the run ends, from the start of the ladder on: further tries, and in the end rungs, have to fit in; null =
 *     as long as it takes
 * @param failIf conditions on its figures that fail a run, as they were given; none = the verdicts alone decide
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record Study(
    String name,
    String question,
    String client,
    List<Entry> servers,
    List<Integer> rungs,
    int repeats,
    StudyLoad load,
    Phases phases,
    Bounds bounds,
    Thresholds thresholds,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Lab lab,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Capacity capacity,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<TunedKnob> tuned,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Breakdown breakdown,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Long budgetNs,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> failIf) {
  public Study {
    servers = List.copyOf(servers);
    rungs = List.copyOf(rungs);
    repeats = Math.max(1, repeats);
    tuned = tuned == null ? List.of() : List.copyOf(tuned);
    failIf = failIf == null ? List.of() : List.copyOf(failIf);
  }

  /** Whether the run makes a network between client and server for any of them. */
  public boolean networked() {
    return servers.stream().anyMatch(entry -> entry.settings().network() != null);
  }

  /** Whether each of them has a network with that delay or a longer one. */
  public boolean delayed(long leastNs) {
    return servers.stream().map(entry -> entry.settings().network()).allMatch(network -> network != null && network.delayNs() >= leastNs);
  }

  /** The server of that label; empty where the study has none. */
  public Optional<Entry> entry(String label) {
    return servers.stream().filter(entry -> entry.label().equals(label)).findFirst();
  }

  /** Its axes by name with the values that its entries have on them, both in the study's order; none without axes. */
  public Map<String, Set<String>> axes() {
    Map<String, Set<String>> axes = new LinkedHashMap<>();
    for (Entry entry : servers) {
      if (entry.point() != null) {
        entry.point().values().forEach((name, value) -> axes.computeIfAbsent(name, _ -> new LinkedHashSet<>()).add(value));
      }
    }
    return axes;
  }

  /** This study with those of its servers alone whose labels are given. */
  public Study only(Set<String> labels) {
    return with(servers.stream().filter(entry -> labels.contains(entry.label())).toList());
  }

  /** This study with other servers. */
  public Study with(List<Entry> entries) {
    return with(entries, repeats, load, tuned);
  }

  private Study with(List<Entry> entries, int times, StudyLoad offered, List<TunedKnob> knobs) {
    Breakdown left = breakdown == null ? null : breakdown.only(entries);
    return new Study(
        name, question, client, entries, rungs, times, offered, phases, bounds, thresholds, lab, capacity, knobs, left, budgetNs,
        failIf);
  }

  /** This study with that many repeats. */
  public Study withRepeats(int number) {
    return with(servers, number, load, tuned);
  }

  /** This study with {@link Idle#POLL_IF_ALLOWED} replaced by what it comes to where idle processors may poll, or may not. */
  public Study idle(boolean allowed) {
    return with(servers.stream().map(entry -> entry.idle(allowed)).toList(), repeats, load.idle(allowed), tuned);
  }

  /** This study with other knobs. */
  public Study of(List<TunedKnob> knobs) {
    return with(servers, repeats, load, knobs);
  }

  /**
   * The throwaway kernel that a study is climbed in.
   *
   * @param memoryBytes of it, for everything in it
   * @param timeoutNs after which it is asked to end
   */
  @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
  public record Lab(long memoryBytes, long timeoutNs) {}

  /**
   * One server of the study.
   *
   * @param label how it is named in this study; the server's name unless told otherwise
   * @param server the name of its server.yaml
   * @param client the name of the load tool that loads it
   * @param options those that differ from the server's defaults
   * @param settings what is set differently while it is climbed
   * @param load in place of the study's; null = the study's
   * @param expectLimit the limit that its climb has to end at, by the name that the doctor has for it; null = none in
   *     particular. It is only compared with what was seen, never part of it
   * @param jdk home of the JDK that it is started by; null = the harness's own
   * @param point where it stands on the study's axes; null = on none
   * @param knob the knob that it sets, and to what; null = none
   */
  @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
  public record Entry(
      String label,
      @Key("name") String server,
      String client,
      Map<String, String> options,
      @JsonInclude(value = JsonInclude.Include.CUSTOM, valueFilter = NothingSet.class) EntrySettings settings,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable StudyLoad load,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable KnownLimit expectLimit,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String jdk,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable AxisPoint point,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable KnobLevel knob) {
    public Entry {
      // In the order that they were written in: Map.copyOf has another one in each JVM.
      options = Collections.unmodifiableMap(new LinkedHashMap<>(options));
      settings = unset(settings) ? EntrySettings.NONE : settings;
    }

    /** A run.json without them is read as one of nulls. */
    private static boolean unset(@Nullable Object settings) {
      return settings == null;
    }

    /** One for which nothing is set. */
    public static Entry plain(String label, String server, String client, Map<String, String> options) {
      return new Entry(label, server, client, options, EntrySettings.NONE, null, null, null, null, null);
    }

    /** The server of the study that it is: the label without what the axes, or a knob, added to it. */
    public String base() {
      return point != null ? point.server() : knob != null ? knob.server() : label;
    }

    Entry idle(boolean allowed) {
      return load == null
          ? this
          : new Entry(label, server, client, options, settings, load.idle(allowed), expectLimit, jdk, point, knob);
    }

    Entry at(AxisPoint where) {
      return new Entry(where.label(), server, client, options, settings, load, expectLimit, jdk, where, null);
    }

    Entry at(KnobLevel level) {
      return new Entry(level.label(), server, client, options, settings, load, expectLimit, jdk, null, level);
    }
  }

  /** Whether all of its servers push, so that rates and costs are those of deliveries. */
  public boolean pushes() {
    return servers.stream().allMatch(entry -> load(entry).publish() != null);
  }

  /** What its rates are in. */
  public String rateUnit() {
    return pushes() ? "deliveries/s" : "messages/s";
  }

  /** What an entry is loaded with. */
  public StudyLoad load(Entry entry) {
    return entry.load() == null ? load : entry.load();
  }

  /** Whether nothing bounds how many connects of an entry's load are under way: a stalled ramp, or a crowd that comes back. */
  public boolean connectsAtOnce(Entry entry) {
    return load(entry).storm() != null || phases.acceptStallNs() > 0;
  }

  /** How long the steady state lasts under a load with that many connections at that rate: of bursts, whole periods. */
  public long steadyNs(StudyLoad load, int connections, double ratePerS) {
    return load.staged() != null
        ? phases.steadyNs()
        : load.schedule().steady(Duration.ofNanos(phases.steadyNs()), load.periodNs(connections, ratePerS)).toNanos();
  }

  /** Whether two of its servers, by their labels, get the same load under the same settings, so that they compare. */
  public boolean alike(String first, String second) {
    Entry a = entry(first).orElse(null);
    Entry b = entry(second).orElse(null);
    return a != null && b != null && load(a).equals(load(b)) && a.settings().equals(b.settings());
  }

  /** Whether two of its servers, by their labels, are one server under one load that differs in {@code cpus} alone. */
  public boolean placed(String first, String second) {
    Entry a = entry(first).orElse(null);
    Entry b = entry(second).orElse(null);
    return a != null && b != null && oneServer(a, b) && !load(a).cpus().equals(load(b).cpus()) && ground(a).equals(ground(b));
  }

  /** What two entries must have in common to be compared at all; servers are measured close together that have it. */
  public ComparisonGroup ground(Entry entry) {
    return new ComparisonGroup(load(entry).on(Cpus.SHARED), entry.settings());
  }

  /** Whether two of its servers differ in nothing but their labels. */
  public boolean same(String first, String second) {
    Entry a = entry(first).orElseThrow();
    Entry b = entry(second).orElseThrow();
    return oneServer(a, b) && alike(first, second);
  }

  private static boolean oneServer(Entry a, Entry b) {
    return a.server().equals(b.server())
        && a.client().equals(b.client())
        && a.options().equals(b.options())
        && Objects.equals(a.jdk(), b.jdk());
  }

  /**
   * The phases of a rung.
   *
   * @param warmUpEchoes null = one second's worth, at most 5,000
   * @param standWarmUpNs how long a server that was just started serves the highest of several rates, and then the lowest, before
   *     its first rung; 0 = not at all, as in runs from before there was such a key
   * @param acceptStallNs how long the server is stopped when the ramp begins, whose connects nothing holds back then; 0 = not at all
   */
  @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
  public record Phases(
      @Key("connect_rate") double connectsPerS,
      long connectTimeoutNs,
      long warmUpMinNs,
      long warmUpMaxNs,
      @Nullable Long warmUpEchoes,
      long steadyNs,
      long drainNs,
      @JsonInclude(JsonInclude.Include.NON_DEFAULT) @Key("stand_warm_up") long standWarmUpNs,
      @JsonInclude(JsonInclude.Include.NON_DEFAULT) @Key("accept_stall") long acceptStallNs) {

    /** Echoes to have seen before the steady state at that rate. */
    public long warmUpEchoes(double perS) {
      return warmUpEchoes != null ? warmUpEchoes : (long) Math.min(5_000, Math.ceil(perS));
    }
  }

  /**
   * What ends a climb.
   *
   * @param responseTimeP99Ns the climb ends at the first rung whose p99 is beyond it
   * @param serverStartNs how long a server may take to its ready line
   */
  @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
  public record Bounds(long responseTimeP99Ns, long serverStartNs) {
    /** Where a study says nothing. */
    public static final Bounds DEFAULT = StudyKeys.nothingSaid("/$defs/bounds", Bounds.class);
  }

  /** What makes a rung invalid; shares are 0 to 1. Each is explained in docs/study.schema.json. */
  @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
  public record Thresholds(
      double achievedShareLeast,
      double lateShareMost,
      long hiccupMostNs,
      double hostIdleShareLeast,
      double stealShareMost,
      double foreignCpuShareMost,
      double cpuDriftShareMost,
      double p99DriftShareMost) {
    /** Those of them that are about the load alone. */
    public LoadJudge.Bounds ofLoad() {
      return new LoadJudge.Bounds(achievedShareLeast, lateShareMost, hiccupMostNs);
    }

    /** Those about the thirds of its steady state. */
    public LoadJudge.DriftBounds ofDrift() {
      return new LoadJudge.DriftBounds(cpuDriftShareMost, p99DriftShareMost);
    }

    /** Where a study says nothing. */
    public static final Thresholds DEFAULT = StudyKeys.nothingSaid("/$defs/thresholds", Thresholds.class);
  }
}
