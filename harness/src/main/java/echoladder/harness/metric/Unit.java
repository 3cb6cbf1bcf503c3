package echoladder.harness.metric;

import echoladder.harness.common.Units;
import echoladder.harness.stats.Spread;
import java.util.Locale;

/** What a figure is in: how files write it, how a name says it and how a person reads a value. */
public enum Unit {
  NS("ns", true),
  SECONDS("s", false),
  BYTES("B", true),
  BYTES_PER_ECHO("B/echo", false),
  BYTES_PER_CONNECTION("B/connection", false),
  /** Bytes per task of a workload, whose tasks are threads, goroutines and the like. */
  BYTES_PER_TASK("B/task", false),
  BYTES_PER_S("B/s", false),
  /** Microseconds of CPU. */
  US_PER_ECHO("us/echo", false),
  /** Microseconds of CPU. */
  US_PER_DELIVERY("us/delivery", false),
  PER_S("1/s", false),
  PER_ECHO("1/echo", false),
  /** A part of a whole, 0 to 1. */
  SHARE("1", false),
  /** Times as much as something else. */
  MULTIPLE("1", false),
  COUNT("1", true);

  /** A value below zero that cannot be. */
  public static final String NOISE = "~0 (noise)";

  private static final double NS_PER_S = 1e9;

  private final String symbol;
  private final boolean whole;

  Unit(String symbol, boolean whole) {
    this.symbol = symbol;
    this.whole = whole;
  }

  /** As in the column {@code unit} of results.csv. */
  public String symbol() {
    return symbol;
  }

  /** Whether values are whole numbers. */
  public boolean whole() {
    return whole;
  }

  /** The unit that a name ends in; {@link #COUNT} where the name says none. */
  public static Unit ofName(String name) {
    if (name.contains("_us_") && name.endsWith("_per_echo")) {
      return US_PER_ECHO;
    }
    if (name.contains("_us_") && name.endsWith("_per_delivery")) {
      return US_PER_DELIVERY;
    }
    if (name.endsWith("_bytes_per_s")) {
      return BYTES_PER_S;
    }
    if (name.contains("_bytes_per_")) {
      return name.endsWith("_echo") ? BYTES_PER_ECHO : name.endsWith("_connection") ? BYTES_PER_CONNECTION : BYTES_PER_TASK;
    }
    if (name.endsWith("_per_s")) {
      return PER_S;
    }
    if (name.endsWith("_per_echo")) {
      return PER_ECHO;
    }
    if (name.endsWith("_ns")) {
      return NS;
    }
    if (name.endsWith("seconds")) {
      return SECONDS;
    }
    if (name.endsWith("_bytes")) {
      return BYTES;
    }
    return name.endsWith("_share") ? SHARE : name.contains("_multiple_of_") || name.endsWith("_speed") ? MULTIPLE : COUNT;
  }

  /**
   * A value with three significant digits and the prefix that fits. What an echo or a connection takes is never less than nothing: below
   * zero, as a difference of two readings may be, it is {@link #NOISE}.
   */
  public String text(double value) {
    return value < 0 && neverNegative() ? NOISE : signed(value);
  }

  /** The median of values, and their range where that can be told from it. The ends of the range keep their signs. */
  public String range(Spread values) {
    if (values.median() >= 0 || !neverNegative()) {
      return Units.range(values, this::signed);
    }
    String least = signed(values.least());
    String most = signed(values.most());
    return least.equals(most) ? NOISE : "~0 (noise; %s to %s)".formatted(least, most);
  }

  private boolean neverNegative() {
    return this == BYTES_PER_CONNECTION || this == US_PER_ECHO || this == US_PER_DELIVERY;
  }

  /** A value with its sign, for the ends of a range. */
  public String signed(double value) {
    return switch (this) {
      case NS -> Units.time(Math.round(value));
      case BYTES, BYTES_PER_ECHO, BYTES_PER_CONNECTION, BYTES_PER_TASK -> Units.bytes((Double) value);
      case US_PER_ECHO, US_PER_DELIVERY -> Units.us(value);
      case BYTES_PER_S -> Units.bytes((Double) value) + "/s";
      case PER_S -> Units.count(Math.round(value)) + "/s";
      case MULTIPLE -> Units.times(value);
      case SHARE -> Units.percent(value);
      case SECONDS -> Units.time(Math.round(value * NS_PER_S));
      case PER_ECHO, COUNT ->
          value == Math.rint(value) || value >= 1000
              ? Units.count(Math.round(value))
              : String.format(Locale.ROOT, "%.3g", value);
    };
  }
}
