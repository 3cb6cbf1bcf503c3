package echoladder.harness.compare;

import echoladder.harness.results.Environment;
import echoladder.harness.results.RunRecord;
import echoladder.harness.results.RungRecord;
import echoladder.harness.study.Study;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** What is not alike around two runs: host, runtimes, settings, study and what the servers ran with. Pure. */
public final class Surroundings {
  /** Parts of the environment that are another with every run, and the doctor's, which is about a host as it was then. */
  private static final Set<String> ALWAYS =
      Set.of("doctor", "gaps", Environment.MOMENT, "memory.available_bytes", "host.memory_available_bytes", "host.boot_id");

  private static final JsonMapper JSON = JsonMapper.shared();
  private static final TypeReference<Map<String, @Nullable Object>> TREE = new TypeReference<>() {};

  /**
   * One thing that differs.
   *
   * @param name dotted
   * @param first its value in the first run; absent ones and null are "–"
   */
  public record Difference(String name, String first, String second) {}

  private Surroundings() {}

  /** Sorted by name within environment, study and servers. */
  static List<Difference> differences(RunRecord first, RunRecord second) {
    List<Difference> differences = new ArrayList<>();
    differences.addAll(environments(first.environment(), second.environment()));
    add(differences, study(first), study(second));
    add(differences, servers(first), servers(second));
    return differences;
  }

  /** Differences between two environments alone, sorted by name. */
  public static List<Difference> environments(Map<String, @Nullable Object> first, Map<String, @Nullable Object> second) {
    List<Difference> differences = new ArrayList<>();
    add(differences, flat(first), flat(second));
    return differences;
  }

  private static void add(List<Difference> differences, Map<String, String> first, Map<String, String> second) {
    Set<String> names = new TreeSet<>(first.keySet());
    names.addAll(second.keySet());
    for (String name : names) {
      String a = first.getOrDefault(name, "–");
      String b = second.getOrDefault(name, "–");
      if (!Objects.equals(a, b)) {
        differences.add(new Difference(name, a, b));
      }
    }
  }

  private static Map<String, String> flat(Map<String, @Nullable Object> environment) {
    Map<String, String> flat = new TreeMap<>();
    flatten("", environment, flat);
    flat.keySet().removeIf(name -> ALWAYS.stream().anyMatch(a -> name.equals(a) || name.startsWith(a + ".")));
    return flat;
  }

  /** A record as run.json has it. */
  static Map<String, @Nullable Object> tree(Object record) {
    return JSON.convertValue(record, TREE);
  }

  /** Adds the values of a tree by their dotted names; those that are null are left out. */
  static void flatten(String name, @Nullable Object value, Map<String, String> into) {
    if (value instanceof Map<?, ?> map) {
      map.forEach((key, part) -> flatten(name.isEmpty() ? String.valueOf(key) : name + "." + key, part, into));
    } else if (value != null) {
      into.put(name, String.valueOf(value));
    }
  }

  /** The study with every default filled in, but for its words; its servers by label, as they may be others. */
  private static Map<String, String> study(RunRecord run) {
    Map<String, @Nullable Object> study = JSON.convertValue(run.study(), TREE);
    study.keySet().removeAll(Set.of("question", "servers"));
    study.put("servers", run.study().servers().stream().map(Study.Entry::label).toList());
    Map<String, String> of = new TreeMap<>();
    flatten("study", study, of);
    for (Study.Entry entry : run.study().servers()) {
      Map<String, @Nullable Object> told = JSON.convertValue(entry, TREE);
      told.keySet().removeAll(Set.of("label", "options"));
      told.put("load", JSON.convertValue(run.study().load(entry), TREE));
      flatten(entry.label(), told, of);
    }
    if (run.attached() != null) {
      of.put("attached.target", run.attached().target());
    }
    of.put("client", String.join(" ", run.clientCommand()));
    return of;
  }

  /** Options in force, and what each server said it runs with. */
  private static Map<String, String> servers(RunRecord run) {
    Map<String, String> of = new TreeMap<>();
    for (RunRecord.ServerRecord server : run.servers()) {
      flatten(server.label() + ".options", server.options(), of);
    }
    for (RungRecord rung : run.rungs()) {
      if (rung.process() != null) {
        flatten(rung.server() + ".config", rung.process().config(), of);
        of.put(rung.server() + ".command", String.join(" ", rung.process().command()));
      }
    }
    return of;
  }
}
