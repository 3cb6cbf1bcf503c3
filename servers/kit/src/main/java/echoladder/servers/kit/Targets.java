package echoladder.servers.kit;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The targets of requests, also those that are a whole URL (RFC 9112, 3.2.2). */
public final class Targets {
  private static final Pattern ABSOLUTE = Pattern.compile("(?i:http)://([^/?]*)(.*)");

  private Targets() {}

  /** Path and query of a target. */
  public static String originForm(String target) {
    if (target.startsWith("/")) {
      return target;
    }
    Matcher absolute = ABSOLUTE.matcher(target);
    return absolute.matches() ? absolute.group(2) : target;
  }

  /** The host of a target that is a whole URL, which counts before that of the header; null = it names none. */
  static @Nullable String host(String target) {
    Matcher absolute = ABSOLUTE.matcher(target);
    return absolute.matches() ? absolute.group(1) : null;
  }
}
