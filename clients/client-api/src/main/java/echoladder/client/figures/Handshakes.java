package echoladder.client.figures;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * Handshakes of TLS over the whole load, those of connections that churn and storms open included; all null without TLS.
 *
 * @param handshakes that came to their end
 * @param resumed those of them in which the server took a session of before, so that it showed no certificate and signed nothing
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record Handshakes(@Nullable Long handshakes, @Nullable Long resumed) {
  /** There was no TLS. */
  public static final Handshakes NONE = new Handshakes(null, null);
}
