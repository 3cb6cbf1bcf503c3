package echoladder.client.figures;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * What a load showed that publishes; everything is null of another one. Counts are of messages published in the steady state unless said
 * otherwise.
 *
 * @param publishes messages that were intended
 * @param deliveriesDue deliveries that these come to: as many as the topic of each has subscribers
 * @param deliveriesDone of those, complete and right
 * @param deliveriesMissing deliveries of any phase that never came although a later message of their topic did
 * @param deliveriesDuplicate deliveries of any phase that had come before
 * @param deliveriesOutOfOrder deliveries of any phase that came after a later message of their topic
 * @param deliveriesMixed deliveries of any phase of a topic that the connection had not subscribed to
 * @param audiencesDiffer publishes of any phase whose topic had another number of subscribers by the server than by the client
 * @param time arrival of a delivery's last byte by the kernel's stamp − intended publish; what never came is recorded at its age
 * @param first the earliest of the deliveries of one publish, likewise
 * @param last the latest of them: the whole crowd has the message
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record Deliveries(
    @Nullable Long publishes,
    @Nullable Long deliveriesDue,
    @Nullable Long deliveriesDone,
    @Nullable Long deliveriesMissing,
    @Nullable Long deliveriesDuplicate,
    @Nullable Long deliveriesOutOfOrder,
    @Nullable Long deliveriesMixed,
    @Nullable Long audiencesDiffer,
    @JsonUnwrapped(prefix = "delivery_time_") Percentiles time,
    @JsonUnwrapped(prefix = "first_delivery_") Percentiles first,
    @JsonUnwrapped(prefix = "last_delivery_") Percentiles last) {
  /** Nothing was published. */
  public static final Deliveries NONE =
      new Deliveries(null, null, null, null, null, null, null, null, Percentiles.NONE, Percentiles.NONE, Percentiles.NONE);

  /** The part of the deliveries due that were done, 0 to 1; null where none was due. */
  public @Nullable Double reach() {
    return deliveriesDue == null || deliveriesDone == null || deliveriesDue == 0
        ? null
        : (Double) ((double) deliveriesDone / deliveriesDue);
  }
}
