package echoladder.linux.sockets;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.io.BufferedReader;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The TCP sockets of a network namespace, of IPv4 and IPv6, one by one: nothing is kept, so hosts may have millions. */
public final class TcpSockets {
  // struct inet_diag_msg, counted from the message's header.
  private static final int FAMILY = SocketDiagnosis.HEADER_BYTES;
  private static final int STATE = FAMILY + 1;
  private static final int LOCAL_PORT = FAMILY + 4;
  private static final int REMOTE_PORT = FAMILY + 6;
  private static final int LOCAL_HOST = FAMILY + 8;
  static final int REMOTE_HOST = FAMILY + 24;
  private static final int RECEIVE_QUEUE = FAMILY + 56;
  private static final int SEND_QUEUE = FAMILY + 60;
  private static final int INODE = FAMILY + 68;
  private static final int ATTRIBUTES = FAMILY + 72;

  /** Attribute with the socket's memory, and the places of its numbers: linux/sock_diag.h. */
  private static final int SKMEMINFO = 7;

  private static final int RECEIVE_MEMORY = 0;
  private static final int FORWARD_MEMORY = 4;
  private static final int SEND_MEMORY = 5;
  private static final int DROPS = 8;
  private static final int ATTRIBUTE_HEADER_BYTES = 4;

  private static final ValueLayout.OfShort NETWORK_SHORT = JAVA_SHORT.withOrder(ByteOrder.BIG_ENDIAN);

  private static final int IPV4_BYTES = 4;
  private static final int IPV6_BYTES = 16;

  private TcpSockets() {}

  /**
   * Hands on those of this thread's network namespace, by sock_diag(7).
   *
   * @return false where this kernel does not tell; then some may have been handed on
   */
  public static boolean here(Set<TcpSocket.State> states, Consumer<TcpSocket> each) {
    int bits = states.stream().mapToInt(TcpSocket.State::bit).reduce(0, (a, b) -> a | b);
    for (byte family : new byte[] {SocketDiagnosis.AF_INET, SocketDiagnosis.AF_INET6}) {
      if (!SocketDiagnosis.ask(
          new SocketDiagnosis.Request(family, bits, 1 << (SKMEMINFO - 1), 0), (message, bytes) -> each.accept(told(message, bytes)))) {
        return false;
      }
    }
    return true;
  }

  /**
   * Hands on those of a process's network namespace, from /proc/PID/net. Neither backlogs, drops nor memory are told there.
   *
   * @return false where that cannot be read
   */
  public static boolean of(long pid, Set<TcpSocket.State> states, Consumer<TcpSocket> each) {
    Set<TcpSocket.State> wanted = EnumSet.copyOf(states);
    Path net = Path.of("/proc/" + pid + "/net");
    // A kernel without IPv6 has no tcp6.
    return table(net.resolve("tcp"), wanted, each) && (Files.notExists(net.resolve("tcp6")) || table(net.resolve("tcp6"), wanted, each));
  }

  private static TcpSocket told(MemorySegment message, int bytes) {
    int hostBytes = message.get(JAVA_BYTE, FAMILY) == SocketDiagnosis.AF_INET ? IPV4_BYTES : IPV6_BYTES;
    TcpSocket.State state = TcpSocket.State.of(message.get(JAVA_BYTE, STATE));
    boolean listens = state == TcpSocket.State.LISTEN;
    int memory = memory(message, bytes);
    return new TcpSocket(
        state,
        host(message, LOCAL_HOST, hostBytes),
        message.get(NETWORK_SHORT, LOCAL_PORT) & 0xffff,
        host(message, REMOTE_HOST, hostBytes),
        message.get(NETWORK_SHORT, REMOTE_PORT) & 0xffff,
        unsigned(message, INODE),
        unsigned(message, RECEIVE_QUEUE),
        unsigned(message, SEND_QUEUE),
        memory < 0 ? null : (Long) queued(message, memory),
        memory < 0 || !listens ? null : (Long) number(message, memory, DROPS));
  }

