package echoladder.client;

/**
 * One address to connect to.
 *
 * @param host an IPv4 literal or a name that resolves to one
 * @param port 1 to 65,535
 */
public record Target(String host, int port) {
  public Target {
    if (host.isBlank()) {
      throw new IllegalArgumentException("target host is empty; give HOST:PORT, e.g. 127.0.0.1:9000");
    }
    if (port < 1 || port > 65_535) {
      throw new IllegalArgumentException("target port " + port + " is outside 1 to 65535");
    }
  }

  /** Reads {@code HOST:PORT}; anything else is an {@link IllegalArgumentException} that shows the form. */
  public static Target parse(String text) {
    int colon = text.lastIndexOf(':');
    if (colon < 1 || text.indexOf(':') != colon) {
      throw new IllegalArgumentException("target '" + text + "' is not HOST:PORT, e.g. 127.0.0.1:9000 (IPv4 only)");
    }
    try {
      return new Target(text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("target '" + text + "': the port is not a number", e);
    }
  }

  @Override
  public String toString() {
    return host + ":" + port;
  }
}
