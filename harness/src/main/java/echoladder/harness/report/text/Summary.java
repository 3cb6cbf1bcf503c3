package echoladder.harness.report.text;

import echoladder.harness.common.Units;
import echoladder.harness.compare.ProcessGroups;
import echoladder.harness.metric.HostMetrics;
import echoladder.harness.metric.LoadMetrics;
import echoladder.harness.metric.MemoryMetrics;
import echoladder.harness.metric.Metric;
import echoladder.harness.metric.Percentile;
import echoladder.harness.metric.PushMetrics;
import echoladder.harness.metric.RuntimeMetrics;
import echoladder.harness.metric.ServerTimes;
import echoladder.harness.metric.Shown;
import echoladder.harness.report.plot.MemoryBar;
import echoladder.harness.report.table.CapacityText;
import echoladder.harness.report.table.ReportTables;
import echoladder.harness.report.words.LabText;
import echoladder.harness.report.words.RungText;
import echoladder.harness.report.words.StagedText;
import echoladder.harness.results.AttachedRecord;
import echoladder.harness.results.ClimbRecord;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord;
import echoladder.harness.results.RungRepeats;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/** What a run says, in sentences made from its figures alone. */
public final class Summary {
  private Summary() {}

  /** Who carried how many, at what tail, at what cost, and what stopped each. Quotes valid rungs only. */
  public static String of(RunRecord run, ProcessGroups groups) {
    if (run.rungs().isEmpty() && run.status() == RunRecord.Status.RUNNING) {
      return "No rung has ended yet. The run climbs %s.".formatted(
          run.servers().stream().map(server -> "**" + title(run, server.label()) + "**").collect(Collectors.joining(", ")));
    }
    if (run.study().load().staged() != null) {
      return staged(run);
    }
    if (run.study().capacity() != null) {
      return CapacityText.summary(run);
    }
    List<String> sentences = new ArrayList<>();
    for (List<ClimbRecord> alike : AlikeClimbs.of(run)) {
      ClimbRecord climb = alike.getFirst();
      if (alike.size() > 1) {
        sentences.add(AlikeClimbs.sentence(run, groups, alike, end(run, climb)));
        continue;
      }
      String end = end(run, climb) + CrowdAnswer.of(run, climb);
      sentences.add("**%s** %s%s.".formatted(title(run, climb.server()), carried(run, groups, climb), end));
    }
    return String.join(" ", sentences);
  }

  /** The highest valid rung with its figures; where a higher one was held that is not valid, both, and why it is not. */
  private static String carried(RunRecord run, ProcessGroups groups, ClimbRecord climb) {
    RungRepeats beyond = ReportTables.heldBeyond(run, climb).orElse(null);
    String held = beyond == null ? "" : Units.count(beyond.any().connections());
    Integer valid = climb.highestValidConnections();
    if (valid == null) {
      boolean reached = run.rungs().stream().anyMatch(rung -> rung.server().equals(climb.server()));
      return beyond == null ? reached ? "has no valid rung" : "has not been climbed"
          : "held %s connections; no rung is valid (%s: %s)".formatted(held, held, beyond.reasons());
    }
    RungRepeats rung = RungRepeats.at(climb.server(), valid, run.rungs());
    String figures = figures(run, groups, rung);
    return beyond == null
        ? "carried %s connections%s%s".formatted(Units.count(valid), rate(run, rung), figures)
        : "held %s connections; its highest valid rung is %s (%s: %s)%s%s"
            .formatted(held, Units.count(valid), held, beyond.reasons(), figures.isEmpty() ? "" : ",", figures);
  }

  private static String rate(RunRecord run, RungRepeats rung) {
    return rung.any().key().ratePerS() == null ? "" : " with %s %s".formatted(Units.plain(rung.any().ratePerS()), run.study().rateUnit());
  }

  private static String staged(RunRecord run) {
    List<String> sentences = new ArrayList<>();
    for (RungRecord rung : RungText.byServer(run)) {
      sentences.add(
          "**%s**: %s."
              .formatted(
                  title(run, rung.server()), rung.valid() ? StagedText.sentence(rung) : "no valid measurement"));
    }
    return String.join(" ", sentences);
  }

