package echoladder.harness.cli.run;

import java.util.Map;

/** Whether colours are wanted: on a terminal that has them, unless NO_COLOR is set (no-color.org). */
final class Colours {
  private Colours() {}

  static boolean wanted(Map<String, String> variables, boolean terminal) {
    return terminal && variables.getOrDefault("NO_COLOR", "").isEmpty() && !"dumb".equals(variables.get("TERM"));
  }
}
