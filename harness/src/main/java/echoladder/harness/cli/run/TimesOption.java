package echoladder.harness.cli.run;

import picocli.CommandLine.Option;

/** Whether the table on the terminal has all three times. */
public final class TimesOption {
  static final String NAME = "--times";

  @Option(
      names = NAME,
      description =
          "Also print the times of each rung by their kind: server time, send lateness, receive delay, response time. Both reports"
              + " have them anyway.")
  private boolean wanted;

  public boolean wanted() {
    return wanted;
  }
}
