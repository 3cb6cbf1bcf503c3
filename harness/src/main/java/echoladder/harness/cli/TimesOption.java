package echoladder.harness.cli;

import picocli.CommandLine.Option;

/** Whether the table on the terminal has all three times. */
final class TimesOption {
  static final String NAME = "--times";

  @Option(
      names = NAME,
      description = "Also print response time, service time and send lateness of each rung. Both reports have them anyway.")
  boolean wanted;
}
