package echoladder.openloop.run;

import org.jspecify.annotations.Nullable;

/** What a load sees of the server while it runs. Called by one thread at a time. */
public interface ServerLook {
  /**
   * What was seen at one moment; each is null where it cannot be had.
   *
   * @param atNs when its CPU was read, CLOCK_MONOTONIC of the process that runs the load
   * @param cpuNs so far, without its hiccup meter where it has a page that tells it; by pid exact, by the page as fine as its
   *     process_cpu_seconds_total
   * @param rssBytes resident memory
   * @param failure why the page that was named does not tell it; empty where it does, and where the pid was asked
   */
  record Seen(long atNs, @Nullable Long cpuNs, @Nullable Long rssBytes, String failure) {}

  /** Looks now. */
  Seen look();

  /** The processors that it may run on, in the kernel's form; null where it is not to be seen by its pid. */
  @Nullable String cpus();

  /** Seconds its JIT compilers have been busy so far; null for a runtime without, or without metrics page. */
  @Nullable Double compileSeconds();
}
