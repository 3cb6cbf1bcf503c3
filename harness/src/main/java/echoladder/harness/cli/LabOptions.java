package echoladder.harness.cli;

import echoladder.harness.common.Quantity;
import echoladder.harness.common.Refusal;
import java.math.BigDecimal;
import java.time.Duration;

/** The amounts that a lab is asked for, checked before anything starts. */
final class LabOptions {
  static final String LEAST_MEMORY = "256M";
  static final String MOST_MEMORY = "4096G";
  static final String LEAST_TIMEOUT = "1s";
  static final String MOST_TIMEOUT = "24h";

  private LabOptions() {}

  /** In bytes; a fraction of a MiB is dropped, as the kernel takes whole ones. */
  static long memory(String text) {
    return checked("--memory", Quantity.MEMORY, text, LEAST_MEMORY, MOST_MEMORY).longValue() >> 20 << 20;
  }

  static Duration timeout(String text) {
    return Duration.ofNanos(checked("--timeout", Quantity.DURATION, text, LEAST_TIMEOUT, MOST_TIMEOUT).longValue());
  }

  private static BigDecimal checked(String option, Quantity quantity, String text, String least, String most) {
    BigDecimal value;
    try {
      value = quantity.parse(text);
    } catch (IllegalArgumentException e) {
      throw Refusal.badUsage("%s: %s, %s to %s".formatted(option, e.getMessage(), least, most));
    }
    if (value.compareTo(quantity.parse(least)) < 0 || value.compareTo(quantity.parse(most)) > 0) {
      throw Refusal.badUsage("%s %s is outside of %s to %s".formatted(option, text, least, most));
    }
    return value;
  }
}
