package echoladder.harness.incident;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * A TCP socket on which the process listens.
 *
 * @param address {@code 0.0.0.0:8080}
 * @param waiting connections that wait for accept
 * @param backlog how many may wait: the lesser of what the program asked for and net.core.somaxconn; null = not told
 * @param drops connections that it has dropped since it listens; null = not told
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record Listener(String address, long waiting, @Nullable Long backlog, @Nullable Long drops) {
  /** Whether the next connection is dropped: the kernel lets one more wait than the backlog says. */
  public boolean full() {
    return backlog != null && waiting > backlog;
  }

  /** The part of its queue that is taken; 0 where that is not known. */
  double share() {
    return backlog == null ? 0 : (double) waiting / Math.max(1, backlog);
  }

  long dropped() {
    return drops == null ? 0 : drops;
  }
}
