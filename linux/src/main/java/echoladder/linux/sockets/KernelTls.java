package echoladder.linux.sockets;

import static echoladder.linux.Downcall.CAPTURE;
import static echoladder.linux.Downcall.call;
import static echoladder.linux.Downcall.errno;
import static echoladder.linux.Downcall.impossible;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import echoladder.linux.Errno;
import echoladder.linux.ProcSys;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.net.UnknownHostException;
import java.nio.ByteOrder;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * TLS records that the kernel makes and reads: TLS 1.3 with AES-128-GCM (linux/tls.h; Documentation/networking/tls.rst). Once a socket
 * has keys, read(2) and write(2) take and give what is in its records. Calls give what the kernel gives, a negated {@link Errno} too. An
 * instance belongs to one thread.
 */
public final class KernelTls {
  // RFC 8446, 5.1: what is in a record.
  public static final int ALERT = 21;
  public static final int HANDSHAKE = 22;

  // RFC 8446, 6: levels and descriptions of alerts.
  public static final int WARNING = 1;
  public static final int FATAL = 2;
  public static final int CLOSE_NOTIFY = 0;
  public static final int UNEXPECTED_MESSAGE = 10;
  public static final int BAD_RECORD_MAC = 20;
  public static final int RECORD_OVERFLOW = 22;
  public static final int INTERNAL_ERROR = 80;
  public static final int USER_CANCELED = 90;

  private static final int TCP_ULP = 31;
  private static final int SOL_TLS = 282;
  private static final int TLS_TX = 1;
  private static final int TLS_RX = 2;
  private static final int TLS_SET_RECORD_TYPE = 1;
  private static final int TLS_GET_RECORD_TYPE = 2;
  private static final short TLS_1_3_VERSION = 0x0304;
  private static final short TLS_CIPHER_AES_GCM_128 = 51;

  // struct tls12_crypto_info_aes_gcm_128: version 0, cipher 2, the end of the IV 4, key 12, the beginning of the IV (salt) 28, number 32.
  private static final long INFO_CIPHER = 2;
  private static final long INFO_IV = 4;
  private static final long INFO_KEY = 12;
  private static final long INFO_SALT = 28;
  private static final long INFO_NUMBER = 32;
  static final int INFO_BYTES = 40;
  private static final int KEY_BYTES = 16;
  private static final int SALT_BYTES = 4;
  private static final int IV_REST_BYTES = 8;

  // struct cmsghdr with one byte of data: its own length, and what it takes with padding.
  private static final long CONTROL_DATA = 16;
  private static final long CONTROL_LENGTH = 17;
  private static final long CONTROL_SPACE = 24;

  private static final ValueLayout.OfLong NETWORK_LONG = JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final MethodHandle SENDMSG = call("sendmsg", JAVA_LONG, JAVA_INT, ADDRESS, JAVA_INT);
  private static final long PATIENCE_NS = 5_000_000_000L;
  private static final Path KINDS = Path.of("/proc/sys/net/ipv4/tcp_available_ulp");

  private final SystemCalls sys;
  private final MemorySegment capture = Arena.ofAuto().allocate(CAPTURE);
  private final MemorySegment name = Arena.ofAuto().allocateFrom("tls");
  private final MemorySegment info = Arena.ofAuto().allocate(INFO_BYTES, 8);
  private final MemorySegment message = Arena.ofAuto().allocate(StampedReads.MSG_BYTES, 8);
  private final MemorySegment vector = Arena.ofAuto().allocate(16, 8);
  private final MemorySegment control = Arena.ofAuto().allocate(CONTROL_SPACE, 8);
  // Longer than an alert, and than the head of a handshake message with a byte of it.
  private final MemorySegment content = Arena.ofAuto().allocate(16, 8);

  /** For the thread of these system calls. */
  public KernelTls(SystemCalls sys) {
    this.sys = sys;
    vector.set(ADDRESS, 0, content);
    message.set(ADDRESS, StampedReads.MSG_IOV, vector);
    message.set(JAVA_LONG, StampedReads.MSG_IOV_COUNT, 1);
    message.set(ADDRESS, StampedReads.MSG_CONTROL, control);
  }

  /**
   * Why this kernel makes no TLS records; null where it does. That is tried with a connection over loopback. For root, a kernel with
   * modules loads them then.
   */
  public static @Nullable String missing() {
    SystemCalls sys = new SystemCalls();
    int listener = sys.tcpSocket();
    int client = sys.tcpSocket();
    int server = -1;
    try (Epoll epoll = Epoll.open(sys, 1)) {
      server = connected(sys, epoll, listener, client);
      if (server < 0) {
        return "a connection to try TLS in the kernel on could not be made: " + Errno.name(server);
      }
      KernelTls tls = new KernelTls(sys);
      int r = tls.attach(server);
      if (r < 0) {
        return missing("\"tls\" by TCP_ULP", Errno.name(r), kinds());
      }
      r = tls.seal(server, Arena.ofAuto().allocate(KEY_BYTES + SALT_BYTES + IV_REST_BYTES), 0);
      return r < 0 ? missing("AES-128-GCM by TLS_TX", Errno.name(r), kinds()) : null;
    } catch (UnknownHostException e) {
      throw new AssertionError("127.0.0.1 is looked up nowhere", e);
    } finally {
      for (int fd : new int[] {server, client, listener}) {
        if (fd >= 0) {
          sys.close(fd);
        }
      }
    }
  }

