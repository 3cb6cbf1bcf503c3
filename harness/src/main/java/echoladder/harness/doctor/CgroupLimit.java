package echoladder.harness.doctor;

import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * A limit of a control group, of this process's own or of one above it, whichever leaves least.
 *
 * @param file that holds the limit
 * @param most the limit
 * @param used of it; of memory without what is only cache and has not been used of late
 * @param writable whether this process may write the file
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record CgroupLimit(String file, long most, long used, boolean writable) {
  /** What is left. */
  public long left() {
    return Math.max(0, most - used);
  }
}
