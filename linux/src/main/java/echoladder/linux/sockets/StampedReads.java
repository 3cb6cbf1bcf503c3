package echoladder.linux.sockets;

import static echoladder.linux.Downcall.CAPTURE;
import static echoladder.linux.Downcall.call;
import static echoladder.linux.Downcall.errno;
import static echoladder.linux.Downcall.impossible;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Reads from sockets by recvmsg(2), with the kernel's stamp of the arrival of the last byte that was read. Sockets are asked for
 * stamps once, by {@link #ask}; see Documentation/networking/timestamping.rst of the kernel. Allocates nothing per read. An instance
 * belongs to one thread.
 */
public final class StampedReads {
  private static final int SO_TIMESTAMPING = 37;
  /** Stamps by software as a packet enters the kernel. */
  private static final int RX_SOFTWARE = 1 << 3;
  /** Such stamps are reported. */
  private static final int SOFTWARE = 1 << 4;

  static final MethodHandle RECVMSG = call("recvmsg", JAVA_LONG, JAVA_INT, ADDRESS, JAVA_INT);

  // struct msghdr of 64 bits: name 0, its length 8, iov 16, their number 24, control 32, its length 40, flags 48.
  static final long MSG_IOV = 16;
  static final long MSG_IOV_COUNT = 24;
  static final long MSG_CONTROL = 32;
  static final long MSG_CONTROL_LENGTH = 40;
  static final long MSG_BYTES = 56;
  // struct cmsghdr: length 0, level 8, type 12, and from 16 struct scm_timestamping, whose first timespec is the software's.
  static final long CONTROL_LEVEL = 8;
  static final long CONTROL_TYPE = 12;
  private static final long CONTROL_SECONDS = 16;
  private static final long CONTROL_NANOS = 24;
  private static final long CONTROL_LEAST = 32;
  private static final long CONTROL_ROOM = 256;

  private final MemorySegment capture = Arena.ofAuto().allocate(CAPTURE);
  private final MemorySegment message = Arena.ofAuto().allocate(MSG_BYTES, 8);
  private final MemorySegment vector = Arena.ofAuto().allocate(16, 8);
  private final MemorySegment control = Arena.ofAuto().allocate(CONTROL_ROOM, 8);
  // Held, as the kernel knows only its address.
  private final MemorySegment buffer;
  private long stampNs;

  /** All reads go to the beginning of {@code buffer}, at most as many bytes as it has. */
  public StampedReads(MemorySegment buffer) {
    this.buffer = buffer;
    vector.set(ADDRESS, 0, buffer);
    vector.set(JAVA_LONG, 8, buffer.byteSize());
    message.set(ADDRESS, MSG_IOV, vector);
    message.set(JAVA_LONG, MSG_IOV_COUNT, 1);
    message.set(ADDRESS, MSG_CONTROL, control);
  }

  /** Asks the kernel to stamp what a socket receives: 0, or what it refused with. While any socket asks, it stamps every packet. */
  public static int ask(SystemCalls sys, int fd) {
    return sys.setOption(fd, SystemCalls.SOL_SOCKET, SO_TIMESTAMPING, RX_SOFTWARE | SOFTWARE);
  }

  /** Where the bytes are. */
  public MemorySegment buffer() {
    return buffer;
  }

  /** Bytes read into the beginning of the buffer; 0 = the peer's FIN; negative = an {@link Errno}. */
  public int read(int fd) {
    message.set(JAVA_LONG, MSG_CONTROL_LENGTH, CONTROL_ROOM);
    int n;
    try {
      n = (int) (long) RECVMSG.invokeExact(capture, fd, message, 0);
    } catch (Throwable t) {
      throw impossible(t);
    }
    stampNs = n > 0 ? stamp() : 0;
    return n >= 0 ? n : -errno(capture);
  }

  /** No other control message was asked for, so a stamp is the first. */
  private long stamp() {
    boolean there =
        message.get(JAVA_LONG, MSG_CONTROL_LENGTH) >= CONTROL_LEAST
            && control.get(JAVA_INT, CONTROL_LEVEL) == SystemCalls.SOL_SOCKET
            && control.get(JAVA_INT, CONTROL_TYPE) == SO_TIMESTAMPING;
    return there ? control.get(JAVA_LONG, CONTROL_SECONDS) * 1_000_000_000L + control.get(JAVA_LONG, CONTROL_NANOS) : 0;
  }

  /**
   * When the last byte of the last {@link #read} arrived, ns on the realtime clock; 0 = the kernel did not say. Where that read took
   * several packets, or part of several that the kernel had joined, it is the stamp of the last of them.
   */
  public long stampNs() {
    return stampNs;
  }
}
