package echoladder.workloads;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** How quantities are written on the command line: {@code 512M}, {@code 4G}; {@code 500ms}, {@code 5s}, {@code 10m}. */
final class OptionTexts {
  private static final Pattern FORM = Pattern.compile("(\\d{1,9})(\\D{1,2})");

  private OptionTexts() {}

  /** Bytes, of at least 64 MiB: below it no JVM has room to say that it has none. */
  static final class Memory implements ITypeConverter<Long> {
    private static final long LEAST = 64L << 20;

    @Override
    public Long convert(String text) {
      long bytes = number(text, "M", 20, "G", 30, "an amount of memory; write 512M or 4G");
      if (bytes < LEAST || bytes > 1L << 42) {
        throw new TypeConversionException("'" + text + "' is not allowed; 64M to 4096G");
      }
      return bytes;
    }

    private static long number(String text, String small, int smallShift, String large, int largeShift, String form) {
      Matcher m = FORM.matcher(text);
      if (!m.matches() || !(m.group(2).equals(small) || m.group(2).equals(large))) {
        throw new TypeConversionException("'" + text + "' is not " + form);
      }
      return Long.parseLong(m.group(1)) << (m.group(2).equals(small) ? smallShift : largeShift);
    }
  }

  /** A time of at most an hour. */
  static final class Time implements ITypeConverter<Duration> {
    @Override
    public Duration convert(String text) {
      Matcher m = FORM.matcher(text);
      long msPerUnit = m.matches() ? switch (m.group(2)) { case "ms" -> 1; case "s" -> 1_000; case "m" -> 60_000; default -> 0; } : 0;
      if (msPerUnit == 0) {
        throw new TypeConversionException("'" + text + "' is not a time; write 500ms, 5s or 10m");
      }
      Duration time = Duration.ofMillis(Long.parseLong(m.group(1)) * msPerUnit);
      if (time.compareTo(Duration.ofHours(1)) > 0) {
        throw new TypeConversionException("'" + text + "' is not allowed; at most 60m");
      }
      return time;
    }
  }
}
