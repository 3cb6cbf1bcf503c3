package echoladder.harness.compare;

import static java.util.Comparator.comparingInt;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import echoladder.harness.common.Refusal;
import echoladder.harness.lab.LabMark;
import echoladder.harness.metric.Metric;
import echoladder.harness.metric.Quoting;
import echoladder.harness.metric.ServerTimes;
import echoladder.harness.metric.Shown;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungKey;
import echoladder.harness.results.RungRecord;
import echoladder.harness.stats.PairedRatio;
import echoladder.harness.stats.PooledRatio;
import echoladder.harness.stats.RatioOverRuns;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Several runs of one study as one sample: the ratio of two servers in a figure, where that ratio lies over runs, and where that of the
 * next run is to be expected. Pure.
 */
public final class Pool {
  private final List<RunRecord> runs;
  private final List<Host> hosts;
  private final Set<String> only;
  private final Map<String, ValidRungs> valid = new HashMap<>();
  private final List<Row> rows = new ArrayList<>();
  private final List<String> left = new ArrayList<>();

  /**
   * One kind of host.
   *
   * @param runs that were made on it, in the order in which they were given
   * @param groups of processes over these runs
   */
  public record Host(Fingerprint fingerprint, List<RunRecord> runs, ProcessGroups groups) {
    public Host {
      runs = List.copyOf(runs);
    }
  }

  /** The pairs of one run, none of which is left out. */
  public record OfRun(String runId, PairedRatio ratio) {}

  /**
   * One figure of two servers.
   *
   * @param rungs the first server's, each of its first repeat; more than one = the pairs of all of these together
   * @param group of which group of processes the pairs are, of servers whose processes fall apart; else empty
   * @param runs each run that has pairs, two or more
   * @param over the ratio over these runs
   */
  public record Row(
      Metric figure, String first, String second, List<RungKey> rungs, String group, List<OfRun> runs, RatioOverRuns over) {
    public Row {
      rungs = List.copyOf(rungs);
      runs = List.copyOf(runs);
    }
  }

  /** One pair of processes. */
  private record Ratio(String runId, RungKey at, String group, double value) {}

  private Pool(List<RunRecord> runs, List<Host> hosts, Set<String> only) {
    this.runs = runs;
    this.hosts = hosts;
    this.only = only;
    runs.forEach(run -> valid.put(run.runId(), new ValidRungs(run)));
  }

  /**
   * Pools runs.
   *
   * @param runs two or more
   * @param acrossHosts whether kinds of hosts are a level above runs; else runs of several kinds are refused
   * @param only the servers that are asked for, by their labels; empty = all that the runs have in common
   * @throws Refusal (bad usage) with every reason where they may not be pooled
   */
  public static Pool of(List<RunRecord> runs, boolean acrossHosts, List<String> only) {
    if (runs.size() < 2) {
      throw Refusal.badUsage("one run has no spread over runs; give two or more");
    }
    Set<String> against = new LinkedHashSet<>();
    for (int i = 0; i < runs.size(); i++) {
      RunRecord run = runs.get(i);
      if (run.study().capacity() != null) {
        against.add(run.runId() + " searches capacities: each of its servers was loaded at rates of its own, and a search has no pairs");
      }
      if (run.status() == RunRecord.Status.RUNNING) {
        against.add("%s is not at its end; go on with ./ladder run --resume %s".formatted(run.runId(), run.runId()));
      }
      for (int before = 0; before < i; before++) {
        RunRecord of = runs.get(before);
        if (before == 0 || of.runId().equals(run.runId())) {
          PoolObjections.to(of, run).forEach(objection -> against.add("%s and %s: %s".formatted(of.runId(), run.runId(), objection)));
        }
      }
    }
    List<Host> hosts = hosts(runs);
    if (hosts.size() > 1 && !acrossHosts) {
      Host of = hosts.getFirst();
      for (Host other : hosts.subList(1, hosts.size())) {
        against.add(
            "%s and %s: they are of two kinds of host, which differ in %s; --across-hosts pools them, with hosts as a level above runs"
                .formatted(
                    of.runs().getFirst().runId(), other.runs().getFirst().runId(),
                    String.join(", ", of.fingerprint().differences(other.fingerprint()))));
      }
    }
    List<String> common = common(runs);
    if (common.isEmpty()) {
      against.add("the runs have no server in common: " + runs.stream().map(Pool::labels).collect(Collectors.joining("; ")));
    }
    for (String label : only) {
      if (!common.contains(label)) {
        against.add("--servers %s: the runs have in common %s".formatted(label, String.join(", ", common)));
      }
    }
    Refusal.badUsageIfAny(against.stream().map(reason -> "cannot be pooled: " + reason).toList());
    Pool pool = new Pool(List.copyOf(runs), hosts, Set.copyOf(only.isEmpty() ? common : only));
    pool.compare();
    if (pool.rows.isEmpty() && pool.servers().isEmpty()) {
      throw Refusal.badUsage("cannot be pooled: no server has a valid rung in two of the runs");
    }
    return pool;
  }

