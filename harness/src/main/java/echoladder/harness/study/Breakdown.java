package echoladder.harness.study;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * Where the cost of an echo goes: who is watched by which profiler, and of which parts one server's cost above another's is to be
 * the sum.
 *
 * @param profiles extra repeats, each with a profiler of its own
 * @param chain labels of one server: as it is explained, and then with one thing more set otherwise in each; none = no sum is made
 * @param above the server that costs least, by its label; null where no sum is made
 * @param within by which share of the measured cost the sum may differ from it
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record Breakdown(
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Profile> profiles,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> chain,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String above,
    double within) {
  public Breakdown {
    profiles = profiles == null ? List.of() : List.copyOf(profiles);
    chain = chain == null ? List.of() : List.copyOf(chain);
  }

  /** Whether the parts are to be added up. */
  public boolean sums() {
    return !chain.isEmpty() && above != null;
  }

  /** This breakdown for those servers alone that a run has: without one of them there is no sum. */
  Breakdown only(List<Study.Entry> entries) {
    Set<String> labels = new LinkedHashSet<>();
    entries.forEach(entry -> labels.addAll(List.of(entry.label(), entry.base())));
    List<Profile> left = new ArrayList<>();
    for (Profile profile : profiles) {
      Profile of = profile.only(labels);
      if (of.servers().isEmpty() == profile.servers().isEmpty()) {
        left.add(of);
      }
    }
    boolean whole = entries.stream().map(Study.Entry::label).toList().containsAll(inSum());
    return new Breakdown(left, whole ? chain : List.of(), whole ? above : null, within);
  }

  /** Labels of the servers of the sum; none where none is made. */
  public Set<String> inSum() {
    Set<String> all = new LinkedHashSet<>(chain);
    if (above != null) {
      all.add(above);
    }
    return all;
  }

  /** Labels of all servers that it names. */
  Set<String> named() {
    Set<String> all = inSum();
    profiles.forEach(profile -> all.addAll(profile.servers()));
    return all;
  }
}