  private static String figures(RunRecord run, ProcessGroups groups, RungRepeats rung) {
    RungText text = new RungText(rung, false, groups, run.runId());
    if (!LabText.quotesTimes(run)) {
      // A lab's times and CPU are not to be quoted.
      return " at %s of RSS and %s of live heap per connection"
          .formatted(text.of(MemoryMetrics.RSS_PER_CONNECTION), text.of(MemoryMetrics.LIVE_HEAP_PER_CONNECTION));
    }
    // A short steady state has too few messages for a p99.
    boolean p99 = text.has(Shown.P99);
    StringBuilder figures = new StringBuilder();
    boolean pushed = rung.shown().stream().anyMatch(shown -> shown.load() != null && PushMetrics.isPush(shown.load()));
    if (pushed && text.has(PushMetrics.DELIVERY.at(Percentile.P99))) {
      figures.append(" at delivery time p99 ").append(text.of(PushMetrics.DELIVERY.at(Percentile.P99)));
    } else if (p99 || text.has(Shown.P50)) {
      Metric shown = ServerTimes.in(rung.shown(), p99 ? Shown.P99 : Shown.P50);
      figures.append(" at %s %s %s".formatted(ServerTimes.of(rung.shown()).words(), shown.words().brief(), text.of(shown)));
    }
    String cpu = text.of(LoadMetrics.SERVER_CPU);
    if (!cpu.equals(Units.NONE)) {
      figures.append(figures.isEmpty() ? " at " : " and ").append(cpu).append(" of server CPU per ").append(pushed ? "delivery" : "echo");
    }
    String timesFloor = text.of(HostMetrics.CPU_MULTIPLE_OF_FLOOR);
    if (!timesFloor.equals(Units.NONE)) {
      figures.append(" (").append(timesFloor).append(" the floor's)");
    }
    return figures.toString();
  }

  /** What stopped it, as the rest of a sentence. A limit that was touched and stopped nothing stands where each climb's end is told. */
  private static String end(RunRecord run, ClimbRecord climb) {
    int top = run.study().rungs().getLast();
    String at = climb.endedAtConnections() == null ? "" : Units.count(climb.endedAtConnections());
    return switch (climb.end()) {
      case TOP_OF_STUDY ->
          Objects.equals(climb.highestValidConnections(), top)
              ? ", the study's highest rung"
              : "; the study's highest rung, " + Units.count(top) + ", was climbed without a valid measurement";
      case CLIENT_MISSING -> "; its load tool is not on this host";
      case OUT_OF_REACH -> "; " + at + " is out of this host's reach";
      case RESPONSE_TIME_BOUND -> "; at " + at + " its " + climb.reason();
      case NOT_HELD -> "; " + at + " it did not hold (" + why(climb) + ")";
      case SERVER_FAILED -> "; at " + at + " it failed (" + why(climb) + ")";
      case INTERRUPTED, UNFINISHED -> "; " + climb.reason();
    };
  }

  /** The limit that was met, whose evidence stands in the table; else what was seen. */
  private static String why(ClimbRecord climb) {
    return climb.limit() == null ? climb.reason() : climb.limit().id() + " was met";
  }

  private static String title(RunRecord run, String label) {
    return run.server(label)
        .map(s -> s.label().equals(s.name()) ? s.title() : s.title() + " (" + label + ")")
        .orElse(label);
  }

  /** That the server was somebody else's, and what is not known of it; empty where it was started here. */
  public static String attached(RunRecord run) {
    AttachedRecord attached = run.attached();
    return attached == null
        ? run.overHosts() ? hosts(run) : OwnText.of(run)
        : "**Attached:** this run climbed a server that somebody else had started, at `%s`, and read its figures from `%s`. "
                .formatted(attached.target(), attached.serverMetrics())
            + "Not available: " + String.join(", ", missing(run)) + ".";
  }

  /** On which hosts it ran; empty of a run on one. */
  static String hosts(RunRecord run) {
    return !run.overHosts()
        ? ""
        : "**Hosts:** servers ran on %s, clients on %s. Host figures (CPU per echo, idle, steal, kernel memory) are those of %s. "
                .formatted(
                    String.join(", ", run.hostsIn("servers")), String.join(", ", run.hostsIn("clients")),
                    String.join(", ", run.hostsIn("servers")))
            + "Client figures are of all client hosts together, with merged histograms; `hosts` in run.json has each one's own.";
  }

