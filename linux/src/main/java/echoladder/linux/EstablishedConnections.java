package echoladder.linux;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.OptionalInt;

/**
 * How many TCP connections of this network namespace the kernel holds established towards an address, asked through
 * sock_diag(7), which selects in the kernel. /proc/net/tcp would print every socket of the host for it: 78 ms against
 * 5 ms for 2,000 connections among 39,000 sockets.
 *
 * <p>An end is counted once: the end that connected, also on loopback. Established means that the handshake is done;
 * the server may not have accepted it.
 */
public final class EstablishedConnections {
  // linux/netlink.h, linux/sock_diag.h, linux/inet_diag.h
  private static final short SOCK_DIAG_BY_FAMILY = 20;
  private static final short NLM_F_REQUEST_DUMP = 0x301;
  private static final short NLMSG_ERROR = 2;
  private static final short NLMSG_DONE = 3;
  private static final int HEADER_BYTES = 16;
  private static final int REQUEST_BYTES = HEADER_BYTES + 56;
  private static final byte AF_INET = 2;
  private static final int TCP_ESTABLISHED = 1;
  /** Of the remote address in an answer: after the header, struct inet_diag_msg.id.idiag_dst. */
  private static final int REMOTE_HOST = HEADER_BYTES + 24;

  private static final int BUFFER_BYTES = 256 << 10;
  private static final ValueLayout.OfShort NETWORK_SHORT = JAVA_SHORT.withOrder(ByteOrder.BIG_ENDIAN);
  private static final ValueLayout.OfInt NETWORK_INT = JAVA_INT.withOrder(ByteOrder.BIG_ENDIAN);

  private EstablishedConnections() {}

  /** IPv4 connections established towards {@code remote}; empty where this kernel has no sock_diag for TCP. */
  public static OptionalInt to(SocketAddress remote) {
    SystemCalls sys = new SystemCalls();
    int fd = sys.socketDiagnosis();
    if (fd < 0) {
      return OptionalInt.empty();
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment request = arena.allocate(REQUEST_BYTES, 4);
      request.set(JAVA_INT, 0, REQUEST_BYTES);
      request.set(JAVA_SHORT, 4, SOCK_DIAG_BY_FAMILY);
      request.set(JAVA_SHORT, 6, NLM_F_REQUEST_DUMP);
      request.set(JAVA_BYTE, HEADER_BYTES, AF_INET);
      request.set(JAVA_BYTE, HEADER_BYTES + 1, (byte) SystemCalls.IPPROTO_TCP);
      request.set(JAVA_INT, HEADER_BYTES + 4, 1 << TCP_ESTABLISHED);
      request.set(NETWORK_SHORT, HEADER_BYTES + 10, (short) SocketAddress.port(remote.segment()));
      if (sys.write(fd, request, REQUEST_BYTES) < 0) {
        return OptionalInt.empty();
      }
      return count(sys, fd, arena.allocate(BUFFER_BYTES, 8), remote.hostBits());
    } finally {
      sys.close(fd);
    }
  }

  private static OptionalInt count(SystemCalls sys, int fd, MemorySegment buffer, int host) {
    int found = 0;
    while (true) {
      int bytes = sys.read(fd, buffer, BUFFER_BYTES);
      if (bytes <= 0) {
        return OptionalInt.empty();
      }
      for (int at = 0; at + HEADER_BYTES <= bytes; ) {
        short type = buffer.get(JAVA_SHORT, at + 4);
        if (type == NLMSG_DONE) {
          return OptionalInt.of(found);
        }
        if (type == NLMSG_ERROR) {
          return OptionalInt.empty();
        }
        if (buffer.get(NETWORK_INT, at + REMOTE_HOST) == host) {
          found++;
        }
        // Messages begin at multiples of 4.
        at += Math.max(HEADER_BYTES, buffer.get(JAVA_INT, at) + 3 & ~3);
      }
    }
  }
}
