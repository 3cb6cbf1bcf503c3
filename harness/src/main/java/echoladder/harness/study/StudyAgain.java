package echoladder.harness.study;

import echoladder.harness.client.LoadTools;
import echoladder.harness.common.Refusal;
import echoladder.harness.common.YamlSchema;
import echoladder.harness.common.YamlTree;
import echoladder.harness.server.ServerManifest;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * A study as it stands in a run.json, checked like one that is read from its file: the record may be somebody else's, or of a
 * ladder that allowed more. It is written as a study.yaml again, entry by entry, and that goes through the same checks. The
 * stages of users are not written; what an older record has of them is what its ladder checked.
 */
public final class StudyAgain {
  private static final double NS_PER_MS = 1e6;
  private static final double BITS_PER_KBIT = 1e3;

  private StudyAgain() {}

  /**
   * Checks it.
   *
   * @throws Refusal (bad usage) listing all that is wrong
   */
  public static void check(Study study, Map<String, ServerManifest> servers) {
    List<String> wrong = new ArrayList<>();
    YamlSchema schema = LoadTools.schemaOfStudies();
    for (Study.Entry entry : study.servers()) {
      wrong.addAll(schema.complaints(new YamlTree("run.json, study, " + entry.label(), yaml(study, entry), Map.of(), Map.of())));
    }
    if (wrong.isEmpty()) {
      YamlTree whole = new YamlTree("run.json, study", JsonNodeFactory.instance.objectNode(), Map.of(), Map.of());
      // It may come from a lab, which is asked for less.
      StudyChecks checks = new StudyChecks(whole, servers, true);
      Set<String> labels = study.servers().stream().map(Study.Entry::label).collect(Collectors.toSet());
      wrong.addAll(checks.complaints(study, labels, null));
      wrong.addAll(checks.unfit(study, study, labels));
      if (study.load().staged() == null) {
        wrong.addAll(checks.loads(study));
      }
    }
    if (!wrong.isEmpty()) {
      throw Refusal.badUsage(
          "the study in this run's record would not be accepted from a file:\n" + String.join("\n", wrong));
    }
  }

  /** The study with that one entry. */
  static ObjectNode yaml(Study study, Study.Entry entry) {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    root.put("name", study.name());
    root.put("question", study.question());
    root.put("client", study.client());
    root.putArray("servers").add(entry(entry));
    // Of users in stages these are made from the stages.
    boolean staged = study.load().staged() != null;
    ArrayNode rungs = root.putArray("rungs");
    (staged ? List.of(1) : study.rungs()).forEach(rungs::add);
    root.put("repeats", study.repeats());
    if (study.budgetNs() != null) {
      root.put("budget", time(study.budgetNs()));
    }
    texts(root, "fail_if", study.failIf());
    root.set("load", load(study.load()));
    Study.Phases phases = study.phases();
    ObjectNode of = root.putObject("phases");
    of.put("connect_rate", rate(phases.connectsPerS()));
    of.put("connect_timeout", time(phases.connectTimeoutNs()));
    of.put("warm_up_min", time(phases.warmUpMinNs()));
    of.put("warm_up_max", time(phases.warmUpMaxNs()));
    of.put("drain", time(phases.drainNs()));
    of.put("steady", staged ? "1s" : time(phases.steadyNs()));
    if (phases.standWarmUpNs() > 0) {
      of.put("stand_warm_up", time(phases.standWarmUpNs()));
    }
    if (phases.acceptStallNs() > 0) {
      of.put("accept_stall", time(phases.acceptStallNs()));
    }
    if (phases.warmUpEchoes() != null) {
      of.put("warm_up_echoes", phases.warmUpEchoes());
    }
    ObjectNode bounds = root.putObject("bounds");
    bounds.put("response_time_p99", time(study.bounds().responseTimeP99Ns()));
    bounds.put("server_start", time(study.bounds().serverStartNs()));
    Study.Thresholds thresholds = study.thresholds();
    ObjectNode most = root.putObject("thresholds");
    if (!staged) {
      most.put("achieved_share_least", thresholds.achievedShareLeast());
    }
    most.put("late_share_most", thresholds.lateShareMost());
    most.put("hiccup_most", time(thresholds.hiccupMostNs()));
    most.put("host_idle_share_least", thresholds.hostIdleShareLeast());
    most.put("steal_share_most", thresholds.stealShareMost());
    most.put("foreign_cpu_share_most", thresholds.foreignCpuShareMost());
    most.put("cpu_drift_share_most", thresholds.cpuDriftShareMost());
    most.put("p99_drift_share_most", thresholds.p99DriftShareMost());
    if (study.capacity() != null) {
      ObjectNode capacity = root.putObject("capacity");
      capacity.put("most", rate(study.capacity().mostPerS()));
      capacity.put("resolution", study.capacity().resolution());
      capacity.put("tries", study.capacity().tries());
    }
    if (study.lab() != null) {
      ObjectNode lab = root.putObject("lab");
      lab.put("memory", mebibytes(study.lab().memoryBytes()) + "M");
      lab.put("timeout", time(study.lab().timeoutNs()));
    }
    return root;
  }

