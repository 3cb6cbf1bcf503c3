package echoladder.tcpkali;

import echoladder.client.LoadListener;
import echoladder.client.LoadPlan;
import echoladder.client.LoadResult.Messages;
import echoladder.client.LoadResult;
import echoladder.client.Reason;
import echoladder.client.ReasonCode;
import echoladder.client.figures.Percentiles;
import echoladder.external.Course;
import echoladder.external.Descriptors;
import echoladder.external.OwnCount;
import echoladder.external.SearchPath;
import echoladder.external.Sighting;
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
import org.jspecify.annotations.Nullable;

/**
 * tcpkali as a load client. It never gives response times; its service times are of the steady state alone and of the
 * first ten connections of each worker. It writes no interval log, as it gives no histogram, and it does not hold: the
 * listener's last phase is DRAIN. What its numbers mean is in the README of this folder.
 */
public final class TcpkaliClient extends ToolClient {
  /** How long it may take to close all connections and to print, once it was told to end. */
  private static final Duration REPORT_MOST = Duration.ofSeconds(60);

  private final @Nullable Duration channelLifetime;

  /**
   * A client for one load at a time.
   *
   * @param program where tcpkali is; null = on PATH
   * @param channelLifetime after which each connection is closed and another opened, so that the times of all of them
   *     count; null = connections live as long as the load
   * @param log file that its command and all it printed are appended to
   */
  public TcpkaliClient(@Nullable Path program, @Nullable Duration channelLifetime, Path log) {
    this(SearchPath.own(), program, channelLifetime, log);
  }

  TcpkaliClient(SearchPath path, @Nullable Path program, @Nullable Duration channelLifetime, Path log) {
    super(Tcpkali.NAME, path, program, log);
    this.channelLifetime = channelLifetime;
  }

  /**
   * Applies the load.
   *
   * @param histograms not written: tcpkali gives percentiles, and percentiles are no histogram
   * @throws echoladder.external.MissingToolException where there is no tcpkali
   * @throws echoladder.external.UnfitPlanException where it cannot do this load, or not on this host
   */
  @Override
  public LoadResult run(LoadPlan plan, Path histograms, LoadListener listener) throws IOException {
    List<SocketAddress> targets = Targets.of(plan);
    TcpkaliCommand command = command(plan, targets);
    long descriptors = descriptors(command);
    Path tool = Tcpkali.find(path, program);
    try (OwnedFolder scratch = OwnedFolder.temporary("tcpkali")) {
      Path message = scratch.dir().resolve("message.bin");
      Files.writeString(message, command.message());
      Stages stages = new Stages(new Watch(plan, targets), listener);
      stages.prepare();
      TcpkaliRun run = new TcpkaliRun(command, stages, listener);
      try (StatsdListener statsd = StatsdListener.open(run::datagram)) {
        List<String> argv = command.argv(tool, message, statsd.port());
        ToolProcess.Ended ended = drive(run, argv, descriptors);
        ToolProcess.log(log, argv, ended);
        return result(plan, command, run, stages.course(), ended);
      }
    }
  }

  @Override
  public void check(LoadPlan plan) throws IOException {
    descriptors(command(plan, Targets.of(plan)));
    Tcpkali.find(path, program);
  }

  private TcpkaliCommand command(LoadPlan plan, List<SocketAddress> targets) throws UnfitPlanException {
    int processors = Runtime.getRuntime().availableProcessors();
    return TcpkaliCommand.of(plan, targets, EphemeralPorts.read(), processors, channelLifetime);
  }

  private static long descriptors(TcpkaliCommand command) throws UnfitPlanException {
    long wished = 2L * command.connections() + 1_000;
    return Descriptors.soft(Tcpkali.NAME, DescriptorLimit.own(), command.descriptorsNeeded(), wished);
  }

  private ToolProcess.Ended drive(TcpkaliRun run, List<String> argv, long descriptors) throws IOException {
    endBy(run::stop);
    try (ToolProcess process = ToolProcess.start(argv, descriptors, run::line)) {
      run.follow(process);
      process.interrupt();
      return process.await(REPORT_MOST);
    } finally {
      endBy(null);
    }
  }

  private static LoadResult result(
      LoadPlan plan, TcpkaliCommand command, TcpkaliRun run, Course course, ToolProcess.Ended ended) {
    boolean expected = command.channelLifetime() != null;
    List<Reason> doubts = new ArrayList<>();
    Optional<TcpkaliReport> report = TcpkaliReport.parse(ended.stdout());
    if (run.stopped()) {
      doubts.add(course.stopped(command.windowSeconds()));
    }
    if (report.isEmpty() && !run.stopped()) {
      doubts.add(TcpkaliJudgement.withoutReport(ended));
    } else if (run.endedByItself()) {
      doubts.add(TcpkaliJudgement.tooEarly(ended));
    }
    doubts.addAll(OwnCount.doubts(course, plan.connections(), command.probes(), expected));
    Asked asked = Asked.of(command);
    Seen seen = seen(run, course);
    if (doubts.stream().noneMatch(d -> d.reason() == ReasonCode.INTERRUPTED) && seen.seconds() > 0) {
      doubts.addAll(TcpkaliJudgement.doubts(asked, seen));
    }
    return figures(plan, command, asked, seen, course, report, doubts).result(plan, course, List.copyOf(doubts));
  }

  private static Seen seen(TcpkaliRun run, Course course) {
    Sighting start = course.start();
    Sighting end = course.end();
    if (start == null || end == null) {
      return new Seen(0, 0, 0, 0, 0, null, null, Times.NONE);
    }
    return run.seen(start, end);
  }

  private static ToolFigures figures(
      LoadPlan plan,
      TcpkaliCommand command,
      Asked asked,
      Seen seen,
      Course course,
      Optional<TcpkaliReport> report,
      List<Reason> doubts) {
    int bytes = command.messageBytes();
    long scheduled = Math.round(command.messagesPerSecond() * seen.seconds());
    long received = Math.round(seen.receivedBytes() / bytes);
    boolean unanswered = doubts.stream().anyMatch(d -> d.reason() == ReasonCode.UNANSWERED);
    boolean expected = command.channelLifetime() != null;
    int lost = OwnCount.lost(course, command.probes(), expected);
    double timed = asked.lookedAt() * asked.messagesPerSecondEach() * seen.seconds();
    return new ToolFigures(
        Tcpkali.NAME,
        lost,
        lost == 0 ? Map.of() : Map.of("connection ended", (long) lost),
        seen.seconds() == 0 ? plan.ratePerSecond() : command.messagesPerSecond(),
        new Messages(
            scheduled,
            Math.min(scheduled, Math.round(seen.sentBytes() / bytes)),
            Math.min(scheduled, received),
            unanswered ? Math.round(seen.lastInFlightBytes() / bytes) : 0,
            0,
            0,
            0,
            received),
        null,
        LoadResult.Times.of(
            report.map(r -> r.connect().percentiles(command.connections())).orElse(Percentiles.NONE),
            Percentiles.NONE,
            seen.message().percentiles(timed)),
        command.workers(),
        command.sources(),
        command.coverage(),
        null);
  }
}
