package echoladder.client;

import java.math.BigDecimal;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Counts and rates, as options and studies have them: {@code 5000}, {@code 100k}, {@code 2.5k/s}, {@code 1KiB/s}. Pure. */
public final class Amounts {
  /** What the form of a count is, for messages. */
  public static final String COUNT_FORM = "a count, as in 5000, 100k or 1m";

  /** What the form of a rate is, for messages. */
  public static final String RATE_FORM = "a rate per second, as in 5000, 5000/s or 5k/s";

  /** What the form of a rate of bytes is, for messages. */
  public static final String BYTE_RATE_FORM = "a rate of bytes, as in 512B/s, 1KiB/s or 2MiB/s";

  private static final Pattern FORM = Pattern.compile("(\\d{1,15}(?:\\.\\d{1,9})?)([kKmM]?)");
  private static final String PER_SECOND = " ?/s";
  private static final Pattern BYTE_RATE = Pattern.compile("(\\d{1,15}(?:\\.\\d{1,9})?) ?(B|KiB|MiB)/s");

  private Amounts() {}

  /** A whole number; another form, a part of one and more than a long holds are an {@link IllegalArgumentException} that says the form. */
  public static long count(String text) {
    try {
      return amount(text, text, COUNT_FORM).longValueExact();
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException("'" + text + "' is not " + COUNT_FORM, e);
    }
  }

  /** A rate per second; another form is an {@link IllegalArgumentException} that says the form. */
  public static BigDecimal perSecond(String text) {
    return amount(text.replaceFirst(PER_SECOND + "$", ""), text, RATE_FORM);
  }

  /** Bytes per second; another form is an {@link IllegalArgumentException} that says the form. */
  public static BigDecimal bytesPerSecond(String text) {
    Matcher matcher = BYTE_RATE.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("'" + text + "' is not " + BYTE_RATE_FORM);
    }
    long factor = matcher.group(2).equals("B") ? 1 : matcher.group(2).equals("KiB") ? 1L << 10 : 1L << 20;
    return new BigDecimal(matcher.group(1)).multiply(BigDecimal.valueOf(factor));
  }

  private static BigDecimal amount(String number, String text, String form) {
    Matcher matcher = FORM.matcher(number);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("'" + text + "' is not " + form);
    }
    long factor =
        switch (matcher.group(2)) {
          case "k", "K" -> 1_000;
          case "m", "M" -> 1_000_000;
          default -> 1;
        };
    return new BigDecimal(matcher.group(1)).multiply(BigDecimal.valueOf(factor));
  }
}
