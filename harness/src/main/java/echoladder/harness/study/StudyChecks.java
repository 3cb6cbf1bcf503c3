package echoladder.harness.study;

import echoladder.client.IntendedMessages;
import echoladder.client.LoadTool;
import echoladder.client.Protocol;
import echoladder.client.Schedule;
import echoladder.client.figures.Percentiles;
import echoladder.harness.client.LoadTools;
import echoladder.harness.common.Jdks;
import echoladder.harness.common.Units;
import echoladder.harness.common.YamlTree;
import echoladder.harness.server.ServerManifest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a schema cannot say: how the parts of a study must fit each other and the servers that there are. */
final class StudyChecks {
  /** With fewer a p99 has not the samples beyond it that it needs. */
  private static final int LEAST_MESSAGES = 100 * Percentiles.SAMPLES_BEYOND;

  private final YamlTree yaml;
  private final Map<String, ServerManifest> servers;
  private final boolean inLab;
  private final List<String> complaints = new ArrayList<>();

  /** With {@code inLab}, what only times need is not asked for. */
  StudyChecks(YamlTree yaml, Map<String, ServerManifest> servers, boolean inLab) {
    this.yaml = yaml;
    this.servers = servers;
    this.inLab = inLab;
  }

  /**
   * All that is wrong with a study whose every value is in its range.
   *
   * @param climbed labels of the servers that will be: no other needs a client that fits it
   * @param folder whose name the study must bear; null = none
   */
  List<String> complaints(Study study, Set<String> climbed, @Nullable String folder) {
    if (folder != null && !folder.equals(study.name())) {
      add("/name", "'" + study.name() + "' is not allowed; the study lies in the folder '" + folder + "'");
    }
    rungs(study.rungs());
    totals("/load/rate/totals", study.load());
    phases(study.phases(), study.load().severalRates());
    entries(study, climbed);
    if (study.capacity() != null) {
      capacity(study, study.capacity());
    }
    if (study.breakdown() != null) {
      breakdown(study, study.breakdown());
    }
    return complaints;
  }

  /**
   * What entries ask, by themselves or by the study's axes, that their servers or a network cannot do.
   *
   * @param written the study without its axes
   * @param study with them
   * @param climbed labels of the entries that will be: no other needs a server that fits it
   */
  List<String> unfit(Study written, Study study, Set<String> climbed) {
    List<String> places = written.servers().stream().map(Study.Entry::label).toList();
    Set<String> wrong = new LinkedHashSet<>();
    for (Study.Entry entry : study.servers()) {
      ServerManifest manifest = servers.get(entry.server());
      if (manifest != null && climbed.contains(entry.label())) {
        StudyLoad load = study.load(entry);
        String at = yaml.at(entry.point() == null ? "/servers/" + Math.max(0, places.indexOf(entry.base())) : "/axes");
        add(wrong, at, PublishChecks.ofServer(entry, load, manifest));
        add(wrong, at, SlowReaderChecks.ofServer(entry, load, manifest));
        add(wrong, at, TlsChecks.ofServer(entry, load, manifest));
      }
    }
    // A knob that goes with no network is left out later.
    boolean knobs = study.servers().stream().anyMatch(entry -> entry.knob() != null);
    networks(knobs ? written : study).forEach(what -> add(wrong, yaml.at("/network"), what));
    return List.copyOf(wrong);
  }

  /** Nothing where {@code what} is null. */
  private static void add(Set<String> into, String at, @Nullable String what) {
    if (what != null) {
      into.add(at + ": " + what);
    }
  }