  private static List<Host> hosts(List<RunRecord> runs) {
    Map<Fingerprint, List<RunRecord>> kinds =
        runs.stream().collect(groupingBy(Fingerprint::of, LinkedHashMap::new, toList()));
    return kinds.entrySet().stream().map(kind -> new Host(kind.getKey(), kind.getValue(), ProcessGroups.of(kind.getValue()))).toList();
  }

  private static String labels(RunRecord run) {
    return "%s has %s".formatted(run.runId(), run.servers().stream().map(RunRecord.ServerRecord::label).collect(Collectors.joining(", ")));
  }

  private static List<String> common(List<RunRecord> runs) {
    return runs.getFirst().servers().stream()
        .map(RunRecord.ServerRecord::label)
        .filter(label -> runs.stream().allMatch(run -> run.server(label).isPresent()))
        .toList();
  }

  /** The kinds of hosts, in the order of their first runs; more than one = they are a level above runs. */
  public List<Host> hosts() {
    return hosts;
  }

  /** The runs as they were given. */
  public List<RunRecord> runs() {
    return runs;
  }

  /** Figures of pairs, in the order of the study. */
  public List<Row> rows() {
    return Collections.unmodifiableList(rows);
  }

  /** Why a figure of these pairs is marked: by the first of their rungs that has a mark. */
  public Quoting.Mark mark(Row row) {
    return rungs()
        .filter(rung -> rung.valid() && !rung.driftCheck() && row.rungs().contains(rung.key().of(row.first()).repeat(1)))
        .filter(rung -> rung.server().equals(row.first()) || rung.server().equals(row.second()))
        .map(rung -> Quoting.mark(row.figure(), rung))
        .filter(mark -> mark != Quoting.Mark.NONE)
        .findFirst()
        .orElse(Quoting.Mark.NONE);
  }

  /** Pairs that one run alone has, which nothing is said of, in words. */
  public List<String> left() {
    return Collections.unmodifiableList(left);
  }

  /** Servers whose own code is of another build in one of the runs than in the first. */
  public List<String> builtOtherwise() {
    return runs.stream().skip(1).flatMap(run -> PoolObjections.builtOtherwise(runs.getFirst(), run).stream())
        .filter(only::contains).distinct().toList();
  }

  private Host host(RunRecord run) {
    return hosts.stream().filter(host -> host.runs().stream().anyMatch(of -> of.runId().equals(run.runId()))).findFirst().orElseThrow();
  }

  private Stream<RungRecord> rungs() {
    return runs.stream().flatMap(run -> run.rungs().stream());
  }

  /** Figures in the kind of time that the runs are told in, which may be quoted. */
  private List<Metric> quoted(List<Metric> figures) {
    LabMark lab = LabMark.in(runs.getFirst().environment());
    return ServerTimes.in(rungs().toList(), figures).stream().filter(figure -> LabMark.mayClaim(lab, figure.claim())).toList();
  }

  private void compare() {
    ServerPairs pairs = new ServerPairs(runs.getFirst());
    for (Metric figure : quoted(Shown.OVER_RUNS)) {
      for (ServerPairs.Pair pair : pairs.in(figure)) {
        if (only.contains(pair.first()) && only.contains(pair.second()) && pairs.neighbours(pair.first(), pair.second())) {
          compare(figure, pair);
        }
      }
    }
  }

  private void compare(Metric figure, ServerPairs.Pair pair) {
    List<Ratio> all = runs.stream().flatMap(run -> values(figure, pair, run)).toList();
    Map<String, List<Ratio>> groups = all.stream().collect(groupingBy(Ratio::group, LinkedHashMap::new, toList()));
    for (List<Ratio> group : groups.values()) {
      // A run may have no figure at its lowest rung, and come first.
      Map<RungKey, List<Ratio>> rungs =
          group.stream().sorted(comparingInt(of -> of.at().connections())).collect(groupingBy(Ratio::at, LinkedHashMap::new, toList()));
      if (rungs.size() > 1 && alike(rungs.values())) {
        row(figure, pair, List.copyOf(rungs.keySet()), group);
      } else {
        rungs.forEach((at, of) -> row(figure, pair, List.of(at), of));
      }
    }
  }

