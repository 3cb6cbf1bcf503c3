package echoladder.harness.incident;

import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * Where the process connects to: a tuple of source address, destination address and destination port. A local port can be used once
 * per tuple.
 *
 * @param source local address
 * @param destination remote address and port, {@code 10.0.0.7:443}
 * @param connections of the process
 * @param portsTaken local ports in use for the tuple, by all processes of the network namespace and by closed connections in TIME-WAIT
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record Destination(String source, String destination, long connections, long portsTaken) {}
