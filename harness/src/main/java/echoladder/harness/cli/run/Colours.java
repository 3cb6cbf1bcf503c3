package echoladder.harness.cli.run;

import echoladder.harness.run.Display;
import java.util.Map;

/** Whether colours are wanted: on a terminal that has them, unless NO_COLOR is set (no-color.org). */
public final class Colours {
  private Colours() {}

  public static boolean onStdout() {
    return wanted(System.getenv(), Display.isTerminal(1));
  }

  static boolean wanted(Map<String, String> variables, boolean terminal) {
    return terminal && variables.getOrDefault("NO_COLOR", "").isEmpty() && !"dumb".equals(variables.get("TERM"));
  }
}
