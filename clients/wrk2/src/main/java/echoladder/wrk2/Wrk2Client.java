package echoladder.wrk2;

import static java.util.stream.Collectors.joining;

import echoladder.client.LoadListener;
import echoladder.client.LoadPlan;
import echoladder.client.LoadResult.Messages;
import echoladder.client.LoadResult.Times;
import echoladder.client.LoadResult;
import echoladder.client.Reason;
import echoladder.client.ReasonCode;
import echoladder.client.figures.Percentiles;
import echoladder.external.Course;
import echoladder.external.Descriptors;
import echoladder.external.OwnCount;
import echoladder.external.SearchPath;
import echoladder.external.Stages;
import echoladder.external.Targets;
import echoladder.external.ToolClient;
import echoladder.external.ToolFigures;
import echoladder.external.ToolProcess;
import echoladder.external.UnfitPlanException;
import echoladder.external.Watch;
import echoladder.linux.OwnedFolder;
import echoladder.linux.process.DescriptorLimit;
import echoladder.linux.sockets.EphemeralPorts;
import echoladder.linux.sockets.SocketAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * wrk2 as a load client over HTTP. Its corrected times are response times, its uncorrected ones service times; both are
 * of what came after its calibration. It writes no interval log, tells of no requests while it runs, and does not hold:
 * the listener's last phase is DRAIN. What its numbers mean is in the README of this folder.
 */
public final class Wrk2Client extends ToolClient {
  /** It looks at its clock every two seconds where no answer comes; then it prints. */
  private static final Duration REPORT_MOST = Duration.ofSeconds(60);

  /**
   * A client for one load at a time.
   *
   * @param program where wrk2 is; null = on PATH, as wrk2 or wrk
   * @param log file that its command and all it printed are appended to
   */
  public Wrk2Client(@Nullable Path program, Path log) {
    this(SearchPath.own(), program, log);
  }

  Wrk2Client(SearchPath path, @Nullable Path program, Path log) {
    super(Wrk2.NAME, path, program, log);
  }

  /**
   * Applies the load.
   *
   * @param histograms not written: wrk2 gives percentiles, and percentiles are no histogram
   * @throws echoladder.external.MissingToolException where there is no wrk2
   * @throws echoladder.external.UnfitPlanException where it cannot do this load, or not on this host
   */
  @Override
  public LoadResult run(LoadPlan plan, Path histograms, LoadListener listener) throws IOException {
    List<SocketAddress> targets = Targets.of(plan);
    Wrk2Command command = command(plan, targets);
    long descriptors = descriptors(command);
    Path tool = Wrk2.find(path, program);
    try (OwnedFolder scratch = OwnedFolder.temporary("wrk2")) {
      Path script = scratch.dir().resolve("script.lua");
      Files.writeString(script, Wrk2Script.of(plan.messageBytes()));
      Stages stages = new Stages(new Watch(plan, targets), listener);
      stages.prepare();
      Wrk2Run run = new Wrk2Run(command, stages);
      List<List<String>> argvs = IntStream.range(0, command.processes()).mapToObj(i -> command.argv(tool, script, i)).toList();
      List<ToolProcess.Ended> ended = drive(run, argvs, descriptors, command);
      for (int i = 0; i < argvs.size(); i++) {
        ToolProcess.log(log, argvs.get(i), ended.get(i));
      }
      return result(plan, command, run, stages.course(), ended);
    }
  }

  @Override
  public void check(LoadPlan plan) throws IOException {
    descriptors(command(plan, Targets.of(plan)));
    Wrk2.find(path, program);
  }

  private static Wrk2Command command(LoadPlan plan, List<SocketAddress> targets) throws UnfitPlanException {
    return Wrk2Command.of(plan, targets, EphemeralPorts.read(), Runtime.getRuntime().availableProcessors());
  }

  private static long descriptors(Wrk2Command command) throws UnfitPlanException {
    long needed = command.descriptorsNeeded();
    return Descriptors.soft(Wrk2.NAME, DescriptorLimit.own(), needed, needed + 1_000);
  }

