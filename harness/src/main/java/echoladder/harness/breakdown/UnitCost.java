package echoladder.harness.breakdown;

import java.util.List;
import java.util.Locale;

/**
 * The things of which an echo has more or fewer with each server, and what one of them costs. A count of them comes from a
 * profile of system calls, or from the figures of rungs that nobody watched.
 */
public enum UnitCost {
  /** A read that finds nothing and fails by EAGAIN, as a blocking loop tries to read before it waits. */
  READ_NOTHING("reads that find nothing", Counted.FAILED_CALLS, List.of("read", "recvfrom", "recvmsg", "readv")),
  /** A change of what an epoll instance watches: a virtual thread's wait for its socket, armed for once. */
  EPOLL_CTL("epoll_ctl, to wait for a socket once more", Counted.CALLS, List.of("epoll_ctl")),
  /** A wait for events that returns one which is there already. */
  EPOLL_WAIT("waits for events, without the sleep in them", Counted.CALLS, List.of("epoll_wait", "epoll_pwait", "epoll_pwait2")),
  /** A kernel thread is woken from its sleep, runs, and sleeps again, with the calls for both. */
  SWITCH("switches of kernel threads that wait", Counted.SWITCHES, List.of()),
  /** A carrier wakes for a virtual thread, finds no other behind it and prepares to sleep: what that takes beyond its switch. */
  CARRIER_WAKE("carriers that wake, look for work and find no more, beyond the switch", Counted.SWITCHES, List.of()),
  /** A virtual thread's turn, its carrier awake: it is unparked, put into the queue, mounted, and unmounted when it parks. */
  VIRTUAL_TURN("turns of virtual threads", Counted.CALLS, List.of("epoll_ctl")),
  /** 1,024 bytes on a JVM's heap in small objects, their collection with it. */
  ALLOCATED_KIB("KiB allocated", Counted.ALLOCATED_KIB, List.of());

  /** Where its count comes from. */
  public enum Counted {
    /** Calls of these names, by a profile of system calls. */
    CALLS,
    /** Those of them that failed, by the same. */
    FAILED_CALLS,
    /** Voluntary switches per echo, by rungs that nobody watched. */
    SWITCHES,
    /** Allocated bytes per echo, likewise. */
    ALLOCATED_KIB
  }

  private final String label;
  private final Counted counted;
  @SuppressWarnings("ImmutableEnumChecker") // List.copyOf makes one that cannot be changed
  private final List<String> calls;

  UnitCost(String label, Counted counted, List<String> calls) {
    this.label = label;
    this.counted = counted;
    this.calls = List.copyOf(calls);
  }

  /** As run.json names it. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** As a table does. */
  public String label() {
    return label;
  }

  /** Where its count comes from. */
  public Counted counted() {
    return counted;
  }

  /** The system calls that are counted; none where none is. */
  public List<String> calls() {
    return calls;
  }
}