  /** What is wrong with the loads of a study's entries: too much at its highest rung; too little, or bursts too often, at its lowest. */
  List<String> loads(Study study) {
    Set<String> wrong = new LinkedHashSet<>();
    int top = study.rungs().getLast();
    for (Study.Entry entry : study.servers()) {
      StudyLoad load = study.load(entry);
      int lowest = study.rungs().getFirst();
      double rate = load.ratesPerS(lowest).getLast();
      Schedule schedule = load.schedule();
      if (load.staged() == null && load.periodNs(lowest, rate) < schedule.leastPeriodNs()) {
        wrong.add(
            ("%s: %s at %,.0f/s in total at the rung of %,d is a %s every %.3g ms; %d ms (connections that send / rate) or more is"
                + " allowed")
                .formatted(
                    yaml.at("/load/schedule"), schedule.id(), rate, lowest, schedule.id(), load.periodNs(lowest, rate) / 1e6,
                    schedule.leastPeriodNs() / 1_000_000));
      }
      tooFew(study, load, entry, wrong);
      add(wrong, yaml.at(rate(entry).replace("/rate", "/publish")), PublishChecks.ofLoad(study, load, inLab));
      add(wrong, yaml.at(rate(entry).replace("/rate", "/slow_readers")), SlowReaderChecks.ofLoad(study, load));
      add(wrong, yaml.at(rate(entry).replace("/rate", "/tls")), TlsChecks.ofLoad(load));
      double most = study.load(entry).ratesPerS(top).getLast();
      if (most > StudyReader.mostPerSecond()) {
        String pointer = entry.load() == null ? "/load/rate/per_connection" : entry.point() == null ? "/servers" : "/axes/load";
        wrong.add(
            "%s: %,.0f/s in total at the rung of %,d; at most %,.0f/s"
                .formatted(yaml.at(pointer), most, top, StudyReader.mostPerSecond()));
      }
    }
    return List.copyOf(wrong);
  }

  /** Messages of the rung that has the fewest. Users in stages decide their rate as they go; bursts are whole. */
  private void tooFew(Study study, StudyLoad load, Study.Entry entry, Set<String> wrong) {
    int lowest = study.rungs().getFirst();
    double rate = load.ratesPerS(lowest).getFirst();
    String few = load.staged() != null ? null : IntendedMessages.tooFew(lowest, rate, Duration.ofNanos(study.steadyNs(load, lowest, rate)));
    if (few != null) {
      wrong.add("%s: %s; raise the rate, or lengthen phases.steady".formatted(yaml.at(rate(entry)), few));
    }
  }

  /** Where the rate of an entry stands. */
  private static String rate(Study.Entry entry) {
    return entry.load() == null ? "/load/rate" : entry.point() == null ? "/servers" : "/axes/load";
  }

  private void rungs(List<Integer> rungs) {
    for (int i = 1; i < rungs.size(); i++) {
      if (rungs.get(i) <= rungs.get(i - 1)) {
        add("/rungs/" + i, rungs.get(i) + " is not allowed; more than the rung before, " + rungs.get(i - 1));
      }
    }
  }

  private void totals(String pointer, StudyLoad load) {
    List<Double> totals = load.totalsPerS();
    for (int i = 0; i < totals.size(); i++) {
      if (totals.get(i) != Math.rint(totals.get(i))) {
        add(pointer + "/" + i, "%s/s is not allowed; a whole number of messages per second".formatted(Units.plain(totals.get(i))));
      }
    }
    for (int i = 1; i < totals.size(); i++) {
      if (totals.get(i) <= totals.get(i - 1)) {
        add(pointer + "/" + i,
            "%s/s is not allowed; more than the total before, %s/s".formatted(Units.plain(totals.get(i)), Units.plain(totals.get(i - 1))));
      }
    }
  }

  private void phases(Study.Phases phases, boolean severalRates) {
    if (phases.warmUpMaxNs() < phases.warmUpMinNs()) {
      add("/phases/warm_up_max", "less than warm_up_min; %.3g s is, at least %.3g s is allowed"
          .formatted(phases.warmUpMaxNs() / 1e9, phases.warmUpMinNs() / 1e9));
    }
    if (phases.standWarmUpNs() > 0 && !severalRates) {
      add("/phases/stand_warm_up", "not allowed here; it is for load.rate.totals, and a server that has one rate warms up by warm_up_min");
    }
  }

