package echoladder.h2load;

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
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * h2load as a load client over HTTP/1.1. Its log has the time of every request from its actual start: these are service times. It
 * tells of no requests while it runs, and does not hold: the listener's last phase is DRAIN. What its numbers mean is in the README
 * of this folder.
 */
public final class H2loadClient extends ToolClient {
  /** It closes its connections and sorts its times before it prints; where a server closes them, it may never end. */
  private static final Duration REPORT_MOST = Duration.ofSeconds(30);

  /**
   * A client for one load at a time.
   *
   * @param program where h2load is; null = on PATH
   * @param log file that its command and all it printed are appended to
   */
  public H2loadClient(@Nullable Path program, Path log) {
    this(SearchPath.own(), program, log);
  }

  H2loadClient(SearchPath path, @Nullable Path program, Path log) {
    super(H2load.NAME, path, program, log);
  }

  /**
   * Applies the load.
   *
   * @param histograms the interval log of its service times, written from its own log when it has ended
   * @throws echoladder.external.MissingToolException where there is no h2load
   * @throws echoladder.external.UnfitPlanException where it cannot do this load, or not on this host
   */
  @Override
  public LoadResult run(LoadPlan plan, Path histograms, LoadListener listener) throws IOException {
    List<SocketAddress> targets = Targets.of(plan);
    H2loadCommand command = command(plan, targets);
    long descriptors = descriptors(command);
    Path tool = H2load.find(path, program);
    try (OwnedFolder scratch = OwnedFolder.temporary(H2load.NAME)) {
      Path body = scratch.dir().resolve("body");
      Files.writeString(body, "e".repeat(command.messageBytes()), StandardCharsets.US_ASCII);
      Path requests = scratch.dir().resolve("requests");
      Stages stages = new Stages(new Watch(plan, targets), listener);
      stages.prepare();
      H2loadRun run = new H2loadRun(command, stages);
      List<String> argv = command.argv(tool, body, requests);
      ToolProcess.Ended ended = drive(run, argv, descriptors);
      ToolProcess.log(log, argv, ended);
      try (ServiceLog intervals = new ServiceLog(histograms)) {
        return result(plan, command, run, stages.course(), ended, seen(requests, command, run, intervals));
      }
    }
  }

  private static RequestLog seen(Path requests, H2loadCommand command, H2loadRun run, ServiceLog intervals) throws IOException {
    return RequestLog.read(requests, command.periodSeconds(), run.window(), intervals);
  }

  @Override
  public void check(LoadPlan plan) throws IOException {
    descriptors(command(plan, Targets.of(plan)));
    H2load.find(path, program);
  }

  private static H2loadCommand command(LoadPlan plan, List<SocketAddress> targets) throws UnfitPlanException {
    return H2loadCommand.of(plan, targets, EphemeralPorts.read(), Runtime.getRuntime().availableProcessors());
  }

  private static long descriptors(H2loadCommand command) throws UnfitPlanException {
    long needed = command.descriptorsNeeded();
    return Descriptors.soft(H2load.NAME, DescriptorLimit.own(), needed, needed + 1_000);
  }

  private ToolProcess.Ended drive(H2loadRun run, List<String> argv, long descriptors) throws IOException {
    endBy(run::stop);
    try (ToolProcess process = ToolProcess.start(argv, descriptors, run::line, line -> {})) {
      run.follow(process);
      if (run.stopped()) {
        process.interrupt();
      }
      return process.await(REPORT_MOST);
    } finally {
      endBy(null);
    }
  }

  private static LoadResult result(
      LoadPlan plan, H2loadCommand command, H2loadRun run, Course course, ToolProcess.Ended ended, RequestLog seen) {
    List<Reason> doubts = new ArrayList<>();
    Optional<H2loadReport> report = H2loadReport.parse(ended.stdout());
    if (run.stopped()) {
      doubts.add(course.stopped(command.steadySeconds()));
    } else if (report.isEmpty()) {
      doubts.add(H2loadJudgement.withoutReport(ended));
    } else if (!run.complete()) {
      doubts.add(
          new Reason(
              ReasonCode.CLIENT_DIED,
              "h2load ended with exit status %d before the steady state was over".formatted(ended.exit())));
    }
    doubts.addAll(OwnCount.doubts(course, plan.connections(), 0, false));
    if (!run.stopped()) {
      report.ifPresent(r -> doubts.addAll(H2loadJudgement.doubts(command, r, seen)));
    }
    return figures(plan, command, course, report, seen, doubts).result(plan, course, doubts);
  }

  private static ToolFigures figures(
      LoadPlan plan, H2loadCommand command, Course course, Optional<H2loadReport> report, RequestLog seen, List<Reason> doubts) {
    long scheduled = command.scheduled();
    boolean unanswered = doubts.stream().anyMatch(doubt -> doubt.reason() == ReasonCode.UNANSWERED);
    return new ToolFigures(
        H2load.NAME,
        OwnCount.lost(course, 0, false),
        report.map(H2loadClient::errors).orElse(Map.of()),
        command.requestsPerSecond(),
        new Messages(
            scheduled,
            Math.min(scheduled, seen.ended()),
            Math.min(scheduled, seen.answered()),
            unanswered ? report.map(H2loadReport::underWay).orElse(0L) : 0,
            seen.failed(),
            0,
            0,
            seen.answered()),
        null,
        Times.of(Percentiles.NONE, Percentiles.NONE, seen.percentiles()),
        command.threads(),
        plan.sourceAddresses(),
        null,
        null);
  }

  private static Map<String, Long> errors(H2loadReport report) {
    Map<String, Long> errors = new TreeMap<>();
    errors.put("request ended with its connection", report.errored());
    errors.put("HTTP status 3xx", report.answered().redirected());
    errors.put("HTTP status 4xx", report.answered().refused());
    errors.put("HTTP status 5xx", report.answered().failed());
    errors.values().removeIf(count -> count <= 0);
    return errors;
  }
}
