package echoladder.external;

import echoladder.linux.process.DescriptorLimit;

/** How many descriptors a tool gets. The tools open all connections in one process: they do not shard. */
public final class Descriptors {
  private Descriptors() {}

  /**
   * The soft limit to start a tool with.
   *
   * @param tool for the message
   * @param needed descriptors that it needs at the least
   * @param wished what is comfortable
   * @throws UnfitPlanException where the hard limit is below the need
   */
  public static long soft(String tool, DescriptorLimit limit, long needed, long wished) throws UnfitPlanException {
    // RLIM_INFINITY is all ones: as a signed long, -1.
    long hard = limit.hard() < 0 ? Long.MAX_VALUE : limit.hard();
    if (hard < needed) {
      throw new UnfitPlanException(
          "%s needs %,d descriptors and the hard limit is %,d; it cannot share a load over processes: raise the limit "
                  .formatted(tool, needed, hard)
              + "(runbooks/symptoms/descriptor-limit.md), ask for fewer connections, or use --client open-loop");
    }
    return Math.min(hard, Math.max(needed, wished));
  }
}