  private void capacity(Study study, Capacity capacity) {
    if (study.repeats() != 1) {
      add("/repeats", study.repeats() + " is not allowed; 1 with capacity, as a search makes more tries where it needs them");
    }
    for (int i = 0; i < study.servers().size(); i++) {
      Study.Entry entry = study.servers().get(i);
      String pointer = "/servers/" + i;
      if (!entry.client().equals(LoadTools.embedded().id())) {
        add(pointer, "the client '%s' does not tell how late it sent, which capacity needs; open-loop does".formatted(entry.client()));
        continue;
      }
      if (study.load(entry).severalRates()) {
        add("/load/rate/totals", "several rates are not allowed; with capacity one, where each search begins");
        continue;
      }
      Schedule schedule = study.load(entry).schedule();
      if (!schedule.level()) {
        add("/load/schedule", "'%s' is not allowed with capacity: its rate changes, so none is held".formatted(schedule.id()));
        continue;
      }
      for (int connections : study.rungs()) {
        double from = study.load(entry).totalPerS(connections);
        if (from > capacity.mostPerS()) {
          add("/capacity/most", "%s/s is below the first rate, %s/s at %,d connections; at least that is allowed"
              .formatted(Units.plain(capacity.mostPerS()), Units.plain(from), connections));
        } else if (from * study.phases().steadyNs() / 1e9 < LEAST_MESSAGES) {
          add("/phases/steady", "a try at the first rate, %s/s at %,d connections, has fewer than %,d messages, which a p99 needs"
              .formatted(Units.plain(from), connections, LEAST_MESSAGES));
        }
      }
    }
  }

  private void breakdown(Study study, Breakdown breakdown) {
    Set<String> labels = new LinkedHashSet<>();
    study.servers().forEach(entry -> labels.addAll(List.of(entry.label(), entry.base())));
    for (String label : breakdown.named()) {
      if (!labels.contains(label)) {
        add("/breakdown", "'%s' is no server of this study; it has %s".formatted(label, String.join(", ", labels)));
      }
    }
    for (int i = 0; i < breakdown.profiles().size(); i++) {
      for (double rate : breakdown.profiles().get(i).ratesPerS()) {
        if (!study.load().totalsPerS().contains(rate)) {
          add("/breakdown/profiles/" + i + "/rates", "%s/s is not allowed; one of load.rate.totals".formatted(Units.plain(rate)));
        }
      }
    }
    if (breakdown.chain().isEmpty() != (breakdown.above() == null)) {
      add("/breakdown", "chain and above go together: the sum is of what the chain's first server costs above that one");
    }
    List<Study.Entry> chain = breakdown.chain().stream().flatMap(label -> study.entry(label).stream()).toList();
    if (chain.stream().map(Study.Entry::server).distinct().count() > 1) {
      add("/breakdown/chain", "'%s' are not allowed; labels of one server, each with one thing more set otherwise"
          .formatted(String.join(", ", breakdown.chain())));
    }
    if (breakdown.sums() && yaml.root().has("axes")) {
      add("/breakdown/chain", "not allowed with axes, which make several entries of a server");
    }
    if (study.capacity() != null) {
      add("/breakdown", "not allowed with capacity, in which each server has a rate of its own");
    }
  }

