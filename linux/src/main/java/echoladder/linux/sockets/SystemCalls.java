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
 * The system calls that Echo Ladder makes itself. Every call returns what the kernel returns: zero or a positive
 * result, or the negated {@link Errno}; none throws for a failed call, and none allocates.
 *
 * <p>An instance holds the memory into which errno is captured and small argument structs, so it belongs to one
 * thread. Calls to glibc keep glibc's meaning, except that errno comes back as the result.
 */
public final class SystemCalls {
  public static final int SOL_SOCKET = 1;
  public static final int SO_REUSEADDR = 2;
  public static final int SO_ERROR = 4;
  public static final int SO_LINGER = 13;
  static final int SO_BINDTODEVICE = 25;
  static final int SO_ACCEPTCONN = 30;
  private static final int SO_MEMINFO = 55;
  public static final int IPPROTO_IP = 0;
  public static final int IP_BIND_ADDRESS_NO_PORT = 24;
  public static final int IPPROTO_TCP = 6;
  public static final int TCP_NODELAY = 1;
  public static final int SHUT_RD = 0;
  public static final int SHUT_WR = 1;
  public static final int SIGINT = 2;

  private static final int AF_INET = 2;
  private static final int AF_NETLINK = 16;
  private static final int NETLINK_SOCK_DIAG = 4;
  private static final int SOCK_STREAM = 1;
  private static final int SOCK_RAW = 3;
  private static final int SOCK_NONBLOCK = 0x800;
  private static final int SOCK_CLOEXEC = 0x80000;
  private static final int PR_SET_TIMERSLACK = 29;
  private static final int F_DUPFD_CLOEXEC = 1030;
  private static final int EFD_NONBLOCK = 0x800;
  private static final int EFD_CLOEXEC = 0x80000;

  private static final MethodHandle SOCKET = call("socket", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT);
  private static final MethodHandle SETSOCKOPT =
      call("setsockopt", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT);
  private static final MethodHandle GETSOCKOPT =
      call("getsockopt", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, ADDRESS);
  private static final MethodHandle BIND = call("bind", JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT);
  private static final MethodHandle CONNECT = call("connect", JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT);
  private static final MethodHandle LISTEN = call("listen", JAVA_INT, JAVA_INT, JAVA_INT);
  private static final MethodHandle ACCEPT4 = call("accept4", JAVA_INT, JAVA_INT, ADDRESS, ADDRESS, JAVA_INT);
  private static final MethodHandle GETSOCKNAME = call("getsockname", JAVA_INT, JAVA_INT, ADDRESS, ADDRESS);
  private static final MethodHandle READ = call("read", JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG);
  private static final MethodHandle WRITE = call("write", JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG);
  // The same function for memory that is known by its address: a segment of it would be garbage.
  private static final MethodHandle WRITE_AT = call("write", JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG);
  private static final MethodHandle SHUTDOWN = call("shutdown", JAVA_INT, JAVA_INT, JAVA_INT);
  private static final MethodHandle CLOSE = call("close", JAVA_INT, JAVA_INT);
  private static final MethodHandle FCNTL = call(2, "fcntl", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT);
  private static final MethodHandle PRCTL = call(1, "prctl", JAVA_INT, JAVA_INT, JAVA_LONG);
  private static final MethodHandle KILL = call("kill", JAVA_INT, JAVA_INT, JAVA_INT);
  private static final MethodHandle EVENTFD = call("eventfd", JAVA_INT, JAVA_INT, JAVA_INT);
  private static final MethodHandle EPOLL_CREATE1 = call("epoll_create1", JAVA_INT, JAVA_INT);
  private static final MethodHandle EPOLL_CTL = call("epoll_ctl", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS);
  // By number, as glibc has the wrapper only since 2.35; 441 on every architecture, in kernels since 5.11.
  private static final long SYS_EPOLL_PWAIT2 = 441;
  private static final MethodHandle SYSCALL6 =
      call(1, "syscall", JAVA_LONG, JAVA_LONG, JAVA_INT, ADDRESS, JAVA_INT, ADDRESS, ADDRESS, JAVA_LONG);

  private final MemorySegment capture = Arena.ofAuto().allocate(CAPTURE);
  private final MemorySegment word = Arena.ofAuto().allocate(JAVA_INT);
  private final MemorySegment length = Arena.ofAuto().allocate(JAVA_INT);
  private final MemorySegment pair = Arena.ofAuto().allocate(16, 8);
  /** Counts of bytes in the order of SK_MEMINFO_* in linux/sock_diag.h. */
  private final MemorySegment memory = Arena.ofAuto().allocate(9 * JAVA_INT.byteSize(), 4);

