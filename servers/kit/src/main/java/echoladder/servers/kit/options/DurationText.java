package echoladder.servers.kit.options;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Durations as all servers write them: {@code 500ms}, {@code 5s}, {@code 1m}; at most an hour. */
public final class DurationText implements ITypeConverter<Duration> {
  private static final Pattern FORM = Pattern.compile("(\\d{1,7})(ms|s|m)");

  @Override
  public Duration convert(String text) {
    Matcher m = FORM.matcher(text);
    if (!m.matches()) {
      throw new TypeConversionException("'" + text + "' is not a time; write 500ms, 5s or 1m");
    }
    long n = Long.parseLong(m.group(1));
    Duration duration =
        switch (m.group(2)) {
          case "ms" -> Duration.ofMillis(n);
          case "s" -> Duration.ofSeconds(n);
          default -> Duration.ofMinutes(n);
        };
    if (duration.compareTo(Duration.ofHours(1)) > 0) {
      throw new TypeConversionException("'" + text + "' is not allowed; 0ms to 60m");
    }
    return duration;
  }

  /** The shortest form that {@link #convert} reads back. */
  public static String of(Duration duration) {
    long ms = duration.toMillis();
    return ms % 1000 == 0 ? ms / 1000 + "s" : ms + "ms";
  }
}
