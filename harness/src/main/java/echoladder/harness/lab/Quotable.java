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
  /** CPU per echo, of whomever. */
  CPU;

  /** As in run.json: {@code failure_modes}. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** As in a sentence: {@code failure modes}. */
  public String words() {
    return this == CPU ? "CPU" : id().replace('_', ' ');
  }
}
