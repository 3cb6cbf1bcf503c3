package echoladder.harness.cli;

import picocli.CommandLine.Option;

/** Whether the table on the terminal has all three times. */
final class TimesOption {
  static final String NAME = "--times";

  @Option(
      names = NAME,
      description =
          "Also print the times of each rung by their kind: server time, send lateness, receive delay, response time. Both reports"
              + " have them anyway.")
  boolean wanted;
}
