package echoladder.harness.settings;

/**
 * The programs that make a network: names on PATH, or paths.
 *
 * @param ip of iproute2
 * @param tc of iproute2
 */
record NetworkTools(String ip, String tc) {
  static final NetworkTools ON_PATH = new NetworkTools("ip", "tc");
}
