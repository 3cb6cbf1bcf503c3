package echoladder.harness.common;

import echoladder.client.Amounts;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The quantities of a study: a number and its unit, written together; a rate has its unit by itself. */
public enum Quantity {
  /** In nanoseconds: {@code 500ms}, {@code 20s}, {@code 5m}, {@code 1h}. */
  DURATION("a time with its unit ms, s, m or h"),
  /** In bytes: {@code 64B}, {@code 16KiB}, {@code 1MiB}. */
  SIZE("a size with its unit B, KiB or MiB"),
  /** In bytes, in larger units: {@code 512M}, {@code 16G}, which are MiB and GiB. */
  MEMORY("an amount of memory with its unit M or G"),
  /** Per second: {@code 5000/s}, {@code 0.5}, {@code 5k/s}. */
  RATE(Amounts.RATE_FORM),
  /** In bits per second, in steps of 1,000: {@code 10Mbit}, {@code 1Gbit}. */
  BITS("a rate of bits per second with its unit kbit, Mbit or Gbit"),
  /** Bytes per second: {@code 512B/s}, {@code 1KiB/s}. */
  BYTES_PER_S(Amounts.BYTE_RATE_FORM),
  /** A part of a whole, 0 to 1: {@code 0.1%}. */
  SHARE("a number with %");

  private static final Pattern FORM = Pattern.compile("(\\d{1,15}(?:\\.\\d{1,9})?) ?(\\D{1,4})");

  /** What the form is, for messages. */
  public final String form;

  Quantity(String form) {
    this.form = form;
  }

  /** What one of that unit is in this quantity's own, or 0 where it has no such unit. */
  private long factor(String unit) {
    return switch (this) {
      case DURATION ->
          switch (unit) {
            case "ms" -> 1_000_000L;
            case "s" -> 1_000_000_000L;
            case "m" -> 60_000_000_000L;
            case "h" -> 3_600_000_000_000L;
            default -> 0;
          };
      case SIZE ->
          switch (unit) {
            case "B" -> 1;
            case "KiB" -> 1L << 10;
            case "MiB" -> 1L << 20;
            default -> 0;
          };
      case MEMORY ->
          switch (unit) {
            case "M", "MiB" -> 1L << 20;
            case "G", "GiB" -> 1L << 30;
            default -> 0;
          };
      case BITS ->
          switch (unit) {
            case "kbit" -> 1_000L;
            case "Mbit" -> 1_000_000L;
            case "Gbit" -> 1_000_000_000L;
            default -> 0;
          };
      case SHARE -> unit.equals("%") ? 1 : 0;
      case RATE, BYTES_PER_S -> 1;
    };
  }

  /** The value in this quantity's own unit; another form is an {@link IllegalArgumentException} that says the form. */
  public BigDecimal parse(String text) {
    if (this == RATE) {
      return Amounts.perSecond(text);
    }
    if (this == BYTES_PER_S) {
      return Amounts.bytesPerSecond(text);
    }
    Matcher matcher = FORM.matcher(text);
    long factor = matcher.matches() ? factor(matcher.group(2)) : 0;
    if (factor == 0) {
      throw new IllegalArgumentException("'" + text + "' is not " + form);
    }
    BigDecimal value = new BigDecimal(matcher.group(1)).multiply(BigDecimal.valueOf(factor));
    return this == SHARE ? value.movePointLeft(2) : value;
  }

  /** A time in nanoseconds. */
  public static long ns(String text) {
    return DURATION.parse(text).longValue();
  }

  /** A time. */
  public static Duration duration(String text) {
    return Duration.ofNanos(ns(text));
  }

  /** A size in bytes. */
  public static long bytes(String text) {
    return SIZE.parse(text).longValue();
  }

  /** An amount of memory in bytes. */
  public static long memory(String text) {
    return MEMORY.parse(text).longValue();
  }

  /** A rate per second. */
  public static double perSecond(String text) {
    return RATE.parse(text).doubleValue();
  }
}
