package echoladder.harness.published;

import echoladder.harness.common.Refusal;
import echoladder.harness.metric.LoadMetrics;
import echoladder.harness.metric.MemoryMetrics;
import echoladder.harness.metric.Metric;
import echoladder.harness.report.table.DriftTable;
import echoladder.harness.results.ClimbRecord;
import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungKey;
import echoladder.harness.results.RungRecord;
import echoladder.harness.server.ServerManifest;
import echoladder.harness.stats.Spread;
import echoladder.harness.study.Study;
import echoladder.harness.study.StudyLoad;
import echoladder.linux.ErrorText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The runs of a folder of published ones, and the files that are made of them. */
public final class PublishedRuns {
  /** A line per run. */
  public static final String INDEX = "index.csv";

  /** A line per rung of a server as it comes or with options of its own: what {@code size} reckons with. */
  public static final String POINTS = "points.csv";

  /** A line per climb: what {@code size} says of what stopped it. */
  public static final String CLIMBS = "climbs.csv";

  /** What each run of a study of knobs says of its knobs. */
  public static final String KNOBS = "knobs.csv";

  /** {@code STUDY/RUN-ID/run.json}, or its compressed form. */
  private static final int DEPTH = 3;

  /** In fewer echoes of a steady state a collection or the compilers decide what an echo costs. */
  private static final double ECHOES_LEAST = 5_000;

  private final Map<String, ServerManifest> servers;
  private final List<RunRecord> runs;

  private PublishedRuns(Map<String, ServerManifest> servers, List<RunRecord> runs) {
    this.servers = servers;
    this.runs = runs;
  }

  /**
   * Reads the record of every run of a folder of published runs.
   *
   * @throws Refusal (bad usage) where there is no such folder, or a run cannot be read
   */
  public static PublishedRuns read(Path reference, Map<String, ServerManifest> servers) {
    try (Stream<Path> files = Files.walk(reference, DEPTH)) {
      List<RunRecord> runs =
          files.filter(RunFolder::isRecord).map(Path::getParent).distinct().sorted().map(run -> new RunFolder(run).read()).toList();
      return new PublishedRuns(servers, runs);
    } catch (IOException e) {
      throw Refusal.badUsage(reference + ": the published runs cannot be listed: " + ErrorText.of(e));
    }
  }

  /** How many there are. */
  public int size() {
    return runs.size();
  }

  /**
   * The text of {@link #INDEX}.
   *
   * @param ledgers published ones, which are no runs of this kind
   */
  public String index(List<IndexLine> ledgers) {
    return text(
        IndexLine.HEADER,
        Stream.concat(runs.stream().map(IndexLine::of), ledgers.stream()).sorted(Comparator.comparing(IndexLine::name))
            .map(IndexLine::line));
  }

  /** The text of {@link #POINTS}. */
  public String points() {
    return text(Point.HEADER, runs.stream().flatMap(run -> points(run).stream()).map(Point::line));
  }

  /** The text of {@link #CLIMBS}. */
  public String climbs() {
    return text(ClimbEnd.HEADER, runs.stream().flatMap(run -> climbs(run).stream()).map(ClimbEnd::line));
  }

  /** The text of {@link #KNOBS}. */
  public String knobs() {
    return text(KnobVerdicts.HEADER, runs.stream().flatMap(KnobVerdicts::lines));
  }

  private static String text(String header, Stream<String> lines) {
    return Stream.concat(Stream.of(header), lines).collect(Collectors.joining("\n")) + "\n";
  }

  /** Climbs of a run on servers whose limits were not lowered to see them met. */
  private List<ClimbEnd> climbs(RunRecord run) {
    List<ClimbEnd> ends = new ArrayList<>();
    for (ClimbRecord climb : run.climbs()) {
      Study.Entry entry = run.study().entry(climb.server()).orElseThrow();
      if (comparable(run, entry) && entry.expectLimit() == null && entry.knob() == null) {
        ClimbEnd.of(run.study().name(), run.runId(), entry.server(), chosen(entry), place(run, entry), climb).ifPresent(ends::add);
      }
    }
    return ends;
  }

  /** Points of a run: its rungs with messages at a rate, on servers whose host was not changed for them. */
  private List<Point> points(RunRecord run) {
    Map<List<Object>, List<RungRecord>> alike = new LinkedHashMap<>();
    Set<RungKey> drifted = DriftTable.drifted(run);
    for (RungRecord rung : run.rungs()) {
      Study.Entry entry = run.study().entry(rung.server()).orElseThrow();
      if (rung.valid() && !rung.driftCheck() && plain(run, entry)) {
        alike.computeIfAbsent(List.of(rung.server(), rung.connections(), rung.ratePerS()), _ -> new ArrayList<>()).add(rung);
      }
    }
    return alike.values().stream()
        .map(rungs -> point(run, rungs, rungs.stream().noneMatch(rung -> drifted.contains(rung.key()))))
        .filter(point -> point.hasMemory() || point.hasCpu())
        .sorted(
            Comparator.comparing(Point::server).thenComparing(Point::optionsText).thenComparing(Point::place)
                .thenComparingInt(Point::connections).thenComparingDouble(Point::ratePerS))
        .toList();
  }