  private void row(Metric figure, ServerPairs.Pair pair, List<RungKey> rungs, List<Ratio> values) {
    String group = values.getFirst().group();
    List<OfRun> of = new ArrayList<>();
    Map<String, List<Double>> byRun = new LinkedHashMap<>();
    values.forEach(value -> byRun.computeIfAbsent(value.runId(), _ -> new ArrayList<>()).add(value.value()));
    byRun.forEach((run, ratios) -> of.add(new OfRun(run, PairedRatio.of(ratios, Collections.nCopies(ratios.size(), 1.0)))));
    if (of.size() < 2) {
      left.add(
          "%s of %s and %s at %s%s"
              .formatted(
                  figure.label(), pair.first(), pair.second(), rungs.stream().map(RungKey::load).collect(Collectors.joining(", ")),
                  group.isEmpty() ? "" : " (" + group + ")"));
      return;
    }
    List<List<List<Double>>> levels =
        hosts.stream()
            .map(host -> host.runs().stream().map(run -> byRun.getOrDefault(run.runId(), List.of())).filter(run -> !run.isEmpty()).toList())
            .filter(host -> !host.isEmpty())
            .toList();
    rows.add(new Row(figure, pair.first(), pair.second(), rungs, group, of, RatioOverRuns.of(levels)));
  }

  /** The pairs of a run at each rung, in which both are above 0. */
  private Stream<Ratio> values(Metric figure, ServerPairs.Pair pair, RunRecord run) {
    ValidRungs of = Objects.requireNonNull(valid.get(run.runId()));
    ProcessGroups groups = host(run).groups();
    List<Ratio> ratios = new ArrayList<>();
    for (RungKey at : of.rungs(pair.first())) {
      for (int repeat = 1; repeat <= run.study().repeats(); repeat++) {
        RungKey ours = at.repeat(repeat);
        RungKey theirs = ours.of(pair.second());
        Double first = of.value(figure, ours);
        Double second = of.value(figure, theirs);
        if (first != null && second != null && first > 0 && second > 0) {
          String group =
              Stream.of(ours, theirs).map(key -> groups.label(figure, run.runId(), key)).filter(label -> !label.isEmpty())
                  .collect(Collectors.joining(", "));
          ratios.add(new Ratio(run.runId(), at, group, first / second));
        }
      }
    }
    return ratios.stream();
  }

  /** Whether the test of Kruskal and Wallis shows no other ratio at some rung, once each run's own ratio is taken out of its pairs. */
  private static boolean alike(Collection<List<Ratio>> rungs) {
    Map<String, Double> centres = new HashMap<>();
    rungs.stream().flatMap(List::stream).collect(groupingBy(Ratio::runId))
        .forEach((run, of) -> centres.put(run, RatioOverRuns.centre(of.stream().map(Ratio::value).toList())));
    PooledRatio pooled =
        PooledRatio.of(
            rungs.stream()
                .map(
                    rung ->
                        new PooledRatio.OfRung(
                            rung.stream().map(value -> value.value() / Objects.requireNonNull(centres.get(value.runId()))).toList(),
                            Collections.nCopies(rung.size(), 1.0)))
                .toList());
    return pooled != null && !pooled.differsOverRungs();
  }

  /**
   * One server at one rung, over all runs of one kind of host.
   *
   * @param at of its first repeat
   * @param runs of each run that has them its valid rungs
   */
  public record Server(Host host, RungKey at, Map<String, List<RungRecord>> runs) {
    /** How many processes. */
    public int processes() {
      return runs.values().stream().mapToInt(List::size).sum();
    }
  }

  /** Each server at each rung that two runs of a kind of host have validly. */
  public List<Server> servers() {
    List<Server> servers = new ArrayList<>();
    for (Host host : hosts) {
      for (String label : runs.getFirst().servers().stream().map(RunRecord.ServerRecord::label).filter(only::contains).toList()) {
        Map<RungKey, Map<String, List<RungRecord>>> rungs = new LinkedHashMap<>();
        for (RunRecord run : host.runs()) {
          for (RungKey at : Objects.requireNonNull(valid.get(run.runId())).rungs(label)) {
            List<RungRecord> of =
                run.rungs().stream().filter(rung -> rung.valid() && !rung.driftCheck() && rung.key().repeat(1).equals(at)).toList();
            if (!of.isEmpty()) {
              rungs.computeIfAbsent(at, _ -> new LinkedHashMap<>()).put(run.runId(), of);
            }
          }
        }
        rungs.forEach((at, of) -> {
          if (of.size() > 1 || hosts.size() > 1) {
            servers.add(new Server(host, at, of));
          }
        });
      }
    }
    return servers;
  }

  /** The figures of each server that the runs may be quoted for. */
  public List<Metric> ofEach() {
    return quoted(Shown.OF_EACH_OVER_RUNS);
  }
}
