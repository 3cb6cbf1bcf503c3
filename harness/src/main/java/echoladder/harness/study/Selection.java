package echoladder.harness.study;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the command line takes of a study, and what it puts in another's place.
 *
 * @param client of every server, whatever the study says; null = as the study says
 * @param labels of the servers to climb; empty = all of them
 */
public record Selection(@Nullable String client, List<String> labels) {
  /** The study as it is. */
  public static final Selection ALL = new Selection(null, List.of());

  public Selection {
    labels = List.copyOf(labels);
  }

  /** As options, with a space before each; empty for {@link #ALL}. */
  public String asOptions() {
    return (client == null ? "" : " --client " + client)
        + (labels.isEmpty() ? "" : " --servers " + String.join(",", labels));
  }
}