  /** Whether an entry is a server that only its options tell from itself as it comes, see {@link #comparable}. */
  private boolean plain(RunRecord run, Study.Entry entry) {
    return comparable(run, entry) && entry.settings().plain();
  }

  /** Whether it is a known server as it is today, held by this client and echoing, with both ends on one host. */
  private boolean comparable(RunRecord run, Study.Entry entry) {
    StudyLoad load = run.study().load(entry);
    ServerManifest server = servers.get(entry.server());
    return server != null
        && server.measuredBy(run.runId())
        && run.attached() == null
        && !run.overHosts()
        && run.study().capacity() == null
        && entry.client().equals("open-loop")
        && entry.jdk() == null
        && load.staged() == null
        && load.churn() == null
        && load.storm() == null
        && load.publish() == null
        && load.slowReaders() == null
        && load.tls() == null
        && load.activeShare() == 1
        && load.inFlight() == 1
        && !load.schedule().atOnce()
        && load.schedule().level();
  }

  /** @param steady whether no check for drift speaks against quoting its CPU */
  private Point point(RunRecord run, List<RungRecord> rungs, boolean steady) {
    RungRecord first = rungs.getFirst();
    Study.Entry entry = run.study().entry(first.server()).orElseThrow();
    StudyLoad load = run.study().load(entry);
    boolean lab = run.environment().get("lab") != null;
    return new Point(
        run.study().name(), run.runId(), entry.server(), chosen(entry), place(run, entry), first.connections(),
        first.ratePerS(), load.messageBytes(), rungs.size(),
        new Point.Memory(
            median(rungs, MemoryMetrics.RSS_AT_READY), median(rungs, MemoryMetrics.RSS_PER_CONNECTION),
            kernel(rungs, Objects.requireNonNull(servers.get(entry.server())))),
        lab || !steady || load.spinNs() > 0 || !boundsNoise(run.study()) || echoes(run.study(), first) < ECHOES_LEAST
            ? Point.Cpu.NONE
            : cpu(rungs));
  }

  private static String place(RunRecord run, Study.Entry entry) {
    return run.environment().get("lab") != null ? Point.LAB : run.study().load(entry).place();
  }

  /** The options that are not the server's defaults. */
  private Map<String, String> chosen(Study.Entry entry) {
    Map<String, ServerManifest.Option> known = Objects.requireNonNull(servers.get(entry.server())).options();
    Map<String, String> chosen = new HashMap<>(entry.options());
    chosen.entrySet().removeIf(
        option -> known.containsKey(option.getKey()) && known.get(option.getKey()).fallback().equals(option.getValue()));
    return chosen;
  }

  private static double echoes(Study study, RungRecord rung) {
    return rung.ratePerS() * study.phases().steadyNs() / 1e9;
  }

  /** Whether a noisy host would have made its rungs invalid: otherwise nobody knows whose CPU it is. */
  private static boolean boundsNoise(Study study) {
    Study.Thresholds most = Study.Thresholds.DEFAULT;
    return study.thresholds().stealShareMost() <= most.stealShareMost()
        && study.thresholds().foreignCpuShareMost() <= most.foreignCpuShareMost();
  }

  private static Point.Cpu cpu(List<RungRecord> rungs) {
    List<Double> values = values(rungs, LoadMetrics.SERVER_CPU);
    if (values.isEmpty()) {
      return Point.Cpu.NONE;
    }
    Spread spread = Spread.of(values);
    return new Point.Cpu(spread.least(), spread.median(), spread.most());
  }

  /**
   * The kernel's memory at the server's end. Objects of sockets are alike at both ends, and both are on the host: half of them.
   * All else that grows with the connections, stacks of threads above all, is the server's. Where only the socket objects are
   * known, they are all of it for a server without a thread per connection.
   */
  private static @Nullable Double kernel(List<RungRecord> rungs, ServerManifest server) {
    Double sockets = median(rungs, MemoryMetrics.SOCKET_OBJECTS_PER_CONNECTION);
    Double all = median(rungs, MemoryMetrics.KERNEL_PER_CONNECTION);
    if (sockets == null) {
      return null;
    }
    if (all == null) {
      return server.threadsPerConnection() > 0 ? null : (Double) (sockets / 2);
    }
    return Math.max(all - sockets / 2, sockets / 2);
  }

  private static @Nullable Double median(List<RungRecord> rungs, Metric metric) {
    List<Double> values = values(rungs, metric);
    return values.isEmpty() ? null : (Double) Spread.of(values).median();
  }

  private static List<Double> values(List<RungRecord> rungs, Metric metric) {
    return rungs.stream().map(metric::value).filter(Objects::nonNull).map(Objects::requireNonNull).toList();
  }
}
