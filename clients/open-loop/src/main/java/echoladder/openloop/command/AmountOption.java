package echoladder.openloop.command;

import echoladder.client.Amounts;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** How options take counts and rates, in every verb alike. */
public final class AmountOption {
  private AmountOption() {}

  /** Converts an option that is an int, e.g. {@code 100k}. */
  public static final class Count implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String text) {
      long count = count(text);
      if (count > Integer.MAX_VALUE) {
        throw new TypeConversionException("'" + text + "' is more than any such count may be");
      }
      return (int) count;
    }
  }

  /** Converts an option that is a long and may be 0. */
  public static final class CountOrNone implements ITypeConverter<Long> {
    @Override
    public Long convert(String text) {
      return ofText(text);
    }
  }

  /** Converts an option that is a long, e.g. {@code 1000m}. */
  public static final class LargeCount implements ITypeConverter<Long> {
    @Override
    public Long convert(String text) {
      return count(text);
    }
  }

  /** Converts a rate, e.g. {@code 5000/s}. */
  public static final class PerSecond implements ITypeConverter<Double> {
    @Override
    public Double convert(String text) {
      double rate;
      try {
        rate = Amounts.perSecond(text).doubleValue();
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(String.valueOf(e.getMessage()));
      }
      if (rate == 0) {
        throw new TypeConversionException("0 is not allowed; " + Amounts.RATE_FORM);
      }
      return rate;
    }
  }

  private static long count(String text) {
    long count = ofText(text);
    if (count == 0) {
      throw new TypeConversionException("0 is not allowed; " + Amounts.COUNT_FORM);
    }
    return count;
  }

  private static long ofText(String text) {
    try {
      return Amounts.count(text);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(String.valueOf(e.getMessage()));
    }
  }
}
