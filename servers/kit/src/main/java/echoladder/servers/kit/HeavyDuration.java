package echoladder.servers.kit;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The {@code duration} of {@code GET /api/heavy?duration=MS}. */
public final class HeavyDuration {
  /** A minute: what a request may ask a server to wait for is bounded as everything else. */
  public static final Duration MAX = Duration.ofMinutes(1);

  private static final Pattern PARAMETER = Pattern.compile("(?:^|.*&)duration=([^&]*)(?:&.*)?");

  private HeavyDuration() {}

  /**
   * Reads it.
   *
   * @param query what follows the question mark; null where nothing does
   * @return 0 to 60,000 ms
   * @throws IllegalArgumentException missing, no number or out of range; the message is for the client
   */
  public static Duration ofQuery(@Nullable String query) {
    Matcher m = PARAMETER.matcher(query == null ? "" : query);
    if (!m.matches()) {
      throw new IllegalArgumentException("duration is missing; ask for /api/heavy?duration=500, in ms" + range());
    }
    return of(m.group(1));
  }

  /** As {@link #ofQuery}, of the value alone. */
  public static Duration of(String text) {
    // Nine digits fit an int, and nothing of the client's is repeated at length.
    if (!text.matches("\\d{1,9}") || Integer.parseInt(text) > MAX.toMillis()) {
      String seen = text.length() > 20 ? text.substring(0, 20) + "..." : text;
      throw new IllegalArgumentException("duration '" + seen + "' is not a whole number of ms" + range());
    }
    return Duration.ofMillis(Integer.parseInt(text));
  }

  private static String range() {
    return " from 0 to " + MAX.toMillis();
  }
}
