package echoladder.harness.common;

import echoladder.harness.stats.Interval;
import echoladder.harness.stats.Spread;
import java.time.Duration;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Figures as a person reads them: three significant digits, the unit that fits, "–" for what there is not. */
public final class Units {
  /** Shown where there is no figure. */
  public static final String NONE = "–";

  /** A time and its bound are told in one unit where the bound is at most so many times the time. */
  private static final long ONE_UNIT = 20;

  private Units() {}

  /** A time: 950 ns, 142 µs, 1.23 ms, 2.5 s. */
  public static String time(@Nullable Long ns) {
    if (ns == null) {
      return NONE;
    }
    // The bounds leave room for rounding: 999.7 µs is 1.00 ms.
    if (ns < 1_000) {
      return ns + " ns";
    }
    if (ns < 999_500) {
      return digits(ns / 1e3) + " µs";
    }
    return ns < 999_500_000 ? digits(ns / 1e6) + " ms" : digits(ns / 1e9) + " s";
  }

  /**
   * A time and its upper bound, in one unit where both can be read in it: {@code 0.31 (≤ 2.80) ms}, else {@code 41.2 µs (≤ 1.20 s)}.
   *
   * @param ns the time, at most {@code mostNs}
   */
  public static String bracket(long ns, long mostNs) {
    String time = time(ns);
    String most = time(mostNs);
    int unit = most.indexOf(' ');
    if (time.endsWith(most.substring(unit))) {
      return "%s (≤ %s)%s".formatted(time.substring(0, time.indexOf(' ')), most.substring(0, unit), most.substring(unit));
    }
    return ns * ONE_UNIT < mostNs || mostNs < 1_000
        ? "%s (≤ %s)".formatted(time, most)
        : "%s (≤ %s)%s".formatted(digits(ns / nsOf(most)), most.substring(0, unit), most.substring(unit));
  }

  /** Nanoseconds in the unit that a text of {@link #time} ends in. */
  private static double nsOf(String time) {
    return time.endsWith(" s") ? 1e9 : time.endsWith(" ms") ? 1e6 : time.endsWith(" µs") ? 1e3 : 1;
  }

  /** CPU in microseconds: 23.4 µs. */
  public static String us(@Nullable Double us) {
    return us == null ? NONE : digits(us) + " µs";
  }

  /** A multiple: 1.52 x. */
  public static String times(@Nullable Double multiple) {
    return multiple == null ? NONE : digits(multiple) + "×";
  }

  /** A ratio of two: 1.03, 0.951. */
  public static String ratio(double ratio) {
    return String.format(Locale.ROOT, "%.3g", ratio);
  }

  /** Where a ratio lies: 0.951–1.03. */
  public static String interval(Interval interval) {
    return interval(interval.low(), interval.high());
  }

  /** Where a ratio lies, by both ends. */
  public static String interval(double low, double high) {
    return ratio(low) + "–" + ratio(high);
  }

  /** A size: 812 B, 4.05 KiB, 101 MiB. */
  public static String bytes(@Nullable Double bytes) {
    if (bytes == null) {
      return NONE;
    }
    double size = Math.abs(bytes);
    if (size < 1_023.5) {
      return "%.0f B".formatted(bytes);
    }
    if (size < 1_023.5 * 1024) {
      return digits(bytes / 1024) + " KiB";
    }
    return size < 1_023.5 * (1 << 20) ? digits(bytes / (1 << 20)) + " MiB" : digits(bytes / (1 << 30)) + " GiB";
  }

  /** A size given as a whole number. */
  public static String bytes(@Nullable Long bytes) {
    return bytes == null ? NONE : bytes((Double) (double) bytes);
  }

  /** A share as per cent. */
  public static String percent(@Nullable Double share) {
    return share == null ? NONE : String.format(Locale.ROOT, "%.1f %%", share * 100);
  }

  /** The median of a figure, and its range where that can be told from it. */
  public static String range(Spread spread, Function<Double, String> unit) {
    String median = unit.apply(spread.median());
    String least = unit.apply(spread.least());
    String most = unit.apply(spread.most());
    return least.equals(most) ? median : "%s (%s–%s)".formatted(median, least, most);
  }

  /** A whole number with separators. */
  public static String count(long n) {
    return String.format(Locale.ROOT, "%,d", n);
  }

  /** A number with as many digits as it has: 0.00001, 0.5, 12, 1,000. */
  public static String plain(double value) {
    String form = Math.abs(value) < 1e-4 ? "0.#########" : "#,##0.####";
    return new java.text.DecimalFormat(form, java.text.DecimalFormatSymbols.getInstance(Locale.ROOT)).format(value);
  }

  /** Minutes and seconds: 4:07. */
  public static String clock(Duration time) {
    return String.format(Locale.ROOT, "%d:%02d", time.toMinutes(), time.toSecondsPart());
  }

  private static String digits(double value) {
    double size = Math.abs(value);
    String form = size < 9.995 ? "%.2f" : size < 99.95 ? "%.1f" : "%,.0f";
    return String.format(Locale.ROOT, form, value);
  }

  /** A time of a record, ISO 8601 in UTC, to the second. */
  public static String clockTime(String iso) {
    return iso.replaceFirst("T", " ").replaceFirst("(\\.\\d+)?Z", " UTC");
  }
}
