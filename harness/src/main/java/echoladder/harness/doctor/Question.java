package echoladder.harness.doctor;

import org.jspecify.annotations.Nullable;

/**
 * What is asked of a host.
 *
 * @param connections from 1
 * @param role what of them is on this host
 * @param server what they cost the server
 * @param port on which the server shall listen; 0 = any
 * @param tuples distinct (source, destination, port) that the client uses; null = loopback's, or this host's addresses
 * @param tls how the client holds a connection
 */
public record Question(long connections, Role role, ServerModel server, int port, @Nullable Long tuples, ClientTls tls) {
  /** Beyond what one port per connection and 127.0.0.0/8 give, and small enough for all the arithmetic. */
  public static final long MOST_CONNECTIONS = 1_000_000_000L;

  public Question {
    if (connections < 1 || connections > MOST_CONNECTIONS) {
      throw new IllegalArgumentException("connections: " + connections);
    }
  }

  /** Without TLS. */
  public Question(long connections, Role role, ServerModel server, int port, @Nullable Long tuples) {
    this(connections, role, server, port, tuples, ClientTls.PLAIN);
  }

  /** Ends on this host. */
  long ends() {
    return role.ends * connections;
  }

  /** Platform threads for connections on this host. */
  long threads() {
    return role.server ? connections * server.threadsPerConnection() : 0;
  }
}
