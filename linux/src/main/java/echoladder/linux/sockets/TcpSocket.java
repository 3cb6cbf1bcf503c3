package echoladder.linux.sockets;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A TCP socket as the kernel tells of it.
 *
 * @param state as ss(8) and RFC 9293 call it
 * @param localHost without brackets; of an address of IPv4 that is mapped into IPv6, the one of IPv4
 * @param remoteHost likewise; unspecified ({@code 0.0.0.0}, {@code ::}) where it listens
 * @param inode by which descriptors name it, {@code socket:[4711]}; 0 = no process has it
 * @param receiveQueue bytes that the process has not read; of one that listens, connections that wait for accept
 * @param sendQueue bytes that the peer has not acknowledged; of one that listens, its backlog as the kernel bounds it, null = not told
 * @param memoryBytes kernel memory of its queues; null = not told
 * @param drops of one that listens, connections that it has dropped since it listens; null = not told
 */
public record TcpSocket(
    State state,
    String localHost,
    int localPort,
    String remoteHost,
    int remotePort,
    long inode,
    long receiveQueue,
    @Nullable Long sendQueue,
    @Nullable Long memoryBytes,
    @Nullable Long drops) {

  /** In the kernel's order, whose numbers begin at 1. */
  public enum State {
    ESTABLISHED,
    SYN_SENT,
    SYN_RECEIVED,
    FIN_WAIT_1,
    FIN_WAIT_2,
    TIME_WAIT,
    CLOSED,
    CLOSE_WAIT,
    LAST_ACK,
    LISTEN,
    CLOSING,
    /** A handshake that is under way, as the kernel keeps it beside its listener. */
    NEW_SYN_RECEIVED;

    private static final State[] ALL = values();

    static State of(int number) {
      return number < 1 || number > ALL.length ? CLOSED : ALL[number - 1];
    }

    int bit() {
      return 1 << (ordinal() + 1);
    }

    /** {@code time-wait}. */
    public String words() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /** {@code 127.0.0.1:9000} or {@code [::1]:9000}. */
  public static String address(String host, int port) {
    return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
  }

  public String local() {
    return address(localHost, localPort);
  }
}
