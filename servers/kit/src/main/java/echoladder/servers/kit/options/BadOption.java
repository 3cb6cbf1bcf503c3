package echoladder.servers.kit.options;

/** An option is out of its range: the message names option, value and range. Exit status 2. */
public final class BadOption extends RuntimeException {
  private static final long serialVersionUID = 1;

  public BadOption(String message) {
    super(message);
  }

  /** Throws where {@code value} is outside {@code least} to {@code most}. */
  public static void unlessWithin(String option, long value, long least, long most) {
    if (value < least || value > most) {
      throw new BadOption(option + " " + value + " is not allowed; " + least + " to " + most);
    }
  }
}
