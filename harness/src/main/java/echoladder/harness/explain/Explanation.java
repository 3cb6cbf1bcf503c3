package echoladder.harness.explain;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * What a pasted text may mean.
 *
 * @param found whether something fits
 * @param matches what fits, the best first; where nothing does, the nearest
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record Explanation(boolean found, List<Match> matches) {
  public Explanation {
    matches = List.copyOf(matches);
  }

  /**
   * A cause.
   *
   * @param topic its name
   * @param means one sentence
   * @param text the known text that was found in what was pasted; null where a single word or a number led here
   * @param walls limits that stop at a number that was given
   * @param here what makes the limit on this host: kernel settings by key, or the limit of this process
   * @param show the command that shows the binding limit
   * @param lift the command that lifts it
   * @param page {@code runbooks/...}
   * @param score for the order: the higher, the more of the known text is there
   */
  @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
  public record Match(
      String topic,
      String means,
      @Nullable String text,
      List<Wall> walls,
      Map<String, String> here,
      String show,
      String lift,
      String page,
      double score) {}
}
