package echoladder.harness.plan;

import echoladder.harness.study.Study;
import org.jspecify.annotations.Nullable;

/**
 * Obstacles to a rung on this host; null = none of that kind.
 *
 * @param outOfReach why this host cannot carry it
 * @param clientMissing why its client cannot be started here
 * @param clientUnfit why its client cannot do it
 */
public record Obstacles(@Nullable String outOfReach, @Nullable String clientMissing, @Nullable String clientUnfit) {
  /** Nothing is. */
  public static final Obstacles NONE = new Obstacles(null, null, null);

  /** Finds what is in the way of one entry of a study at that many connections. */
  @FunctionalInterface
  public interface Finder {
    Obstacles of(Study.Entry entry, int connections);
  }

  /** These obstacles, with that one as out of reach where nothing else is. */
  Obstacles or(@Nullable String why) {
    return outOfReach == null ? new Obstacles(why, clientMissing, clientUnfit) : this;
  }

  /** The first that there is; null = none. */
  public @Nullable String why() {
    return outOfReach != null ? outOfReach : clientMissing != null ? clientMissing : clientUnfit;
  }

  boolean none() {
    return equals(NONE);
  }
}
