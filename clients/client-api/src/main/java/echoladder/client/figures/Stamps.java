package echoladder.client.figures;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * How many answers the kernel's stamps of arrival covered. All is null where the client was told to take no stamps, and of a load tool
 * that has none. Where the kernel refused them the share is 0.
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

  /** Stamps that were asked for; their share is null where nothing was answered. */
  public static Stamps of(long answered, long stamped, long shared, long dropped) {
    return new Stamps(answered == 0 ? null : (Double) ((double) stamped / answered), shared, dropped);
  }

  /** Whether server times stand for all answers. */
  public boolean suffice() {
    return stampedShare != null && stampedShare >= SHARE_LEAST;
  }

  /** Whether those of {@code stamped} answers stand for {@code answered}; of none they stand for nothing. */
  public static boolean suffice(long stamped, long answered) {
    return of(answered, stamped, 0, 0).suffice();
  }
}
