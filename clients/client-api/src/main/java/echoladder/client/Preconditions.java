package echoladder.client;

import java.time.Duration;

/** Refuses values of a load in the one form that all of them are refused in. */
final class Preconditions {
  private Preconditions() {}

  static void check(boolean holds, String name, Object value, String allowed) {
    if (!holds) {
      throw new IllegalArgumentException(name + ": " + value + " is not allowed; " + allowed);
    }
  }

  /** Refuses a length of time below {@code least} or above a day. */
  static void checkTime(String name, Duration value, Duration least) {
    check(
        value.compareTo(least) >= 0 && value.compareTo(Duration.ofHours(24)) <= 0,
        name,
        value,
        least.toMillis() + "ms to 24h");
  }

  /** Checks the lengths of a plan's phases. */
  static void checkPhases(Duration connectTimeout, Duration warmUpMin, Duration warmUpMax, Duration steady, Duration drain) {
    checkTime("connect-timeout", connectTimeout, Duration.ofMillis(100));
    checkTime("warm-up-min", warmUpMin, Duration.ZERO);
    checkTime("warm-up-max", warmUpMax, Duration.ZERO);
    check(warmUpMax.compareTo(warmUpMin) >= 0, "warm-up-max", warmUpMax, "at least warm-up-min, " + warmUpMin);
    checkTime("duration", steady, Duration.ofMillis(100));
    checkTime("drain", drain, Duration.ZERO);
  }
}
