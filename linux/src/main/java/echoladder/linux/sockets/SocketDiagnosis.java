package echoladder.linux.sockets;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * What the kernel answers when it is asked for the TCP sockets of this thread's network namespace: sock_diag(7). It selects them in the
 * kernel. /proc/net/tcp would print every socket of the namespace: 78 ms against 5 ms for 2,000 connections among 39,000 sockets.
 */
final class SocketDiagnosis {
  static final byte AF_INET = 2;
  static final byte AF_INET6 = 10;

  // linux/netlink.h, linux/sock_diag.h, linux/inet_diag.h
  private static final short SOCK_DIAG_BY_FAMILY = 20;
  private static final short NLM_F_REQUEST_DUMP = 0x301;
  private static final short NLMSG_ERROR = 2;
  private static final short NLMSG_DONE = 3;

  /** Before each message; what inet_diag tells of a socket stands behind it. */
  static final int HEADER_BYTES = 16;

  private static final int REQUEST_BYTES = HEADER_BYTES + 56;
  private static final int BUFFER_BYTES = 256 << 10;
  private static final ValueLayout.OfShort NETWORK_SHORT = JAVA_SHORT.withOrder(ByteOrder.BIG_ENDIAN);

  private SocketDiagnosis() {}

  /**
   * What is asked for.
   *
   * @param family {@link #AF_INET} or {@link #AF_INET6}
   * @param states a bit per state, {@code 1 << number}
   * @param extensions a bit per attribute that shall come with each socket, {@code 1 << number - 1}
   * @param remotePort of the sockets; 0 = any
   */
  record Request(byte family, int states, int extensions, int remotePort) {
    private MemorySegment in(Arena arena) {
      MemorySegment request = arena.allocate(REQUEST_BYTES, 4);
      request.set(JAVA_INT, 0, REQUEST_BYTES);
      request.set(JAVA_SHORT, 4, SOCK_DIAG_BY_FAMILY);
      request.set(JAVA_SHORT, 6, NLM_F_REQUEST_DUMP);
      request.set(JAVA_BYTE, HEADER_BYTES, family);
      request.set(JAVA_BYTE, HEADER_BYTES + 1, (byte) SystemCalls.IPPROTO_TCP);
      request.set(JAVA_BYTE, HEADER_BYTES + 2, (byte) extensions);
      request.set(JAVA_INT, HEADER_BYTES + 4, states);
      request.set(NETWORK_SHORT, HEADER_BYTES + 10, (short) remotePort);
      return request;
    }
  }

  /** Takes a message, which is valid during the call alone. */
  interface Each {
    /** The message has {@code bytes} bytes, its header among them. */
    void take(MemorySegment message, int bytes);
  }

  /** Hands on every socket that there is; false where this kernel has no sock_diag for TCP, and then some may have been handed on. */
  static boolean ask(Request request, Each each) {
    SystemCalls sys = new SystemCalls();
    int fd = sys.socketDiagnosis();
    if (fd < 0) {
      return false;
    }
    try (Arena arena = Arena.ofConfined()) {
      return sys.write(fd, request.in(arena), REQUEST_BYTES) >= 0 && answers(sys, fd, arena.allocate(BUFFER_BYTES, 8), each);
    } finally {
      sys.close(fd);
    }
  }

  private static boolean answers(SystemCalls sys, int fd, MemorySegment buffer, Each each) {
    while (true) {
      int bytes = sys.read(fd, buffer, BUFFER_BYTES);
      if (bytes <= 0) {
        return false;
      }
      for (int at = 0; at + HEADER_BYTES <= bytes; ) {
        int length = Math.clamp(buffer.get(JAVA_INT, at), HEADER_BYTES, bytes - at);
        short type = buffer.get(JAVA_SHORT, at + 4);
        if (type == NLMSG_DONE) {
          // A dump that failed is done, too, with a negated errno.
          return length < HEADER_BYTES + 4 || buffer.get(JAVA_INT, at + HEADER_BYTES) >= 0;
        }
        if (type == NLMSG_ERROR) {
          return false;
        }
        each.take(buffer.asSlice(at, length), length);
        // Messages begin at multiples of 4.
        at += length + 3 & ~3;
      }
    }
  }
}
