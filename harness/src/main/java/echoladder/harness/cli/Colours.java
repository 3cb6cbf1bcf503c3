package echoladder.harness.cli;

import echoladder.harness.run.Display;

/** Whether colours are wanted: on a terminal that has them, unless NO_COLOR is set (no-color.org). */
final class Colours {
  private Colours() {}

  static boolean onStdout() {
    String no = System.getenv("NO_COLOR");
    return (no == null || no.isEmpty()) && !"dumb".equals(System.getenv("TERM")) && Display.isTerminal(1);
  }
}
