package echoladder.harness.compare;

import echoladder.harness.results.RunRecord;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What tells the host of a run from hosts of another kind, by environment.json: processors, their clock, what they do when they idle, the
 * kernel's build and what the host runs on. Two hosts with one fingerprint may be two machines of one kind. Pure.
 *
 * @param facts by their names in environment.json; "–" = the run did not record it
 */
public record Fingerprint(Map<String, String> facts) {
  private static final String UNKNOWN = "–";

  private static final List<String> FACTS =
      List.of(
          "cpu.model", "cpu.processors", "cpu.threads_per_core", "cpu.microcode", "cpu.idle_driver", "cpu.idle_governor",
          "cpu.haltpoll.guest_halt_poll_ns", "kernel.release", "kernel.version", "kernel.architecture", "kernel.hz", "kernel.preemption",
          "kernel.clocksource", "virtualization.hypervisor_flag", "virtualization.product", "virtualization.container");

  /** In a guest within a guest a system call and a switch cost several times as much. */
  private static final String NESTED = "nested_pvm=1";

  /** A clock that is measured at each start of a kernel is another by less. */
  private static final double MHZ_STEP = 10;

  public Fingerprint {
    facts = new LinkedHashMap<>(facts);
  }

  /** The fingerprint of a run's host: of a run over several the servers'. */
  public static Fingerprint of(RunRecord run) {
    Map<String, String> facts = new LinkedHashMap<>();
    for (String fact : FACTS) {
      facts.put(fact, text(at(run.environment(), fact)));
    }
    facts.put("clock", clock(run.environment()));
    String started = text(at(run.environment(), "kernel.command_line"));
    facts.put("virtualization.nested", started.equals(UNKNOWN) ? UNKNOWN : String.valueOf(started.contains(NESTED)));
    return new Fingerprint(facts);
  }

  /** The fixed clock of a processor, to 10 MHz; of one whose clock is scaled its highest. */
  private static String clock(Map<String, @Nullable Object> environment) {
    Object most = at(environment, "cpu.mhz_most");
    boolean scaled = at(environment, "cpu.governor") != null;
    if (most == null && !scaled && at(environment, "moment.mhz") instanceof List<?> now && !now.isEmpty()) {
      most = now.getFirst();
    }
    return most instanceof Number mhz ? Math.round(mhz.doubleValue() / MHZ_STEP) * Math.round(MHZ_STEP) + " MHz" : UNKNOWN;
  }

  private static String text(@Nullable Object value) {
    return value == null ? UNKNOWN : String.valueOf(value);
  }

  /** A value by its dotted path; null where there is none. */
  static @Nullable Object at(Map<String, @Nullable Object> from, String path) {
    Object found = from;
    for (String part : path.split("\\.", -1)) {
      found = found instanceof Map<?, ?> map ? map.get(part) : null;
    }
    return found;
  }

  /** In what another one differs: {@code kernel.release (6.18.44 and 6.18.50)}. */
  public List<String> differences(Fingerprint other) {
    List<String> differences = new ArrayList<>();
    facts.forEach(
        (name, value) -> {
          String theirs = Objects.requireNonNullElse(other.facts.get(name), UNKNOWN);
          if (!theirs.equals(value)) {
            differences.add("%s (%s and %s)".formatted(name, value, theirs));
          }
        });
    return differences;
  }

  /** A line for a reader. */
  public String text() {
    return "%s x %s, %s, Linux %s, idle driver %s%s"
        .formatted(
            facts.get("cpu.processors"), facts.get("cpu.model"), facts.get("clock"), facts.get("kernel.release"),
            facts.get("cpu.idle_driver"),
            "true".equals(facts.get("virtualization.nested")) ? ", nested virtual machine"
                : "true".equals(facts.get("virtualization.hypervisor_flag")) ? ", virtual machine" : "");
  }
}