  private static List<String> missing(RunRecord run) {
    List<String> missing = new ArrayList<>(List.of("its command and options", "its threads and context switches"));
    if (!attachedHere(run)) {
      missing.add("the limits, settings, idle share, steal and kernel memory of its host");
    }
    missing(run, missing, "its CPU", LoadMetrics.SERVER_CPU);
    missing(run, missing, "its RSS", LoadMetrics.SERVER_RSS);
    missing(run, missing, "its live heap", MemoryMetrics.LIVE_HEAP);
    missing(run, missing, "its collections", RuntimeMetrics.GC_COUNT);
    if (run.rungs().stream().anyMatch(MemoryMetrics::usedServer)) {
      missing.add(
          "RSS and kernel memory per connection where the same process had held connections before, as what it keeps of them is"
              + " not growth");
    }
    return missing;
  }

  private static boolean attachedHere(RunRecord run) {
    return run.attached() != null && run.attached().sameHost();
  }

  /** Adds a figure that no measured rung has. */
  private static void missing(RunRecord run, List<String> missing, String what, Metric figure) {
    boolean measured = run.rungs().stream().anyMatch(r -> r.load() != null);
    if (measured && run.rungs().stream().allMatch(r -> figure.of(r) == null)) {
      missing.add(what);
    }
  }

  /** What the reader must not conclude from it. */
  public static List<String> limits(RunRecord run) {
    List<String> limits = new ArrayList<>();
    if (run.study().load().staged() != null) {
      limits.add(
          "Figures of the closed loop belong to these users: their number, pause and patience decide the rate. They are no"
              + " throughput of a server, and their percentiles leave out what was not asked for while answers were awaited.");
      limits.add(
          "Users do not give up: a late answer is awaited and counts as an error. Connections were opened and verified before"
              + " the first stage, two per user: no connect is in these times.");
    }
    limits.add(
        run.study().repeats() == 1
            ? "Each rung was measured once: the figures carry no spread, so small differences show nothing."
            : "The repeats are of one run on one host: their range does not cover what differs between hosts, or days.");
    AttachedRecord attached = run.attached();
    limits.add(
        run.overHosts()
            ? "Server and clients run on different hosts: all host figures are those of the server's host. Nothing here is"
                + " compared with figures taken over loopback."
            : shared(attached != null && !attached.sameHost()));
    String crowded = PlacementText.crowded(run);
    if (crowded != null) {
      limits.add(crowded);
    }
    limits.add(
        "CPU per echo falls with batching: it belongs to this offered rate and these connection counts, not to the server"
            + " alone.");
    limits.add(
        "RSS per connection is the growth from ready to the end of the steady state, free heap included; live heap is all"
            + " that was reachable after a forced collection, the runtime's own share included; kernel memory is that of"
            + ends(run)
            + (MemoryBar.kernelOf(run).equals(MemoryMetrics.KERNEL_PER_CONNECTION)
                ? ": slab, kernel stacks and page tables."
                : ", socket objects only."));
    if (run.status() != RunRecord.Status.COMPLETE) {
      limits.add("The run did not come to its end: what is missing was not measured.");
    }
    return limits;
  }

  /** Whose sockets are in the memory of the host that was read. */
  private static String ends(RunRecord run) {
    AttachedRecord attached = run.attached();
    boolean one = (run.overHosts() && !run.onOneKernel()) || (attached != null && !attached.sameHost());
    return !one ? " both ends" : run.overHosts() ? " the server's end" : " the client's end";
  }

  private static String shared(boolean serverElsewhere) {
    return serverElsewhere
        ? "Server and client run on different hosts: all host figures (CPU per echo, idle, steal, kernel memory) are"
            + " those of the client's host, and its verdicts say nothing of the server's. Nothing here is compared"
            + " with figures taken over loopback."
        : "Server and client share this host's processors and its loopback: no network card, no wire, and the"
            + " receiver's kernel work is charged to the sender. The host's CPU per echo stands beside the server's"
            + " for that reason.";
  }
}
