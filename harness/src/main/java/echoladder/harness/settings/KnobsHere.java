package echoladder.harness.settings;

import echoladder.harness.common.Refusal;
import echoladder.harness.lab.LabMark;
import echoladder.harness.lab.LabModules;
import echoladder.harness.metric.Catalogue;
import echoladder.harness.probe.Figure;
import echoladder.harness.study.EntrySettings;
import echoladder.harness.study.KnobLevel;
import echoladder.harness.study.Study;
import echoladder.harness.study.TunedKnob;
import echoladder.harness.tune.Scope;
import echoladder.linux.ProcSys;
import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Which knobs of a study can be told where it is climbed. */
public final class KnobsHere {
  private static final String CONGESTION = "net.ipv4.tcp_congestion_control";
  private static final String CONGESTION_KNOWN = "net.ipv4.tcp_available_congestion_control";

  /** One list for the whole host, which can only be read in a network namespace. */
  private static final String CONGESTION_ALLOWED = "net.ipv4.tcp_allowed_congestion_control";

  private KnobsHere() {}

  /**
   * The study without the entries of knobs that cannot be told here; its record says why.
   *
   * @param onThisHost whether settings may be made for everybody on the host
   * @param asked whether the user named the knobs
   * @throws Refusal (bad usage) where it is of several servers, as each takes hours, or of half a pair; (could not run) where one
   *     that the user named cannot be told, or none can
   */
  public static Study of(Study study, boolean onThisHost, boolean asked) {
    refuseUnknownFigures(study);
    refuseHalves(study);
    Map<String, String> untold = new LinkedHashMap<>();
    for (Study.Entry entry : study.servers()) {
      String why = untold(entry.settings(), onThisHost || LabMark.inside());
      if (entry.knob() != null && why != null) {
        untold.putIfAbsent(entry.knob().name(), why);
      }
    }
    Study told = TunedKnob.leftOut(study, untold);
    if (!untold.isEmpty() && (asked || told.servers().isEmpty())) {
      throw Refusal.cannotRun(
          "nothing was changed or started, as these knobs cannot be set here:\n"
              + untold.entrySet().stream().map(knob -> knob.getKey() + ": " + knob.getValue()).collect(Collectors.joining("\n")));
    }
    return told;
  }

  /** Refuses figures of a row that no run has: such a name would leave a hole in the report after hours. */
  private static void refuseUnknownFigures(Study study) {
    Refusal.badUsageIfAny(
        study.tuned().stream()
            .flatMap(
                knob ->
                    knob.row().figures().stream()
                        .filter(name -> !ofARun(name))
                        .map(
                            name ->
                                ("the knob '%s' has the figure '%s', which no run has: names are those of run.json (docs/METHOD.md) and"
                                    + " of samples.csv")
                                    .formatted(knob.name(), name)))
            .toList());
  }

  private static boolean ofARun(String figure) {
    return Catalogue.named(figure).isPresent() || Arrays.stream(Figure.values()).anyMatch(of -> of.column().equals(figure));
  }

  private static void refuseHalves(Study study) {
    List<String> servers = study.servers().stream().map(Study.Entry::base).distinct().toList();
    // Walls are climbed in a lab, each once and with whatever server meets them.
    if (servers.size() > 1 && study.lab() == null) {
      throw Refusal.badUsage(
          "study '%s' is climbed for one server at a time, as each takes hours: --servers with one of %s"
              .formatted(study.name(), String.join(", ", servers)));
    }
    for (Study.Entry entry : study.servers()) {
      KnobLevel knob = entry.knob();
      if (knob != null
          && study.servers().stream().noneMatch(other -> other.knob() != null && !other.equals(entry) && knob.pairs(other.knob()))) {
        throw Refusal.badUsage(
            "--servers %s: half of a pair tells nothing; --servers %s --knobs %s climbs both"
                .formatted(entry.label(), servers.getFirst(), knob.name()));
      }
    }
  }

  private static @Nullable String untold(EntrySettings settings, boolean host) {
    for (Map.Entry<String, String> setting : settings.sysctl().entrySet()) {
      String key = setting.getKey();
      if (!host && Scope.of(key) == Scope.HOST) {
        return key
            + " has one value for the whole host: --on-this-host sets it there while an entry is measured and puts it back; a lab"
            + " (./ladder lab) has a kernel of its own, in which no time counts";
      }
      if (key.equals(CONGESTION)) {
        loadInLab(setting.getValue());
        String why = congestion(setting.getValue(), words(CONGESTION_KNOWN), host ? List.of() : words(CONGESTION_ALLOWED));
        if (why != null) {
          return why;
        }
      }
    }
    return host && !settings.loopback().isEmpty()
        ? OwnLoopback.elsewhere(settings.loopback().keySet().iterator().next())
        : AppliedSettings.complaint(settings);
  }

  /**
   * Why a congestion control cannot be set; null where it can.
   *
   * @param known to the kernel
   * @param allowed in a network namespace, whatever its owner may do (tcp_set_default_congestion_control in net/ipv4/tcp_cong.c);
   *     none = it is set on the host, or nobody knows
   */
  static @Nullable String congestion(String asked, List<String> known, List<String> allowed) {
    if (!known.contains(asked)) {
      return "'%s' is not among %s (%s); as root on the host: modprobe tcp_%s"
          .formatted(asked, CONGESTION_KNOWN, String.join(" ", known), asked);
    }
    return allowed.isEmpty() || allowed.contains(asked)
        ? null
        : "'%s' is not among %s (%s), and a network namespace takes no other; as root on the host: sysctl -w %2$s='%3$s %1$s'"
            .formatted(asked, CONGESTION_ALLOWED, String.join(" ", allowed));
  }

  /** A lab has the module of each congestion control, and nothing that would load it by itself. */
  private static void loadInLab(String congestion) {
    try {
      LabModules.load("tcp_" + congestion);
    } catch (IOException e) {
      // What the kernel knows then says it: reno has no module at all.
    }
  }

  private static List<String> words(String setting) {
    try {
      return List.of(ProcSys.read(setting).split("\\s+", -1));
    } catch (IOException e) {
      return List.of();
    }
  }
}