  private List<ToolProcess.Ended> drive(
      Wrk2Run run, List<List<String>> argvs, long descriptors, Wrk2Command command) throws IOException {
    endBy(run::stop);
    List<ToolProcess> processes = new ArrayList<>();
    try {
      for (List<String> argv : argvs) {
        processes.add(ToolProcess.start(argv, descriptors, line -> {}));
      }
      run.follow(processes);
      if (run.stopped()) {
        processes.forEach(ToolProcess::interrupt);
      }
      Duration most = REPORT_MOST.plusSeconds(command.timeoutSeconds());
      return processes.stream().map(process -> process.await(most)).toList();
    } finally {
      processes.forEach(ToolProcess::close);
      endBy(null);
    }
  }

  private static LoadResult result(
      LoadPlan plan, Wrk2Command command, Wrk2Run run, Course course, List<ToolProcess.Ended> ended) {
    List<Reason> doubts = new ArrayList<>();
    List<Wrk2Report> reports = ended.stream().flatMap(e -> Wrk2Report.parse(e.stdout()).stream()).toList();
    Optional<Wrk2Report> report =
        reports.size() == ended.size() ? Optional.of(Wrk2Report.together(reports)) : Optional.empty();
    if (run.stopped()) {
      doubts.add(course.stopped(command.steadySeconds()));
    } else if (report.isEmpty()) {
      ended.stream()
          .filter(e -> Wrk2Report.parse(e.stdout()).isEmpty())
          .findFirst()
          .ifPresent(e -> doubts.add(Wrk2Judgement.withoutReport(e)));
    } else if (!run.complete()) {
      doubts.add(
          new Reason(
              ReasonCode.CLIENT_DIED,
              "wrk2 ended with exit status %s before the steady state was over"
                  .formatted(ended.stream().map(e -> Integer.toString(e.exit())).distinct().collect(joining(" and ")))));
    }
    // A wrk2 opens a connection of its own before the ramp and closes it, to see whether it can.
    int probes = command.processes();
    doubts.addAll(OwnCount.doubts(course, plan.connections(), probes, false));
    if (!run.stopped()) {
      report.ifPresent(r -> doubts.addAll(Wrk2Judgement.doubts(command, r)));
    }
    return figures(plan, command, course, report, doubts).result(plan, course, doubts);
  }

  private static ToolFigures figures(
      LoadPlan plan, Wrk2Command command, Course course, Optional<Wrk2Report> report, List<Reason> doubts) {
    double seconds = course.steadySeconds();
    long scheduled = Math.round(command.requestsPerSecond() * seconds);
    double achieved = report.map(r -> Wrk2Judgement.achievedPerSecond(command, r)).orElse(0.0);
    long echoes = Math.round(achieved * seconds);
    long answered = Math.min(scheduled, echoes);
    boolean fellShort =
        doubts.stream()
            .map(Reason::reason)
            .anyMatch(r -> r == ReasonCode.UNANSWERED || r == ReasonCode.OFFERED_RATE_NOT_REACHED);
    return new ToolFigures(
        Wrk2.NAME,
        OwnCount.lost(course, command.processes(), false),
        report.map(r -> errors(command, r)).orElse(Map.of()),
        command.requestsPerSecond(),
        new Messages(
            scheduled,
            answered,
            answered,
            fellShort ? scheduled - answered : 0,
            0,
            report.map(Wrk2Report::mismatches).orElse(0L),
            0,
            echoes),
        // What never came back has no time: beyond the share that did, times can only be longer.
        fellShort && scheduled > 0 ? (Double) (100.0 * answered / scheduled) : null,
        Times.of(
            Percentiles.NONE,
            report.map(Wrk2Report::corrected).map(Distribution::percentiles).orElse(Percentiles.NONE),
            report.map(Wrk2Report::uncorrected).map(Distribution::percentiles).orElse(Percentiles.NONE)),
        command.threads(),
        plan.sourceAddresses(),
        null,
        Wrk2Command.TIMER_FLOOR_NS);
  }

  private static Map<String, Long> errors(Wrk2Command command, Wrk2Report report) {
    Wrk2Report.Errors e = report.errors();
    Map<String, Long> errors = new TreeMap<>();
    errors.put("connect", e.connect());
    errors.put("read", e.read());
    errors.put("write", e.write());
    errors.put("HTTP status 400 or above", e.status());
    errors.put(Wrk2Judgement.timeoutsAreFalse(command) ? "timeout of an idle connection" : "timeout", e.timeout());
    errors.values().removeIf(count -> count <= 0);
    return errors;
  }
}