  /** Where the numbers of SKMEMINFO begin; -1 where there are none, as of sockets in TIME-WAIT. */
  private static int memory(MemorySegment message, int bytes) {
    for (int at = ATTRIBUTES; at + ATTRIBUTE_HEADER_BYTES <= bytes; ) {
      int length = message.get(JAVA_SHORT, at) & 0xffff;
      if (length < ATTRIBUTE_HEADER_BYTES) {
        return -1;
      }
      boolean whole = length >= ATTRIBUTE_HEADER_BYTES + (DROPS + 1) * Integer.BYTES && at + length <= bytes;
      if (message.get(JAVA_SHORT, at + 2) == SKMEMINFO && whole) {
        return at + ATTRIBUTE_HEADER_BYTES;
      }
      at += length + 3 & ~3;
    }
    return -1;
  }

  private static long queued(MemorySegment message, int memory) {
    return number(message, memory, RECEIVE_MEMORY) + number(message, memory, FORWARD_MEMORY) + number(message, memory, SEND_MEMORY);
  }

  private static long number(MemorySegment message, int from, int index) {
    return unsigned(message, from + index * Integer.BYTES);
  }

  private static long unsigned(MemorySegment message, int at) {
    return message.get(JAVA_INT, at) & 0xffffffffL;
  }

  private static String host(MemorySegment message, int at, int bytes) {
    byte[] host = new byte[bytes];
    MemorySegment.copy(message, JAVA_BYTE, at, host, 0, bytes);
    return host(host);
  }

  private static String host(byte[] bytes) {
    if (bytes.length == IPV4_BYTES) {
      // By far the most frequent, and quicker so.
      return (bytes[0] & 0xff) + "." + (bytes[1] & 0xff) + "." + (bytes[2] & 0xff) + "." + (bytes[3] & 0xff);
    }
    try {
      // One of IPv4 that is mapped into IPv6 becomes one of IPv4.
      return InetAddress.getByAddress(bytes).getHostAddress().replaceFirst("^(?:0:){7}(?:0$)?", "::");
    } catch (UnknownHostException e) {
      throw new IllegalStateException("neither 4 nor 16 bytes: " + bytes.length, e);
    }
  }

  private static boolean table(Path file, Set<TcpSocket.State> states, Consumer<TcpSocket> each) {
    try (BufferedReader lines = Files.newBufferedReader(file, StandardCharsets.US_ASCII)) {
      lines.readLine();
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        TcpSocket socket = row(line);
        if (socket != null && states.contains(socket.state())) {
          each.accept(socket);
        }
      }
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** proc(5): {@code sl local_address rem_address st tx_queue:rx_queue tr:when retrnsmt uid timeout inode ...}. */
  static @Nullable TcpSocket row(String line) {
    String[] column = line.strip().split("\\s+", -1);
    if (column.length < 10) {
      return null;
    }
    TcpSocket.State state = TcpSocket.State.of(Integer.parseInt(column[3], 16));
    String[] local = column[1].split(":", 2);
    String[] remote = column[2].split(":", 2);
    String[] queues = column[4].split(":", 2);
    return new TcpSocket(
        state,
        host(local[0]),
        Integer.parseInt(local[1], 16),
        host(remote[0]),
        Integer.parseInt(remote[1], 16),
        Long.parseLong(column[9]),
        Long.parseLong(queues[1], 16),
        state == TcpSocket.State.LISTEN ? null : (Long) Long.parseLong(queues[0], 16),
        null,
        null);
  }

  /** From {@code 0100007F}, as /proc/net/tcp has it: words of the machine's byte order, which is little-endian here. */
  public static String host(String words) {
    byte[] bytes = new byte[words.length() / 2];
    for (int i = 0; i < bytes.length; i++) {
      int at = i / Integer.BYTES * Integer.BYTES + Integer.BYTES - 1 - i % Integer.BYTES;
      bytes[at] = (byte) Integer.parseInt(words, 2 * i, 2 * i + 2, 16);
    }
    return host(bytes);
  }
}
