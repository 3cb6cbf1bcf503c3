package echoladder.harness.study;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * An extra repeat in which a profiler watches each server. It comes after all others, is marked, and nothing of it is quoted.
 *
 * @param kind what the profiler looks at
 * @param servers labels of those that it watches, with or without what axes add to them; none = all of the study
 * @param ratesPerS of the load's several rates those that it watches at; none = all
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record Profile(
    Kind kind,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> servers,
    @Key("rates") @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Double> ratesPerS) {
  /** What a profiler looks at. */
  public enum Kind {
    /** How often each system call is made, and how often it fails. */
    SYSCALLS,
    /** The kernel's own events, and those of the processor where the host counts them. */
    EVENTS,
    /** Stacks, at equal intervals of CPU time. */
    CPU;

    /** As a study names it. */
    public String id() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public Profile {
    servers = servers == null ? List.of() : List.copyOf(servers);
    ratesPerS = ratesPerS == null ? List.of() : List.copyOf(ratesPerS);
  }

  /** Whether it watches a server. */
  public boolean watches(Study.Entry entry) {
    return servers.isEmpty() || servers.contains(entry.label()) || servers.contains(entry.base());
  }

  /** The rates that it watches at, of a load's several. */
  public List<Double> among(List<Double> totalsPerS) {
    return ratesPerS.isEmpty() ? totalsPerS : totalsPerS.stream().filter(ratesPerS::contains).toList();
  }

  /** This profile of those servers alone that a run has; where it has none of them, one that names none. */
  Profile only(Set<String> labels) {
    return servers.isEmpty() ? this : new Profile(kind, servers.stream().filter(labels::contains).toList(), ratesPerS);
  }
}
