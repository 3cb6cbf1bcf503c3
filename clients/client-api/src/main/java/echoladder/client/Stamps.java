package echoladder.client;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * How many answers the kernel's stamps of arrival covered. All is null where the client took no stamps, where the kernel refused
 * them, and of a load tool that has none.
 *
 * @param stampedShare part of the steady state's right answers whose arrival has a usable stamp, 0 to 1
 * @param stampsShared answers whose stamp is an upper bound, as the same read brought a later answer too
 * @param stampsDropped answers whose stamp was not used: the realtime clock stepped, or its offset was not known closely enough
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record Stamps(@Nullable Double stampedShare, @Nullable Long stampsShared, @Nullable Long stampsDropped) {
  /** The least {@link #stampedShare} with which server times are given: those of the rest are unknown, and may be the longest. */
  public static final double SHARE_LEAST = 0.99;

  /** No stamps were taken. */
  public static final Stamps NONE = new Stamps(null, null, null);

  /** Whether server times stand for all answers. */
  public boolean suffice() {
    return stampedShare != null && stampedShare >= SHARE_LEAST;
  }
}
