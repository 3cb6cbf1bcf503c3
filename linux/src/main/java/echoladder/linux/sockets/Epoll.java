package echoladder.linux.sockets;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;

import echoladder.linux.Errno;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Locale;

/**
 * One epoll instance with its event buffer. {@link #await} and the accessors of its events belong to one thread;
 * {@link #add} may be called from another thread with that thread's own {@link SystemCalls}.
 */
public final class Epoll implements AutoCloseable {
  public static final int IN = 0x001;
  public static final int OUT = 0x004;
  public static final int ERR = 0x008;
  public static final int HUP = 0x010;
  /** The peer has sent FIN. */
  public static final int RDHUP = 0x2000;
  /** Report a readiness once, when it comes about. */
  public static final int EDGE = 1 << 31;
  /** Report once, until what is watched is changed again. */
  public static final int ONE_SHOT = 1 << 30;

  private static final int CTL_ADD = 1;
  private static final int CTL_DEL = 2;
  private static final int CTL_MOD = 3;

  // struct epoll_event is packed on x86-64 only: {u32 events; u64 data} in 12 bytes there, in 16 elsewhere.
  private static final boolean PACKED =
      switch (System.getProperty("os.arch").toLowerCase(Locale.ROOT)) {
        case "amd64", "x86_64" -> true;
        case "aarch64" -> false;
        case String other ->
            throw new ExceptionInInitializerError("no layout of struct epoll_event known for " + other);
      };
  private static final int EVENT_BYTES = PACKED ? 12 : 16;
  private static final int DATA_OFFSET = PACKED ? 4 : 8;

  private final SystemCalls sys;
  private final int fd;
  private final int most;
  private final MemorySegment events;
  private final MemorySegment one = Arena.ofAuto().allocate(16, 8);

  private Epoll(SystemCalls sys, int fd, int most) {
    this.sys = sys;
    this.fd = fd;
    this.most = most;
    this.events = Arena.ofAuto().allocate((long) most * EVENT_BYTES, 8);
  }

  /**
   * Opens an instance for the thread that owns {@code sys}.
   *
   * @param most events returned by one {@link #await}, 1 or more
   * @throws IllegalStateException where the kernel refuses, e.g. EMFILE
   */
  public static Epoll open(SystemCalls sys, int most) {
    int fd = sys.epollCreate();
    if (fd < 0) {
      throw new IllegalStateException("epoll_create1 failed: " + Errno.name(fd));
    }
    return new Epoll(sys, fd, most);
  }

  /** Watches a descriptor; {@code token} comes back with its events. 0, or e.g. {@code -ENOSPC} (max_user_watches). */
  public int add(int descriptor, int mask, int token) {
    return control(sys, one, CTL_ADD, descriptor, mask, token);
  }

  /** {@link #add} from a thread other than the owner, by that thread's system calls. */
  public int addFrom(SystemCalls other, MemorySegment scratch, int descriptor, int mask, int token) {
    return control(other, scratch, CTL_ADD, descriptor, mask, token);
  }

  /** Changes what is watched. */
  public int modify(int descriptor, int mask, int token) {
    return control(sys, one, CTL_MOD, descriptor, mask, token);
  }

  /** Ends watching. */
  public int remove(int descriptor) {
    return control(sys, one, CTL_DEL, descriptor, 0, 0);
  }

  private int control(SystemCalls caller, MemorySegment event, int operation, int descriptor, int mask, int token) {
    event.set(JAVA_INT_UNALIGNED, 0, mask);
    event.set(JAVA_INT_UNALIGNED, DATA_OFFSET, token);
    return caller.epollControl(fd, operation, descriptor, event);
  }

  /**
   * Waits for events.
   *
   * @param timeoutNs at most this long; negative = without end
   * @return how many events there are, 0 on time-out or a signal
   * @throws IllegalStateException where the kernel has no epoll_pwait2 (before 5.11)
   */
  public int await(long timeoutNs) {
    int n = sys.epollWait(fd, events, most, timeoutNs);
    if (n >= 0) {
      return n;
    }
    if (n == -Errno.EINTR) {
      return 0;
    }
    throw new IllegalStateException("epoll_pwait2 failed: " + Errno.name(n) + "; it needs Linux 5.11 or newer");
  }

  /** Token of event {@code i} of the last {@link #await}. */
  public int token(int i) {
    return events.get(JAVA_INT_UNALIGNED, (long) i * EVENT_BYTES + DATA_OFFSET);
  }

  /** What is ready in event {@code i} of the last {@link #await}. */
  public int mask(int i) {
    return events.get(JAVA_INT_UNALIGNED, (long) i * EVENT_BYTES);
  }

  @Override
  public void close() {
    sys.close(fd);
  }
}
