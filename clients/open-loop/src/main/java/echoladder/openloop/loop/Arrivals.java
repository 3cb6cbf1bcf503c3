package echoladder.openloop.loop;

import echoladder.linux.Errno;
import echoladder.linux.sockets.RealtimeClock;
import echoladder.linux.sockets.StampedReads;
import echoladder.linux.sockets.SystemCalls;
import echoladder.openloop.result.Failures;
import echoladder.openloop.result.MessageTimes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * How an event loop reads, and when what it read had arrived by the kernel's stamp. Where stamps are not asked for, or the kernel
 * refuses them, it reads without. Belongs to one event loop.
 */
final class Arrivals {
  // In a lab a look at a clock is a system call, and this takes three.
  private static final long LAB_LOOK_NS = 100_000_000;
  // What a turn may take there.
  private static final long LAB_TURN_MOST_NS = 1_000_000_000L;
  // Of one turn, where the first was interrupted.
  private static final int LOOKS = 3;

  private final SystemCalls sys;
  private final Failures failures;
  private final MemorySegment in = Arena.ofAuto().allocate(EventLoop.BUFFER_BYTES, 64);
  private final StampedReads reads = new StampedReads(in);
  private final RealtimeClock realtime = new RealtimeClock();
  private final ClockOffset offset;
  private final boolean lab;
  private final long slackNs;
  private boolean on;
  private boolean usable;
  private long lookedNs;

  /**
   * Reads of one loop.
   *
   * @param on whether stamps are asked for
   * @param lab whether looks at clocks are so dear that a turn of the loop has one
   */
  Arrivals(boolean on, boolean lab, SystemCalls sys, Failures failures) {
    this.on = on;
    this.lab = lab;
    this.sys = sys;
    this.failures = failures;
    this.offset = new ClockOffset(lab ? ClockOffset.LAB_BRACKET_MOST_NS : ClockOffset.BRACKET_MOST_NS);
    // Where a turn has one stamp, an answer may arrive long after what counts as the time of its read.
    this.slackNs = lab ? LAB_TURN_MOST_NS : ClockOffset.BRACKET_MOST_NS;
  }

  /** Asks for stamps on a new socket. A kernel that refuses is not asked again; the result names its refusal among the errors. */
  void ask(int fd) {
    if (!on) {
      return;
    }
    int r = StampedReads.ask(sys, fd);
    if (r < 0) {
      on = false;
      failures.count("no stamps, and so no server times: setsockopt SO_TIMESTAMPING " + Errno.name(r));
    }
  }

  /** A turn has something to read: how far the clocks are apart. */
  void turn() {
    if (!on) {
      return;
    }
    long before = System.nanoTime();
    if (lab && lookedNs != 0 && before - lookedNs < LAB_LOOK_NS) {
      return;
    }
    boolean stepped = false;
    boolean narrow = false;
    for (int i = 0; i < LOOKS && !narrow; i++) {
      long wall = realtime.ns();
      lookedNs = System.nanoTime();
      narrow = offset.look(before, wall, lookedNs);
      stepped |= offset.stepped();
      before = lookedNs;
    }
    usable = !stepped && offset.usable(lookedNs);
  }

  /** Where the bytes are. */
  MemorySegment buffer() {
    return in;
  }

  /** Reads from a socket: the bytes, 0 at its FIN, or a negated {@link Errno}. */
  int read(int fd) {
    return on ? reads.read(fd) : sys.read(fd, in, EventLoop.BUFFER_BYTES);
  }

  /** Whether the last read had a stamp. */
  boolean stamped() {
    return on && reads.stampNs() != 0;
  }

  /**
   * When the last byte of the last read had arrived, ns on the monotonic clock; {@link MessageTimes#UNKNOWN} where no stamp says so
   * that can be used. A stamp outside of the time in which an answer can arrive is from a clock that was set meanwhile.
   *
   * @param sentNs when the message was sent that is answered
   * @param readNs when the answer had been read
   */
  long arrivedNs(long sentNs, long readNs) {
    if (!stamped() || !usable) {
      return MessageTimes.UNKNOWN;
    }
    long at = offset.monotonicNs(reads.stampNs());
    return at < sentNs - slackNs || at > readNs + slackNs ? MessageTimes.UNKNOWN : at;
  }
}