  /** A non-blocking, close-on-exec TCP socket over IPv4. */
  public int tcpSocket() {
    try {
      return result((int) SOCKET.invokeExact(capture, AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
    } catch (Throwable t) {
      throw impossible(t);
    }
  }

  /** A blocking socket on which the kernel tells of sockets: sock_diag(7). */
  int socketDiagnosis() {
    try {
      return result((int) SOCKET.invokeExact(capture, AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG));
    } catch (Throwable t) {
      throw impossible(t);
    }
  }

  /** Sets an option whose value is an int. */
  public int setOption(int fd, int level, int option, int value) {
    word.set(JAVA_INT, 0, value);
    return setOption(fd, level, option, word, 4);
  }

  /** Makes close() reset the connection instead of finishing it. */
  public int resetOnClose(int fd) {
    pair.set(JAVA_INT, 0, 1);
    pair.set(JAVA_INT, 4, 0);
    return setOption(fd, SOL_SOCKET, SO_LINGER, pair, 8);
  }

  /** Lets a socket hear only what that network device hands to the kernel, e.g. {@code lo}. */
  int hearOnly(int fd, String device) {
    MemorySegment name = Arena.ofAuto().allocateFrom(device);
    return setOption(fd, SOL_SOCKET, SO_BINDTODEVICE, name, (int) name.byteSize());
  }

  int setOption(int fd, int level, int option, MemorySegment value, int bytes) {
    try {
      return result((int) SETSOCKOPT.invokeExact(capture, fd, level, option, value, bytes));
    } catch (Throwable t) {
      throw impossible(t);
    }
  }

  /** The value of an int option, or a negated errno; for options that are never negative themselves. */
  public int option(int fd, int level, int option) {
    length.set(JAVA_INT, 0, 4);
    try {
      int r = result((int) GETSOCKOPT.invokeExact(capture, fd, level, option, word, length));
      return r < 0 ? r : word.get(JAVA_INT, 0);
    } catch (Throwable t) {
      throw impossible(t);
    }
  }

  /** The value of an option of 64 bits, or a negated errno; for options that are never negative themselves. */
  long longOption(int fd, int level, int option) {
    length.set(JAVA_INT, 0, 8);
    try {
      int r = result((int) GETSOCKOPT.invokeExact(capture, fd, level, option, pair, length));
      return r < 0 ? r : pair.get(JAVA_LONG, 0);
    } catch (Throwable t) {
      throw impossible(t);
    }
  }

  /**
   * Kernel memory of the queues of a TCP socket, for both directions, as {@code mem} of /proc/net/sockstat counts it in pages: what waits
   * to be read, what waits to be acknowledged, and what is reserved for more. In bytes, or a negated errno.
   */
  public long queueBytes(int fd) {
    length.set(JAVA_INT, 0, (int) memory.byteSize());
    try {
      int r = result((int) GETSOCKOPT.invokeExact(capture, fd, SOL_SOCKET, SO_MEMINFO, memory, length));
      return r < 0 ? r : (long) memory.getAtIndex(JAVA_INT, 0) + memory.getAtIndex(JAVA_INT, 4) + memory.getAtIndex(JAVA_INT, 5);
    } catch (Throwable t) {
      throw impossible(t);
    }
  }

  public int bind(int fd, SocketAddress address) {
    try {
      return result((int) BIND.invokeExact(capture, fd, address.segment(), SocketAddress.BYTES));
    } catch (Throwable t) {
      throw impossible(t);
    }
  }

  /** Starts or makes a connection: 0, {@code -EINPROGRESS}, or what went wrong. */
  public int connect(int fd, SocketAddress address) {
    try {
      return result((int) CONNECT.invokeExact(capture, fd, address.segment(), SocketAddress.BYTES));
    } catch (Throwable t) {
      throw impossible(t);
    }
  }

  public int listen(int fd, int backlog) {
    try {
      return result((int) LISTEN.invokeExact(capture, fd, backlog));
    } catch (Throwable t) {
      throw impossible(t);
    }
  }

  /** Accepts one connection as a non-blocking, close-on-exec descriptor. */
  public int accept(int fd) {
    try {
      int flags = SOCK_NONBLOCK | SOCK_CLOEXEC;
      return result((int) ACCEPT4.invokeExact(capture, fd, MemorySegment.NULL, MemorySegment.NULL, flags));
    } catch (Throwable t) {
      throw impossible(t);
    }
  }

  /** The local port of a bound socket. */
  public int localPort(int fd) {
    length.set(JAVA_INT, 0, SocketAddress.BYTES);
    try {
      int r = result((int) GETSOCKNAME.invokeExact(capture, fd, pair, length));
      return r < 0 ? r : SocketAddress.port(pair);
    } catch (Throwable t) {
      throw impossible(t);
    }
  }

  /** Bytes read into the beginning of {@code buffer}; 0 = the peer's FIN. */
  public int read(int fd, MemorySegment buffer, int bytes) {
    try {
      return result((int) (long) READ.invokeExact(capture, fd, buffer, (long) bytes));
    } catch (Throwable t) {
      throw impossible(t);
    }
  }

  /** Bytes written from the beginning of {@code buffer}. SIGPIPE does not reach a JVM. */
  public int write(int fd, MemorySegment buffer, int bytes) {
    try {
      return result((int) (long) WRITE.invokeExact(capture, fd, buffer, (long) bytes));
    } catch (Throwable t) {
      throw impossible(t);
    }
  }

  /** Bytes written from native memory at that address, which must have so many. */
  public int write(int fd, long address, int bytes) {
    try {
      return result((int) (long) WRITE_AT.invokeExact(capture, fd, address, (long) bytes));
    } catch (Throwable t) {
      throw impossible(t);
    }
  }

  public int shutdown(int fd, int how) {
    try {
      return result((int) SHUTDOWN.invokeExact(capture, fd, how));
    } catch (Throwable t) {
      throw impossible(t);
    }
  }

  public int close(int fd) {
    try {
      return result((int) CLOSE.invokeExact(capture, fd));
    } catch (Throwable t) {
      throw impossible(t);
    }
  }

  /**
   * Lets the kernel size the process's descriptor table for {@code highest} now: growing it later, in a process with
   * threads, makes the opener wait for an RCU grace period at each doubling. No descriptor that is in use is touched.
   *
   * @param open any open descriptor
   * @param highest a descriptor number below the soft limit; at the limit {@code -EINVAL}
   */
  public int growDescriptorTable(int open, int highest) {
    try {
      int r = result((int) FCNTL.invokeExact(capture, open, F_DUPFD_CLOEXEC, highest));
      return r < 0 ? r : close(r);
    } catch (Throwable t) {
      throw impossible(t);
    }
  }

  /** Lets timed waits of the calling thread end as exactly as the kernel can, instead of up to 50 µs late. */
  public int timerSlackNs(long ns) {
    try {
      return result((int) PRCTL.invokeExact(capture, PR_SET_TIMERSLACK, ns));
    } catch (Throwable t) {
      throw impossible(t);
    }
  }

  /** Sends a signal to a process. */
  public int kill(int pid, int signal) {
    try {
      return result((int) KILL.invokeExact(capture, pid, signal));
    } catch (Throwable t) {
      throw impossible(t);
    }
  }

  /** A counter that becomes readable when {@link #wake} adds to it: it ends another thread's wait. */
  public int eventDescriptor() {
    try {
      return result((int) EVENTFD.invokeExact(capture, 0, EFD_NONBLOCK | EFD_CLOEXEC));
    } catch (Throwable t) {
      throw impossible(t);
    }
  }

  /** Adds to an {@link #eventDescriptor}. */
  public int wake(int eventDescriptor) {
    pair.set(JAVA_LONG, 0, 1);
    return write(eventDescriptor, pair, Long.BYTES);
  }

  int epollCreate() {
    try {
      return result((int) EPOLL_CREATE1.invokeExact(capture, SOCK_CLOEXEC));
    } catch (Throwable t) {
      throw impossible(t);
    }
  }

  int epollControl(int epoll, int operation, int fd, MemorySegment event) {
    try {
      return result((int) EPOLL_CTL.invokeExact(capture, epoll, operation, fd, event));
    } catch (Throwable t) {
      throw impossible(t);
    }
  }

  /** Waits for events; a negative timeout waits without end. */
  int epollWait(int epoll, MemorySegment events, int most, long timeoutNs) {
    MemorySegment timeout = MemorySegment.NULL;
    if (timeoutNs >= 0) {
      pair.set(JAVA_LONG, 0, timeoutNs / 1_000_000_000L);
      pair.set(JAVA_LONG, 8, timeoutNs % 1_000_000_000L);
      timeout = pair;
    }
    try {
      long r =
          (long)
              SYSCALL6.invokeExact(
                  capture, SYS_EPOLL_PWAIT2, epoll, events, most, timeout, MemorySegment.NULL, 8L);
      return result((int) r);
    } catch (Throwable t) {
      throw impossible(t);
    }
  }

  private int result(int r) {
    return r >= 0 ? r : -errno(capture);
  }
}
