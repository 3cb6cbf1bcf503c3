package echoladder.harness.report.text;

import echoladder.client.LoadResult.Placement;
import echoladder.harness.common.Units;
import echoladder.harness.compare.Judgement;
import echoladder.harness.compare.ProcessGroups;
import echoladder.harness.compare.TwoServers;
import echoladder.harness.lab.LabMark;
import echoladder.harness.metric.LoadMetrics;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungKey;
import echoladder.harness.results.RungRecord;
import echoladder.harness.stats.DetectableRatio;
import echoladder.harness.stats.Interval;
import echoladder.harness.stats.PairedRatio;
import echoladder.harness.study.StudyLoad;
import echoladder.linux.cpu.CpuList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The answer of a run that asks which of two servers costs more. */
public final class TwoServersText {
  private TwoServersText() {}

  /** One sentence with its interval, and what so many pairs can see; empty of a run that asks something else. */
  public static String of(RunRecord run, ProcessGroups groups) {
    return TwoServers.of(run).map(two -> sentence(two, groups)).orElse("");
  }

  /** A line for each condition of a run; none of a run without. */
  public static List<String> judgements(RunRecord run) {
    return Judgement.of(run).stream().map(Judgement::sentence).toList();
  }

  private static String sentence(TwoServers two, ProcessGroups groups) {
    RunRecord run = two.run();
    String under = ", %s.".formatted(String.join(", ", conditions(run, two.at())));
    LabMark lab = LabMark.in(run.environment());
    if (!LabMark.mayClaim(lab, LoadMetrics.SERVER_CPU.claim())) {
      return "**%s against %s:** the run was made in a lab, where CPU per echo is not quoted%s".formatted(two.second(), two.first(), under);
    }
    TwoServers.Row row = two.row(LoadMetrics.SERVER_CPU);
    PairedRatio ratio = row.ratio();
    Interval interval = ratio == null ? null : ratio.interval();
    int repeats = run.study().repeats();
    if (ratio == null || interval == null) {
      return "**%s against %s cannot be told:** %d of %d pairs give server CPU per echo, and an interval needs %d%s"
          .formatted(two.second(), two.first(), row.ratios().size(), repeats, PairedRatio.FEWEST_FOR_INTERVAL, under);
    }
    String finding =
        switch (ratio.finding()) {
          case MORE -> "%s costs more".formatted(two.second());
          case LESS -> "%s costs less".formatted(two.second());
          case NO_DIFFERENCE_SHOWN, TOO_FEW -> "no difference shown";
        };
    String sentence =
        "**%s takes %s times the server CPU per echo of %s** (interval %s at %s, %d of %d pairs: %s)%s"
            .formatted(
                two.second(), Units.ratio(ratio.ratio()), two.first(), Units.interval(interval), Units.percent(interval.confidence()),
                ratio.pairs(), repeats, finding, under);
    String between =
        groups.all().stream()
            .filter(found -> found.figure().equals(LoadMetrics.SERVER_CPU))
            .filter(found -> found.server().equals(two.first()) || found.server().equals(two.second()))
            .map(found -> " The ratio is between two groups of processes: %s took %s.".formatted(found.server(), found.text()))
            .collect(Collectors.joining());
    return sentence
        + String.format(
            Locale.ROOT, " %d pairs with this spread show a difference of %.1f %% in %.0f of 100 runs.", ratio.pairs(),
            100 * (DetectableRatio.of(ratio.pairs(), ratio.deviation()) - 1), 100 * DetectableRatio.POWER)
        + between;
  }

  /** Load, placement, idle processors and host, each a clause. */
  private static List<String> conditions(RunRecord run, RungKey at) {
    StudyLoad load = run.study().load(run.study().entry(at.server()).orElseThrow());
    double rate = at.ratePerS() == null ? load.ratesPerS(at.connections()).getFirst() : at.ratePerS();
    return List.of(
        "with %s connections and %s %s of %s%s".formatted(
            Units.count(at.connections()), Units.plain(rate), run.study().rateUnit(), Units.bytes((long) load.messageBytes()),
            OfferedText.besides(load)),
        placement(run, load),
        idle(load),
        host(run));
  }

  private static String placement(RunRecord run, StudyLoad load) {
    for (RungRecord rung : run.rungs()) {
      Placement at = rung.load() == null ? Placement.UNKNOWN : rung.load().placement();
      if (at.serverCpus() != null && at.clientCpus() != null) {
        boolean apart = CpuList.parse(at.serverCpus()).in(CpuList.parse(at.clientCpus())).isEmpty();
        return apart ? "server on processors %s and client on %s".formatted(at.serverCpus(), at.clientCpus())
            : "server and client both on processors %s".formatted(at.serverCpus());
      }
    }
    return "processors " + load.cpus();
  }

  /** A run's record has what {@code poll_if_allowed} came to. */
  private static String idle(StudyLoad load) {
    return switch (load.idle()) {
      case HALT -> "idle processors halt";
      case POLL -> "idle processors poll";
      case POLL_IF_ALLOWED -> "idle processors poll where they may";
    };
  }

  private static String host(RunRecord run) {
    Object processors = part(run, "cpu", "processors");
    return "on %s of %s, Linux %s"
        .formatted(
            processors == null ? "processors" : processors.equals(1) ? "one processor" : processors + " processors",
            known(part(run, "cpu", "model")), known(part(run, "kernel", "release")));
  }

  private static String known(@Nullable Object value) {
    return value == null ? "unknown kind" : String.valueOf(value);
  }

  private static @Nullable Object part(RunRecord run, String group, String key) {
    return run.environment().get(group) instanceof Map<?, ?> map ? map.get(key) : null;
  }
}
