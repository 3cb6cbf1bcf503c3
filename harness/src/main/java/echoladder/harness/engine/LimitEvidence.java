package echoladder.harness.engine;

import echoladder.client.LoadResult;
import echoladder.client.Reason;
import echoladder.client.ReasonCode;
import echoladder.harness.common.ProcText;
import echoladder.harness.diagnosis.Diagnosis;
import echoladder.harness.diagnosis.Evidence;
import echoladder.harness.diagnosis.ServerWords;
import echoladder.harness.doctor.ClientTls;
import echoladder.harness.doctor.Doctor;
import echoladder.harness.doctor.Examination;
import echoladder.harness.doctor.HostFacts;
import echoladder.harness.doctor.HostFactsReader;
import echoladder.harness.doctor.Question;
import echoladder.harness.doctor.Role;
import echoladder.harness.doctor.ServerModel;
import echoladder.harness.limits.KnownLimit;
import echoladder.harness.plan.Rung;
import echoladder.harness.probe.Figure;
import echoladder.harness.probe.LimitProbe;
import echoladder.harness.probe.Reading;
import echoladder.harness.results.LimitsRecord;
import echoladder.harness.run.RungServer;
import echoladder.harness.run.ServerUnderTest;
import echoladder.harness.settings.AppliedSettings;
import echoladder.harness.study.Study;
import echoladder.linux.process.ChildProcess;
import echoladder.linux.process.DescriptorLimit;
import echoladder.linux.process.KernelLog;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Gathers what one rung shows of limits: from the server that has just got ready, before its first connection, until
 * the load is over. What a study lowered is not asked, only what is in force and what happened.
 */
