package echoladder.linux.sockets;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.OptionalInt;

/**
 * How many TCP connections of this network namespace the kernel holds established towards an address.
 *
 * <p>An end is counted once: the end that connected, also on loopback. Established means that the handshake is done;
 * the server may not have accepted it.
 */
public final class EstablishedConnections {
  private static final ValueLayout.OfInt NETWORK_INT = JAVA_INT.withOrder(ByteOrder.BIG_ENDIAN);

  private EstablishedConnections() {}

  /** IPv4 connections established towards {@code remote}; empty where this kernel has no sock_diag for TCP. */
  public static OptionalInt to(SocketAddress remote) {
    int host = remote.hostBits();
    int port = SocketAddress.port(remote.segment());
    int[] found = new int[1];
    boolean told =
        SocketDiagnosis.ask(
            new SocketDiagnosis.Request(SocketDiagnosis.AF_INET, TcpSocket.State.ESTABLISHED.bit(), 0, port),
            (message, bytes) -> {
              if (message.get(NETWORK_INT, TcpSockets.REMOTE_HOST) == host) {
                found[0]++;
              }
            });
    return told ? OptionalInt.of(found[0]) : OptionalInt.empty();
  }
}
