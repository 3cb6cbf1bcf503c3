package echoladder.harness.lab;

import echoladder.harness.common.ProcText;
import echoladder.harness.common.Refusal;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the host behind a lab gives it, which nobody inside can see.
 *
 * @param cpu the processor that all of the lab runs on
 * @param mappings vm.max_map_count; 0 = not known, or not to be looked at
 */
public record LabHost(int cpu, long mappings) {
  /** The variable by which a lab's command is told. */
  static final String VARIABLE = "ECHOLADDER_LAB_HOST";

  /** Behind a lab of those settings. */
  static LabHost of(LabSettings settings, int cpu) {
    // Where whatever there is will do, the command inside is not to refuse it either.
    boolean asked = settings.leastMappings() > 0;
    return new LabHost(cpu, asked ? ProcText.number("/proc/sys/vm/max_map_count").orElse(0) : 0);
  }

  /** The host behind the lab that this process runs in; null where it runs in none, or was not told. */
  public static @Nullable LabHost told() {
    return told(System.getenv(), LabMark.inside());
  }

  static @Nullable LabHost told(Map<String, String> environment, boolean inside) {
    String[] told = environment.getOrDefault(VARIABLE, "").split(":", -1);
    return inside && told.length == 2 && told[0].matches("\\d{1,9}") && told[1].matches("\\d{1,18}")
        ? new LabHost(Integer.parseInt(told[0]), Long.parseLong(told[1]))
        : null;
  }

  String text() {
    return cpu + ":" + mappings;
  }

  /** As environment.json has it. */
  public Map<String, @Nullable Object> record() {
    Map<String, @Nullable Object> map = new LinkedHashMap<>();
    map.put("cpu", cpu);
    map.put("max_map_count", mappings == 0 ? null : (Object) mappings);
    return map;
  }

  /**
   * Refuses to climb to so many connections in this lab, where its host would have a process in it killed on the way.
   *
   * @throws Refusal (cannot run) with the command that lifts it
   */
  public void refuseBeyondMappings(int connections) {
    long needed = Mappings.of(connections);
    if (mappings > 0 && mappings < needed) {
      throw Refusal.cannotRun(Mappings.refusal("%,d connections".formatted(connections), needed, mappings));
    }
  }
}