  private void entries(Study study, Set<String> climbed) {
    List<Study.Entry> entries = study.servers();
    Set<String> labels = new HashSet<>();
    for (int i = 0; i < entries.size(); i++) {
      Study.Entry entry = entries.get(i);
      String pointer = "/servers/" + i;
      if (!labels.add(entry.label())) {
        add(pointer, "'" + entry.label() + "' is there twice; give one of them a label of its own");
      }
      ServerManifest manifest = servers.get(entry.server());
      if (manifest == null) {
        add(pointer, ServerManifest.unknown(entry.server(), servers));
        continue;
      }
      if (entry.load() != null && entry.point() == null) {
        totals(pointer + "/load/rate/totals", entry.load());
      }
      if (climbed.contains(entry.label())) {
        client(pointer, entry, manifest, study.load(entry).staged() != null);
      }
      if (entry.jdk() != null) {
        String wrong = Jdks.complaint(entry.jdk());
        if (!manifest.runtime().equals("jvm")) {
          add(pointer + "/jdk", "'" + entry.server() + "' runs on no JVM");
        } else if (wrong != null) {
          add(pointer + "/jdk", wrong);
        }
      }
      entry
          .options()
          .forEach(
              (name, value) -> {
                String wrong = manifest.complaint(name, value);
                if (wrong != null) {
                  add(pointer + (name.equals(ServerManifest.ENTRY) ? "/" : "/options/") + name, wrong);
                }
              });
    }
  }

  /** What netem cannot do, and what needs a network. Where axes say it, the message names the study's own key. */
  private Set<String> networks(Study study) {
    Set<String> wrong = new LinkedHashSet<>();
    for (Study.Entry entry : study.servers()) {
      EntrySettings settings = entry.settings();
      Network network = settings.network();
      if (network == null) {
        if (!settings.route().isEmpty()) {
          wrong.add("routes are those of a network (network), which this study has not: " + String.join(", ", settings.route().keySet()));
        }
        continue;
      }
      if (network.jitterNs() > network.delayNs()) {
        wrong.add("a jitter of %s is not allowed; at most the delay, %s".formatted(ms(network.jitterNs()), ms(network.delayNs())));
      }
      if (network.reorderShare() > 0 && network.delayNs() == 0) {
        wrong.add("reorder is not allowed without a delay: no packet waits that another could overtake");
      }
      ServerManifest manifest = servers.get(entry.server());
      if (network.cut() != null && manifest != null && manifest.speaks() != Protocol.TCP) {
        wrong.add("cut is not allowed with '%s', which speaks %s: the connections that are cut off speak TCP alone"
            .formatted(entry.server(), manifest.protocol()));
      }
      StudyLoad load = study.load(entry);
      if (network.cut() != null && (load.tls() != null || load.publish() != null)) {
        wrong.add("cut is not allowed with load.%s: the connections that are cut off are plain, and have an echo each"
            .formatted(load.tls() != null ? "tls" : "publish"));
      }
      if (!settings.client().targetAddresses().isEmpty() || !settings.client().sourceAddresses().isEmpty()) {
        wrong.add("source_addresses and target_addresses are of loopback, and not allowed: the network has addresses of its own");
      }
      if (!settings.loopback().isEmpty()) {
        wrong.add("rps_of_lo and qdisc_of_lo are of loopback, and not allowed");
      }
    }
    return wrong;
  }

  private static String ms(long ns) {
    return Units.plain(ns / 1e6) + "ms";
  }

  private void client(String pointer, Study.Entry entry, ServerManifest manifest, boolean staged) {
    LoadTool tool = LoadTools.ofId(entry.client());
    if (staged && manifest.speaks() != Protocol.HTTP) {
      add(pointer, "'%s' speaks %s; users in stages (load.stages) ask over HTTP".formatted(entry.server(), manifest.protocol()));
    } else if (staged && !tool.stages()) {
      add(pointer, "the client '" + tool.id() + "' cannot drive users in stages (load.stages); closed-loop and open-loop can");
    } else if (!staged && !tool.rates()) {
      add(pointer, "the client '" + tool.id() + "' sends no messages at a rate; it drives users in stages (load.stages)");
    } else if (!tool.speaks(manifest.speaks())) {
      add(
          pointer,
          "'%s' speaks %s, which %s does not; clients that fit: %s"
              .formatted(entry.server(), manifest.protocol(), tool.id(), LoadTools.fitting(manifest.speaks())));
    }
  }

  private void add(String pointer, String what) {
    complaints.add(yaml.at(pointer) + ": " + what);
  }
}
