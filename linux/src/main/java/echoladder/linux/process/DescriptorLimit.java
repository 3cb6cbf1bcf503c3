package echoladder.linux.process;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * RLIMIT_NOFILE of a process: descriptors are numbered below it. A JVM raises its own soft limit to the hard one at
 * its start.
 *
 * @param soft what counts now
 * @param hard what the process may raise the soft limit to
 */
public record DescriptorLimit(long soft, long hard) {

  /** The limits of this process. */
  public static DescriptorLimit own() {
    return of(0).orElseThrow();
  }

  /** The limits of a process (0 = this one); empty where it is gone or not ours to ask. */
  public static Optional<DescriptorLimit> of(long pid) {
    MemorySegment limits = Arena.ofAuto().allocate(16, 8);
    return new ProcessCalls().descriptorLimit((int) pid, limits) < 0
        ? Optional.empty()
        : Optional.of(new DescriptorLimit(limits.get(JAVA_LONG, 0), limits.get(JAVA_LONG, 8)));
  }
}
