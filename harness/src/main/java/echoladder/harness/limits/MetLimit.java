package echoladder.harness.limits;

import java.util.List;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * A limit that was met, and what shows it.
 *
 * @param limit which
 * @param page {@code runbooks/symptoms/PAGE.md}
 * @param because each a fact that was seen in this rung, the telling one first
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record MetLimit(KnownLimit limit, String page, List<String> because) {
  public MetLimit {
    because = List.copyOf(because);
  }

  /** That limit with its page. */
  public static MetLimit of(KnownLimit limit, List<String> because) {
    return new MetLimit(limit, limit.page(), because);
  }

  /** For sentences on what ended there: its name and the facts. */
  public String sentence() {
    return limit.id() + " was met: " + String.join(", ", because);
  }

  /** For a sentence on what went on nevertheless: the limit's name and the telling fact alone. */
  public String inPassing() {
    return limit.id() + " was touched there and ended nothing: " + because.getFirst();
  }
}