record LimitEvidence(
    HostFacts facts, Examination examination, long backlog, @Nullable List<String> kernelLog, Map<ServerWords, String> saidBefore) {
  private static final Set<Figure> COUNTS =
      Stream.concat(KnownLimit.allFigures().stream(), LimitProbe.AT_WORK.stream()).collect(Collectors.toUnmodifiableSet());

  private static final Set<Figure> OF_GROUPS =
      Set.of(Figure.CGROUP_OOM_KILLS, Figure.CGROUP_MEMORY_REFUSALS, Figure.CGROUP_TASK_REFUSALS);

  private static final int MOST_LOOKS = 100;
  private static final long LOOK_MS = 20;

  /**
   * Begins to gather for a server that is ready; null where its process is not on this host.
   *
   * @param usedLog the log of a server that had another rung before, whose words are not this one's; null = it had none
   */
  static @Nullable LimitEvidence begin(
      RungServer server, Study study, ServerUnderTest contender, Rung rung, List<String> sources, @Nullable Path usedLog) {
    Long pid = server.pid();
    if (pid == null || !server.here()) {
      return null;
    }
    LimitEvidence seen = of(pid, study, contender, rung, sources, KernelLog.read().orElse(null));
    return usedLog == null ? seen : new LimitEvidence(seen.facts, seen.examination, seen.backlog, seen.kernelLog, ServerWords.of(usedLog));
  }

  private static LimitEvidence of(
      long pid, Study study, ServerUnderTest contender, Rung rung, List<String> sources, @Nullable List<String> kernelLog) {
    HostFacts facts = HostFactsReader.of(pid);
    Long tuples = sources.isEmpty() ? null : (Long) (long) sources.size();
    Question question =
        new Question(
            rung.connections(), Role.BOTH, ServerModel.of(contender.manifest(), contender.entry().options()), 0, tuples,
            ClientTls.of(study.load(contender.entry()).overTls(), study.connectsAtOnce(contender.entry())));
    return new LimitEvidence(facts, Doctor.examine(question, facts), contender.backlog(), kernelLog, Map.of());
  }

  /**
   * What bound a server that did not get ready. Nobody could look at it, so a process is started as it was, to see what bound
   * it.
   *
   * @param settings that it was started under
   * @param kernelLog before it was started; null = not to be read
   * @param ending how it ended
   * @throws IOException where no process can be started under them
   */
  static LimitsRecord notReady(
      Study study,
      ServerUnderTest contender,
      Rung rung,
      List<String> sources,
      AppliedSettings settings,
      @Nullable List<String> kernelLog,
      String ending,
      Path serverLog)
      throws IOException {
    ChildProcess like = ChildProcess.start(new ProcessBuilder(settings.wrap(List.of("sleep", "60"))), null, null);
    try {
      // What wraps it has become it only when it bears its name.
      boolean over = false;
      for (int i = 0; i < MOST_LOOKS && !over && !"sleep".equals(name(like)); i++) {
        over = like.endsWithin(Duration.ofMillis(LOOK_MS));
      }
      LimitEvidence seen = of(like.pid(), study, contender, rung, sources, kernelLog);
      Reading now = LimitProbe.now(like.pid());
      // The groups of its own settings are new; of any other it is not known what they had counted before.
      boolean own = settings.ownGroups();
      Reading before = new Reading(0);
      Map<Figure, Long> peaks = new EnumMap<>(Figure.class);
      for (Figure figure : COUNTS) {
        Long n = of(now, figure);
        if (n != null) {
          peaks.put(figure, n);
          before.put(figure, own && OF_GROUPS.contains(figure) ? 0 : n);
        }
      }
      Map<ServerWords, String> words = ServerWords.of(serverLog);
      return seen.record(
          seen.evidence(Map.of(), words, ending, Map.of(), "", before, peaks), Map.of());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while looking at what bound the server", e);
    } finally {
      like.close();
    }
  }

  private static @Nullable String name(ChildProcess process) {
    String comm = ProcText.read("/proc/" + process.pid() + "/comm");
    return comm == null ? null : comm.trim();
  }

  /** Counts of a page since an earlier look at it. */
  static Map<String, Long> since(Map<String, Long> before, Map<String, Long> now) {
    Map<String, Long> grown = new TreeMap<>();
    now.forEach(
        (reason, count) -> {
          long more = count - before.getOrDefault(reason, 0L);
          if (more > 0) {
            grown.put(reason, more);
          }
        });
    return grown;
  }

  /**
   * What there is to record when the load is over.
   *
   * @param acceptErrors by reason, as the server counted them
   * @param ending how the server ended by itself; null = it did not
   */
  LimitsRecord end(
      BorderReadings borders, LoadResult load, Map<String, Long> acceptErrors, @Nullable String ending, Path serverLog) {
    Map<ServerWords, String> words = new TreeMap<>(ServerWords.of(serverLog));
    words.entrySet().removeAll(saidBefore.entrySet());
    String clientFailure =
        load.verdictReasons().stream()
            .filter(doubt -> doubt.reason() == ReasonCode.CLIENT_DIED)
            .map(Reason::detail)
            .collect(Collectors.joining("; "));
    Reading ready = borders.ready == null ? new Reading(0) : borders.ready;
    return record(
        evidence(acceptErrors, words, ending, load.errors(), clientFailure, ready, borders.peaks), counts(borders));
  }

  private Evidence evidence(
      Map<String, Long> acceptErrors,
      Map<ServerWords, String> words,
      @Nullable String ending,
      Map<String, Long> clientErrors,
      String clientFailure,
      Reading ready,
      Map<Figure, Long> peaks) {
    return new Evidence(
        facts, DescriptorLimit.own().soft(), backlog, acceptErrors, words, ending,
        clientErrors, clientFailure, ready, peaks, newLines());
  }

  private LimitsRecord record(Evidence evidence, Map<String, LimitsRecord.Count> counts) {
    List<String> said = new ArrayList<>();
    evidence.acceptErrors().forEach((reason, n) -> said.add("%,d accepts failed: %s".formatted(n, reason)));
    // In the order of their kinds, not of a hash.
    said.addAll(new TreeMap<>(evidence.serverLog()).values());
    return new LimitsRecord(
        Diagnosis.of(evidence), examination.named().stream().map(LimitsRecord.Said::of).toList(), said, counts);
  }

  private @Nullable List<String> newLines() {
    List<String> now = KernelLog.read().orElse(null);
    if (now == null || kernelLog == null || kernelLog.isEmpty()) {
      return now;
    }
    return now.subList(now.lastIndexOf(kernelLog.getLast()) + 1, now.size());
  }

  private static Map<String, LimitsRecord.Count> counts(BorderReadings borders) {
    Map<String, LimitsRecord.Count> counts = new TreeMap<>();
    for (Figure figure : COUNTS) {
      Long most = borders.peaks.get(figure);
      Long before = of(borders.ready, figure);
      Long after = of(borders.after, figure);
      if (most != null && !(most.equals(before) && most.equals(after))) {
        counts.put(figure.column(), new LimitsRecord.Count(before, after, most));
      }
    }
    return counts;
  }

  private static @Nullable Long of(@Nullable Reading reading, Figure figure) {
    OptionalLong value = reading == null ? OptionalLong.empty() : reading.get(figure);
    return value.isEmpty() ? null : (Long) value.getAsLong();
  }
}
