package echoladder.harness.minimal;

import echoladder.harness.common.Sha256;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * What the tries of one search have in common, and the study that each of them climbs. Pure.
 *
 * @param server its name
 * @param connections of the one rung
 * @param connectRate as a study has it, e.g. {@code 5000/s}
 * @param connectTimeout as a study has it, e.g. {@code 10s}
 * @param sources addresses that the client connects from; none = its choice
 * @param lifts all that may be made
 */
public record TryQuestion(
    String server, int connections, String connectRate, String connectTimeout, List<String> sources, List<Lift> lifts) {
  /** Messages per second over all connections: it is asked whether connections are held, not what they cost. */
  private static final double RATE_PER_S = 200;

  private static final int HASH_DIGITS = 8;

  public TryQuestion {
    sources = List.copyOf(sources);
    lifts = List.copyOf(lifts);
  }

  /** Name of the folder of the tries: another question, or this one on another kernel, has another folder. */
  public String folder(String kernel) {
    String all = kernel + " " + connectRate + " " + connectTimeout + " " + sources + " " + lifts.stream().map(Lift::words).toList();
    byte[] hash = Sha256.digest().digest(all.getBytes(StandardCharsets.UTF_8));
    return "%s-%d-%s".formatted(server, connections, HexFormat.of().formatHex(hash).substring(0, HASH_DIGITS));
  }

  /** The study of one try, as JSON, which is YAML: every value is named, also those that are as they were. */
  public String study(List<Lift> set) {
    Map<String, String> sysctl = new TreeMap<>();
    Map<String, Object> ofServer = new LinkedHashMap<>();
    for (Lift lift : lifts) {
      String value = lift.value(set.contains(lift));
      switch (lift.kind()) {
        case SYSCTL -> sysctl.put(lift.name(), value);
        case SERVER_NOFILE -> ofServer.put("nofile", Long.parseLong(value));
        case BACKLOG -> ofServer.put("backlog", Integer.parseInt(value));
        case CLIENT_NOFILE -> {
          // It is around the client's command, see clientNofile.
        }
      }
    }
    // It is to be seen what ends the climb, not to be foretold.
    ofServer.put("plan_limits", false);
    Map<String, Object> client = new LinkedHashMap<>();
    if (!sources.isEmpty()) {
      client.put("source_addresses", sources);
      client.put("plan_ports", false);
    }
    Map<String, Object> settings = new LinkedHashMap<>();
    if (!sysctl.isEmpty()) {
      settings.put("sysctl", sysctl);
    }
    settings.put("server", ofServer);
    settings.put("client", client);
    Map<String, Object> entry = new LinkedHashMap<>();
    entry.put("name", server);
    entry.put("settings", settings);
    Map<String, Object> study = new LinkedHashMap<>();
    study.put("name", "tune-minimal");
    study.put("question", "Does %s hold %d connections with these settings?".formatted(server, connections));
    study.put("servers", List.of(entry));
    study.put("rungs", List.of(connections));
    study.put("repeats", 1);
    study.put("load", Map.of("rate", Map.of("total", "%.0f/s".formatted(RATE_PER_S))));
    study.put("phases", phases());
    // Nothing is timed, so no time speaks against a try, nor does what else the host does.
    study.put("bounds", Map.of("response_time_p99", "1h", "server_start", "5m"));
    study.put("thresholds", thresholds());
    return JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build().writeValueAsString(study) + "\n";
  }

  private Map<String, Object> phases() {
    Map<String, Object> phases = new LinkedHashMap<>();
    phases.put("connect_rate", connectRate);
    phases.put("connect_timeout", connectTimeout);
    phases.put("warm_up_min", "0s");
    phases.put("warm_up_max", "3s");
    phases.put("warm_up_echoes", 20);
    phases.put("steady", "2s");
    phases.put("drain", "5s");
    return phases;
  }

  private static Map<String, Object> thresholds() {
    Map<String, Object> thresholds = new LinkedHashMap<>();
    thresholds.put("achieved_share_least", 0.01);
    thresholds.put("late_share_most", 0.99);
    thresholds.put("hiccup_most", "1h");
    thresholds.put("host_idle_share_least", 0);
    thresholds.put("steal_share_most", 0.999);
    thresholds.put("foreign_cpu_share_most", 0.999);
    thresholds.put("cpu_drift_share_most", 0.999);
    thresholds.put("p99_drift_share_most", 0.999);
    return thresholds;
  }

  /** What starts each client process in one try, before its command; empty where nothing is limited. */
  public List<String> clientWrapper(List<Lift> set) {
    List<String> wrapper = new ArrayList<>();
    lifts.stream()
        .filter(lift -> lift.kind() == Lift.Kind.CLIENT_NOFILE)
        .map(lift -> lift.value(set.contains(lift)))
        .forEach(value -> wrapper.addAll(List.of("prlimit", "--nofile=%s:%s".formatted(value, value))));
    return wrapper;
  }
}
