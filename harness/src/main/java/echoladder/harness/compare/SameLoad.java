package echoladder.harness.compare;

import echoladder.harness.results.RunFolder;
import echoladder.harness.results.RunRecord.ServerRecord;
import echoladder.harness.results.RunRecord;
import echoladder.harness.study.Network;
import echoladder.harness.study.Study;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Whether a server had one load in two runs, in one placement, over one network. Everything that the record of a study has of a load, and
 * of what is set for a server, is compared but for what is named here as none: a key that is added to one of them is compared from then on.
 */
final class SameLoad {
  /** A request of up to 64 KiB is no text for a sentence. */
  private static final int LONGEST = 60;

  /**
   * Parts of a load that make no other load: the moments of the sends; rates, each of which is a part of a rung's key; users in stages,
   * which have no rungs.
   */
  private static final Set<String> NOT_OF_LOAD = Set.of("seed", "totals_per_s", "staged");

  /** Components of the phases that say how long each lasts, or has to answer. The others are the load of the ramp. */
  private static final Set<String> NOT_OF_RAMP =
      Set.of("connect_timeout_ns", "warm_up_min_ns", "warm_up_max_ns", "warm_up_echoes", "steady_ns", "drain_ns", "stand_warm_up_ns");

  /** Components that say which server of the user's own it is. The others are what it is asked. */
  private static final Set<String> NOT_OF_OWN = Set.of("command", "pid", "port");

  /**
   * Parts of what is set for a server that two runs may be compared for: each changes the host, the server or the addresses, and not what
   * is sent. A comparison shows them; pooled runs have them alike.
   */
  static final Set<String> SETTINGS = Set.of("sysctl", "server", "client", "rps_of_lo", "qdisc_of_lo", "route");

  private static final String SETTING = "settings.";
  private static final String NETWORK = SETTING + "network.";
  private static final String NETWORK_WHAT = "the network between client and server";
  private static final String NETWORK_WHY =
      "its delay is in every time, what it loses is sent again, and how it is cut is what a server notices";

  private static final Map<String, Said> SAID =
      Map.ofEntries(
          said("load.total_per_s", "the total rate", "CPU per echo and times depend on it"),
          said("load.per_connection_per_s", "the rate per connection", "CPU per echo and times depend on it"),
          said("load.message_bytes", "the message size", "every figure depends on it"),
          said("load.schedule", "the schedule", "Poisson has a tail of its own, and in a burst all wait for each other"),
          said("load.active_share", "the active share", "idle connections cost less"),
          said("load.in_flight", "the messages in flight", "they wait for each other"),
          said("load.cpus", "the processors of server and client (cpus)", "on shared ones each takes time from the other"),
          said("load.spin_ns", "how long the client polls before a send (spin)", "it takes processor time, and sends less late"),
          said("load.idle", "what idle processors do (idle)", "one that halts has to be woken, which costs time and CPU per echo"),
          said("load.churn_per_s", "the connections replaced per second (churn)", "a replacement costs more than an echo"),
          said("load.lifetime", "how long connections live", "the load of their replacements is another"),
          said("load.storm", "whether all connections come back at once (storm)", "one server was started again within its rung"),
          said("load.publish", "who gets a message that is pushed (publish)", "a delivery is no echo"),
          said("load.slow_readers", "the connections that do not read (slow_readers)", "what waits for them takes memory and CPU"),
          said("load.tls", "TLS under the protocol (tls)", "it takes CPU and memory"),
          said("phases.connects_per_s", "the rate of connects", "the ramp is another load"),
          said("phases.accept_stall_ns", "how long the server was stopped in the ramp", "the ramp is another load"),
          said("client", "the load tool", "each has times of its own"));

  /** What a part of the load is called, and why it decides. */
  private record Said(String what, String why) {}

  private SameLoad() {}

  private static Map.Entry<String, Said> said(String key, String what, String why) {
    return Map.entry(key, new Said(what, why));
  }

  /** In what the load of a server differs, in sentences; empty = one load, in one placement. */
  static List<String> differences(RunRecord first, Study.Entry ours, RunRecord second, Study.Entry theirs) {
    Map<String, String> a = of(first, ours);
    Map<String, String> b = of(second, theirs);
    Set<String> keys = new TreeSet<>(a.keySet());
    keys.addAll(b.keySet());
    List<String> differences = new ArrayList<>();
    Network here = ours.settings().network();
    Network there = theirs.settings().network();
    if ((here == null) != (there == null)) {
      // One sentence, and not one for each part of the only network.
      keys.removeIf(key -> key.startsWith(NETWORK));
      differences.add("they differ in %s (%s and %s): %s".formatted(NETWORK_WHAT, text(here), text(there), NETWORK_WHY));
    }
    for (String key : keys) {
      if (!Objects.equals(a.get(key), b.get(key))) {
        Said said = said(key);
        differences.add("they differ in %s (%s and %s): %s".formatted(said.what, text(a.get(key)), text(b.get(key)), said.why));
      }
    }
    return differences;
  }

  private static Said said(String key) {
    return key.startsWith(NETWORK)
        ? new Said("%s, %s".formatted(NETWORK_WHAT, key.substring(NETWORK.length())), NETWORK_WHY)
        : SAID.getOrDefault(key, new Said(key, "it is a part of the load, which every figure depends on"));
  }

  private static String text(@Nullable Network network) {
    return network == null ? "loopback" : network.words();
  }

  private static String text(@Nullable String value) {
    String text = value == null ? "none" : value;
    return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "…";
  }

  /** What an entry is loaded with, by names as run.json has them. */
  private static Map<String, String> of(RunRecord run, Study.Entry entry) {
    Map<String, String> of = new TreeMap<>();
    put(of, "load.", run.study().load(entry), NOT_OF_LOAD);
    put(of, "phases.", run.study().phases(), NOT_OF_RAMP);
    run.server(entry.label()).map(ServerRecord::own).ifPresent(own -> put(of, "own.", own, NOT_OF_OWN));
    of.put("client", entry.client());
    put(of, SETTING, entry.settings(), SETTINGS);
    Network network = entry.settings().network();
    if (network != null) {
      of.remove(SETTING + "network");
      put(of, NETWORK, network, Set.of());
    }
    return Collections.unmodifiableMap(of);
  }

  private static void put(Map<String, String> into, String prefix, Object record, Set<String> none) {
    for (Map.Entry<String, JsonNode> part : RunFolder.tree(record).properties()) {
      JsonNode value = part.getValue();
      if (!value.isNull() && !none.contains(part.getKey())) {
        into.put(prefix + part.getKey(), value.isString() ? value.asString() : value.toString());
      }
    }
  }
}
