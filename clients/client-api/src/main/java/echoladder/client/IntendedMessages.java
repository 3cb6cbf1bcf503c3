package echoladder.client;

import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** How many messages a load comes to. Pure. */
public final class IntendedMessages {
  private IntendedMessages() {}

  /**
   * Why a load measures nothing, as its steady state comes to less than one message; null where it comes to one.
   *
   * @param ratePerS over all connections together
   */
  public static @Nullable String tooFew(int connections, double ratePerS, Duration steady) {
    double seconds = steady.toNanos() / 1e9;
    // As much as a rate loses that was divided and multiplied again.
    return ratePerS * seconds >= 1 - 1e-9
        ? null
        : "%,d connections at %s/s together for %s s of steady state come to %s messages; 1 or more are needed"
            .formatted(connections, plain(ratePerS), plain(seconds), plain(ratePerS * seconds));
  }

  private static String plain(double number) {
    return BigDecimal.valueOf(number).round(new MathContext(3)).stripTrailingZeros().toPlainString();
  }
}
