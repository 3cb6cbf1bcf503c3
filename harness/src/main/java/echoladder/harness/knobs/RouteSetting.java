package echoladder.harness.knobs;

import java.util.Arrays;
import java.util.Optional;

/** What a run sets of the routes of its network, at both ends: a row each of kind {@code route} in sysctl/knobs.yaml. */
public enum RouteSetting {
  /** Segments that a connection may send before the first acknowledgement. */
  INITCWND("initcwnd", "[1-9][0-9]{0,4}", "a number of segments, e.g. 10"),
  /** Whether every segment is acknowledged at once. */
  QUICKACK("quickack", "[01]", "0 or 1"),
  /** The least retransmission timeout. */
  RTO_MIN("rto_min", "[1-9][0-9]{0,4}ms", "a time in ms, e.g. 200ms");

  private final String key;
  private final String values;
  private final String allowed;

  RouteSetting(String key, String values, String allowed) {
    this.key = key;
    this.values = values;
    this.allowed = allowed;
  }

  /** That of a row's key. */
  public static Optional<RouteSetting> ofKey(String key) {
    return Arrays.stream(values()).filter(setting -> setting.key.equals(key)).findFirst();
  }

  /** As ip-route(8) has it, {@link KnobRow#key}, and the settings of an entry. */
  public String key() {
    return key;
  }

  /** What is wrong with a value; empty where nothing is. */
  public Optional<String> complaint(String value) {
    return value.matches(values) ? Optional.empty() : Optional.of("'%s' is not allowed; %s".formatted(value, allowed));
  }
}