  private static ObjectNode entry(Study.Entry entry) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("name", entry.server());
    node.put("client", entry.client());
    ObjectNode options = node.putObject("options");
    entry.options().forEach(options::put);
    if (entry.jdk() != null) {
      node.put("jdk", entry.jdk());
    }
    ObjectNode settings = node.putObject("settings");
    if (!entry.settings().sysctl().isEmpty()) {
      ObjectNode sysctl = settings.putObject("sysctl");
      entry.settings().sysctl().forEach(sysctl::put);
    }
    entry.settings().loopback().forEach((setting, value) -> settings.put(setting.id(), value));
    entry.settings().route().forEach((name, value) -> settings.withObjectProperty("route").put(name, value));
    Network network = entry.settings().network();
    if (network != null) {
      node.set("network", network(network));
    }
    EntrySettings.OfServer server = entry.settings().server();
    ObjectNode ofServer = settings.putObject("server");
    put(ofServer, "nofile", server.nofile());
    texts(ofServer, "without", server.without());
    if (server.memoryBytes() != null) {
      ofServer.put("memory", server.memoryBytes() + "B");
    }
    put(ofServer, "tasks", server.tasks());
    EntrySettings.OfClient client = entry.settings().client();
    ObjectNode ofClient = settings.putObject("client");
    texts(ofClient, "source_addresses", client.sourceAddresses());
    texts(ofClient, "target_addresses", client.targetAddresses());
    if (entry.load() != null) {
      node.set("load", load(entry.load()));
    }
    return node;
  }

  private static ObjectNode network(Network network) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("delay", time(network.delayNs()));
    node.put("jitter", time(network.jitterNs()));
    node.put("loss", Network.percent(network.lossShare()));
    if (network.bitsPerS() != null) {
      node.put("rate", String.format(Locale.ROOT, "%.3fkbit", network.bitsPerS() / BITS_PER_KBIT));
    }
    node.put("reorder", Network.percent(network.reorderShare()));
    node.put("mtu", network.mtuBytes());
    word(node, "cut", network.cut());
    if (network.cutMostNs() != null) {
      node.put("cut_most", time(network.cutMostNs()));
    }
    return node;
  }

  private static ObjectNode load(StudyLoad load) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    ObjectNode rate = node.putObject("rate");
    if (load.staged() != null) {
      rate.put("total", "1/s");
      return node;
    }
    if (load.totalPerS() != null) {
      rate.put("total", rate(load.totalPerS()));
    }
    if (load.perConnectionPerS() != null) {
      rate.put("per_connection", rate(load.perConnectionPerS()));
    }
    if (load.severalRates()) {
      ArrayNode totals = rate.putArray("totals");
      load.totalsPerS().forEach(total -> totals.add(rate(total)));
    }
    node.put("message", load.messageBytes() + "B");
    node.put("schedule", load.schedule().id());
    node.put("active_share", load.activeShare());
    node.put("in_flight", load.inFlight());
    node.put("seed", load.seed());
    node.put("cpus", load.cpus());
    node.put("spin", time(load.spinNs()));
    word(node, "idle", load.idle());
    if (load.churnPerS() != null) {
      node.put("churn", rate(load.churnPerS()));
    }
    word(node, "lifetime", load.lifetime());
    word(node, "storm", load.storm());
    if (load.publish() != null) {
      node.put("publish", load.publish());
    }
    if (load.slowReaders() != null) {
      ObjectNode slow = node.putObject("slow_readers").put("share", load.slowReaders().share());
      if (load.slowReaders().bytesPerS() != null) {
        slow.put("rate", load.slowReaders().bytesPerS() + "B/s");
      }
    }
    if (load.tls() != null) {
      node.put("tls", load.tls());
    } else {
      // An entry that is plain says so where the study is not.
      node.put("tls", false);
    }
    return node;
  }

  private static void word(ObjectNode node, String key, @Nullable Enum<?> value) {
    if (value != null) {
      node.put(key, value.name().toLowerCase(Locale.ROOT));
    }
  }

  private static void put(ObjectNode node, String key, @Nullable Long value) {
    if (value != null) {
      node.put(key, value);
    }
  }

  private static void texts(ObjectNode node, String key, List<String> values) {
    if (!values.isEmpty()) {
      ArrayNode list = node.putArray(key);
      values.forEach(list::add);
    }
  }

  private static String time(long ns) {
    return String.format(Locale.ROOT, "%.6fms", ns / NS_PER_MS);
  }

  private static String rate(double perSecond) {
    return String.format(Locale.ROOT, "%.9f/s", perSecond);
  }

  private static long mebibytes(long bytes) {
    return bytes >> 20;
  }
}