  /** Makes a connection over loopback: its accepted end, or why there is none. */
  private static int connected(SystemCalls sys, Epoll epoll, int listener, int client) throws UnknownHostException {
    int r = Math.min(listener, client);
    if (r >= 0) {
      r = sys.bind(listener, SocketAddress.of("127.0.0.1", 0));
    }
    if (r >= 0) {
      r = sys.listen(listener, 1);
    }
    if (r >= 0) {
      r = epoll.add(listener, Epoll.IN, 0);
    }
    if (r >= 0) {
      r = sys.connect(client, SocketAddress.of("127.0.0.1", sys.localPort(listener)));
    }
    if (r < 0 && r != -Errno.EINPROGRESS) {
      return r;
    }
    epoll.await(PATIENCE_NS);
    return sys.accept(listener);
  }

  private static String kinds() {
    try {
      return "is '" + ProcSys.read(KINDS) + "'";
    } catch (IOException e) {
      return "cannot be read";
    }
  }

  /** Says it of what setsockopt was asked for and failed with, and what is known of the kernel. */
  static String missing(String asked, String error, String kinds) {
    return "this kernel makes no TLS records (kTLS): setsockopt of " + asked + " failed with " + error + ", and net.ipv4.tcp_available_ulp "
        + kinds + ". It takes CONFIG_TLS, which that setting shows as tls, and CONFIG_CRYPTO_GCM. Where the kernel has them as modules, as"
        + " root: modprobe -a tls gcm. Else './ladder lab -- ./ladder ...' runs a kernel that has both";
  }

  /** Lets a connected socket take keys later on; until it has some, it is as before. Refused with ENOTCONN once the peer has ended. */
  public int attach(int fd) {
    return sys.setOption(fd, SystemCalls.IPPROTO_TCP, TCP_ULP, name, 3);
  }

  /**
   * From here on what is written becomes records.
   *
   * @param key 16 bytes, and behind them 12 of the IV
   * @param records that were made with this key before
   */
  public int seal(int fd, MemorySegment key, long records) {
    fill(info, key, records);
    return sys.setOption(fd, SOL_TLS, TLS_TX, info, INFO_BYTES);
  }

  /**
   * From here on what is read was in records.
   *
   * @param key 16 bytes, and behind them 12 of the IV
   * @param records with this key that were read before
   */
  public int open(int fd, MemorySegment key, long records) {
    fill(info, key, records);
    return sys.setOption(fd, SOL_TLS, TLS_RX, info, INFO_BYTES);
  }

  /** Fills struct tls12_crypto_info_aes_gcm_128. The salt is the beginning of the IV. */
  static void fill(MemorySegment info, MemorySegment key, long records) {
    info.set(JAVA_SHORT, 0, TLS_1_3_VERSION);
    info.set(JAVA_SHORT, INFO_CIPHER, TLS_CIPHER_AES_GCM_128);
    MemorySegment.copy(key, 0, info, INFO_KEY, KEY_BYTES);
    MemorySegment.copy(key, KEY_BYTES, info, INFO_SALT, SALT_BYTES);
    MemorySegment.copy(key, KEY_BYTES + SALT_BYTES, info, INFO_IV, IV_REST_BYTES);
    info.set(NETWORK_LONG, INFO_NUMBER, records);
  }

  /** Sends an alert: its 2 bytes, or why not. */
  public int alert(int fd, int level, int description) {
    content.set(JAVA_BYTE, 0, (byte) level);
    content.set(JAVA_BYTE, 1, (byte) description);
    vector.set(JAVA_LONG, 8, 2);
    control.set(JAVA_LONG, 0, CONTROL_LENGTH);
    control.set(JAVA_INT, StampedReads.CONTROL_LEVEL, SOL_TLS);
    control.set(JAVA_INT, StampedReads.CONTROL_TYPE, TLS_SET_RECORD_TYPE);
    control.set(JAVA_BYTE, CONTROL_DATA, (byte) ALERT);
    message.set(JAVA_LONG, StampedReads.MSG_CONTROL_LENGTH, CONTROL_SPACE);
    try {
      int n = (int) (long) SENDMSG.invokeExact(capture, fd, message, 0);
      return n >= 0 ? n : -errno(capture);
    } catch (Throwable t) {
      throw impossible(t);
    }
  }

  /** Reads the beginning of a record at which read(2) failed with EIO, as it is no application data: {@link #type} and {@link #content}. */
  public int readOther(int fd) {
    vector.set(JAVA_LONG, 8, content.byteSize());
    control.fill((byte) 0);
    message.set(JAVA_LONG, StampedReads.MSG_CONTROL_LENGTH, CONTROL_SPACE);
    try {
      int n = (int) (long) StampedReads.RECVMSG.invokeExact(capture, fd, message, 0);
      return n >= 0 ? n : -errno(capture);
    } catch (Throwable t) {
      throw impossible(t);
    }
  }

  /** What the last {@link #readOther} read: {@link #ALERT}, {@link #HANDSHAKE} or another type; 0 = the kernel did not say. */
  public int type() {
    boolean there =
        message.get(JAVA_LONG, StampedReads.MSG_CONTROL_LENGTH) >= CONTROL_LENGTH
            && control.get(JAVA_INT, StampedReads.CONTROL_LEVEL) == SOL_TLS
            && control.get(JAVA_INT, StampedReads.CONTROL_TYPE) == TLS_GET_RECORD_TYPE;
    return there ? control.get(JAVA_BYTE, CONTROL_DATA) & 0xff : 0;
  }

  /** A byte of what {@link #readOther} read. */
  public int content(int at) {
    return content.get(JAVA_BYTE, at) & 0xff;
  }
}
