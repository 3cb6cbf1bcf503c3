package echoladder.linux.sockets;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.ByteOrder;

/** An IPv4 address and port as the kernel's {@code struct sockaddr_in}; immutable, shared freely between threads. */
public final class SocketAddress {
  /** Size of the struct. */
  static final int BYTES = 16;

  private final MemorySegment segment;
  private final String text;

  private SocketAddress(byte[] address, int port, String text) {
    segment = Arena.ofAuto().allocate(BYTES, 4);
    segment.set(JAVA_SHORT, 0, (short) 2);
    // Port and address are big-endian in the struct, whatever the machine is.
    segment.set(JAVA_BYTE, 2, (byte) (port >> 8));
    segment.set(JAVA_BYTE, 3, (byte) port);
    MemorySegment.copy(address, 0, segment, JAVA_BYTE, 4, 4);
    this.text = text;
  }

  /**
   * Resolves a literal or name to its first IPv4 address.
   *
   * @param port 0 to 65,535; 0 = the kernel chooses
   * @throws UnknownHostException where the name has no IPv4 address
   */
  public static SocketAddress of(String host, int port) throws UnknownHostException {
    for (InetAddress candidate : InetAddress.getAllByName(host)) {
      if (candidate instanceof Inet4Address) {
        return new SocketAddress(candidate.getAddress(), port, candidate.getHostAddress() + ":" + port);
      }
    }
    throw new UnknownHostException(host + " has no IPv4 address; Echo Ladder speaks IPv4");
  }

  MemorySegment segment() {
    return segment;
  }

  /** The port in a {@code sockaddr_in}. */
  static int port(MemorySegment address) {
    return (address.get(JAVA_BYTE, 2) & 0xff) << 8 | (address.get(JAVA_BYTE, 3) & 0xff);
  }

  /** The address as a number, most significant byte first. */
  public int hostBits() {
    return segment.get(JAVA_INT.withOrder(ByteOrder.BIG_ENDIAN), 4);
  }

  /** Whether this is in 127/8, the private ranges of RFC 1918 or the shared one of RFC 6598. */
  public boolean isLoopbackOrPrivate() {
    int host = hostBits();
    return isLoopback()
        || host >>> 24 == 10
        || host >>> 20 == 0xac1
        || host >>> 16 == 0xc0a8
        || host >>> 22 == 0x6440 >>> 6;
  }

  /** Whether this is in 127/8. */
  public boolean isLoopback() {
    return hostBits() >>> 24 == 127;
  }

  /** Whether it is in 127/8 or of a device of this network namespace. */
  public boolean isOfThisHost() {
    try {
      byte[] bytes = segment.asSlice(4, 4).toArray(JAVA_BYTE);
      return isLoopback() || NetworkInterface.getByInetAddress(InetAddress.getByAddress(bytes)) != null;
    } catch (SocketException | UnknownHostException e) {
      return false; // The devices cannot be listed: nothing can be said for it.
    }
  }

  @Override
  public String toString() {
    return text;
  }
}
