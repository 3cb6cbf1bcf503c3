package echoladder.harness.common;

import java.util.List;

/**
 * Why the ladder does not do what it was asked, said to the user without a stack trace. The message says what was
 * tried, what was seen, the limit behind it and what to do.
 */
public final class Refusal extends RuntimeException {
  /** Exit status: bad usage or a bad study. */
  public static final int BAD_USAGE = 2;

  /** Exit status: something needed is missing or would not start. */
  public static final int CANNOT_RUN = 3;

  private static final long serialVersionUID = 1;

  private final int status;

  private Refusal(int status, String message) {
    super(message);
    this.status = status;
  }

  /** The user asked for something that is not allowed: exit status 2. */
  public static Refusal badUsage(String message) {
    return new Refusal(BAD_USAGE, message);
  }

  /** Refuses it with all of those complaints, where there are any. */
  public static void badUsageIfAny(List<String> complaints) {
    if (!complaints.isEmpty()) {
      throw badUsage(String.join("\n", complaints));
    }
  }

  /** What was asked for cannot be done here: exit status 3. */
  public static Refusal cannotRun(String message) {
    return new Refusal(CANNOT_RUN, message);
  }

  /** The exit status that goes with it. */
  public int status() {
    return status;
  }
}
