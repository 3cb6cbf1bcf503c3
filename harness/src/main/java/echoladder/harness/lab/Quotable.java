package echoladder.harness.lab;

import java.util.Locale;

/** What a result may be quoted for. */
public enum Quotable {
  /** Which limit ended a climb, and how that shows. */
  LIMITS,
  /** Bytes per connection of processes, heaps and the kernel's sockets. */
  MEMORY,
  /** What breaks, and whether it is noticed. */
  FAILURE_MODES,
  /** Response, service and connect times, and rates. */
  TIMES,
  /**
   * Medians of the server time of 10 ms and more over a network whose delay the run made: the lab's clock keeps the delay, and the
   * lab adds some ms. docs/METHOD.md, "The lab", has how much in trials, and why no higher percentile counts.
   */
  NETWORK_TIMES,
  /** CPU per echo, of whomever. */
  CPU;

  /** A server time from which on NETWORK_TIMES counts. */
  public static final long NETWORK_TIME_LEAST_NS = 10_000_000;

  /** A delay of the network from which on NETWORK_TIMES counts. */
  public static final long NETWORK_DELAY_LEAST_NS = 5_000_000;

  /** As in run.json: {@code failure_modes}. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** As in a sentence: {@code failure modes}. */
  public String words() {
    return switch (this) {
      case CPU -> "CPU";
      case NETWORK_TIMES -> "medians of the server time of 10 ms and more over its network (with some ms of the lab's in them)";
      case LIMITS, MEMORY, FAILURE_MODES, TIMES -> id().replace('_', ' ');
    };
  }
}
