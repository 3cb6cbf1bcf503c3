package echoladder.servers.netty;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The targets of requests. */
final class Targets {
  private static final Pattern ABSOLUTE = Pattern.compile("(?i:http)://[^/?]*(/?.*)");

  private Targets() {}

  /** Path and query of a target, also of one that is a whole URL (RFC 9112, 3.2.2), which Netty hands on as it came. */
  static String originForm(String target) {
    if (target.startsWith("/")) {
      return target;
    }
    Matcher absolute = ABSOLUTE.matcher(target);
    return absolute.matches() ? absolute.group(1) : target;
  }
}
