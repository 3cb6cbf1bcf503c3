package echoladder.servers.jdkhttp;

import echoladder.servers.kit.HeavyDuration;
import echoladder.servers.kit.options.HttpOptions;
import java.util.Map;
import java.util.TreeMap;

/** HttpServer's system properties, of which the defaults would close most of a ladder's connections. */
final class Limits {
  /** How much longer than what we answer 431 to a head may be before HttpServer closes without an answer. */
  static final int HARD_HEAD_FACTOR = 16;

  private static final long DAY_SECONDS = 86_400;

  private Limits() {}

  /** Sets them and gives them for the ready line. */
  static Map<String, Object> set(HttpOptions http) {
    long requestSeconds = http.requestTimeout().toSeconds();
    Map<String, Object> limits = new TreeMap<>();
    String prefix = "sun.net.httpserver.";
    // Off by default; without it a head and a body in two writes would wait for the client's delayed ACK.
    limits.put(prefix + "nodelay", true);
    // By default the 201st idle connection is closed at once, and each one after 30 s.
    limits.put(prefix + "maxIdleConnections", Integer.MAX_VALUE);
    limits.put(prefix + "idleInterval", DAY_SECONDS);
    // Off by default: a client that sends its request slowly, or nothing at all, would stay for ever.
    limits.put(prefix + "maxReqTime", requestSeconds);
    // Off by default: a client that does not read would hold a thread for ever. The longest heavy must fit in.
    limits.put(prefix + "maxRspTime", HeavyDuration.MAX.toSeconds() + requestSeconds);
    // Above these it closes without an answer; Endpoints answers 431 from max-header-bytes on.
    limits.put(prefix + "maxReqHeaderSize", HARD_HEAD_FACTOR * http.maxHeaderBytes());
    limits.put(prefix + "maxReqHeaders", 2_000);
    limits.forEach((name, value) -> System.setProperty(name, value.toString()));
    return limits;
  }
}
